"""What large jobs take on one machine: time, memory and disk of graphs, answers and grades, and resuming.

Each process is measured whole, at a tenth of the size and at the size. The endpoint answers without a delay, and is
asked by the client of `model=openai` with 256 calls at once.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import rdf
from endpoint import environment, factprobe, make_questions, two_cores
from grading_mix import SINGLE, names, slip
from speed import ROOT, make_graph
from stub_server import Endpoint, endpoint

UNANSWERED = 10
SYSTEMS = 10
"""Systems that reply to the same questions."""


# A process counts among its own what its parent held when it was started, so a small one stands in between.
_WATCH = """
import json, resource, subprocess, sys, time
start = time.perf_counter()
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps((time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)))
"""


class Ran(NamedTuple):
    """What a command took."""

    seconds: float
    """Wall clock."""
    processor: float
    """User and system time of all its processes."""
    megabytes: float
    """The most memory that one of its processes held."""


def watch(command: list[str], **variables: str) -> Ran:
    """Run a command to its end."""
    watched = [sys.executable, "-c", _WATCH, *command]
    given = {**environment(), **variables}
    return Ran(*json.loads(subprocess.run(watched, check=True, stdout=subprocess.PIPE, cwd=ROOT, env=given).stdout))


def show(count: int, what: str, ran: Ran, *written: Path) -> None:
    """Print what a command took, with the size of what it wrote."""
    files = [file for path in written for file in ([path] if path.is_file() else path.rglob("*")) if file.is_file()]
    disk = f"   {sum(file.stat().st_size for file in files) / 1e6:7,.0f} MB on disk" if written else ""
    times = f"{ran.seconds:6.1f} s  {ran.processor:6.1f} s of the processor   {ran.megabytes:6,.0f} MB of memory"
    print(f"{count:>10,} {what:34} {times}{disk}", flush=True)


def answer(server: Endpoint, settings: list[str], *more: str) -> list[str]:
    return factprobe("step=answer", *settings, f"model.base_url={server.url}", "model.max_concurrency=256", *more)


def make_facts(scratch: Path, count: int) -> None:
    """Print what a graph of one relation takes, and its questions."""
    graph, output = scratch / f"facts{count}", scratch / f"exam{count}"
    make_graph(graph, count)
    settings = [f"kg.data_dir={graph}", f"output_dir={output}"]
    show(count, "facts", watch(factprobe("step=extract", *settings)), output / "triplets")
    show(count, "facts, questions about them", watch(factprobe("step=generate", *settings)), output / "questions")


def extract_triples(scratch: Path, count: int) -> None:
    """Print what a graph in RDF takes, at first and when it is sorted already."""
    source, output, store = scratch / f"{count}.nt", scratch / f"triples{count}", scratch / f"sorted{count}"
    rdf.make_graph(source, count)
    command = factprobe("step=extract", "kg=rdf", f"kg.source={source}", f"output_dir={output}")
    show(count, "triples of RDF", watch(command, FACTPROBE_CACHE=str(store)), output / "triplets", store)
    show(count, "triples of RDF, again", watch(command, FACTPROBE_CACHE=str(store)))
    source.unlink()


def answer_questions(scratch: Path, server: Endpoint, count: int) -> list[str]:
    """Print what it takes to answer so many questions, and to answer them from the cache; return their settings."""
    settings, cache = make_questions(scratch, count), scratch / f"cache{count}"
    responses = scratch / f"output{count}" / "responses"
    for what, calls in (("questions answered", count), ("questions answered from the cache", 0)):
        before = server.stats().responses
        shutil.rmtree(responses, ignore_errors=True)
        ran = watch(answer(server, settings, f"cache_dir={cache}"))
        if (made := server.stats().responses - before) != calls:
            sys.exit(f"{made} calls for {calls} questions")
        show(count, what, ran, responses, cache)
    return settings


def resume(port: int, settings: list[str], responses: Path, cut: Callable[[bytes], bytes]) -> tuple[float, int]:
    """Seconds from the start of the process to its first call, after `cut` changed the file, and its calls."""
    responses.write_bytes(cut(responses.read_bytes()))
    with endpoint(0, port) as server:
        start = time.time()
        watch(answer(server, settings, "cache=off"))
        stats = server.stats()
    return stats.first - start, stats.responses


def without_last(data: bytes) -> bytes:
    return b"".join(data.splitlines(keepends=True)[:-UNANSWERED])


def killed(data: bytes) -> bytes:
    """What is left of them after a kill in mid-line."""
    return without_last(data)[:-20]


def ask(scratch: Path, count: int) -> None:
    """Print what answering takes, and how soon it goes on after a stop."""
    with endpoint(0) as server:
        for size in (count // 10, count):
            settings = answer_questions(scratch, server, size)
    port = int(server.url.split(":")[2].partition("/")[0])
    responses = scratch / f"output{count}" / "responses" / "template" / "stub" / "P1.jsonl"
    for what, cut in {"stopped": without_last, "killed in mid-line": killed}.items():
        seconds, calls = resume(port, settings, responses, cut)
        print(f"{count:>10,} questions, {what}: {seconds:5.2f} s to the first of {calls} new calls", flush=True)


def write_replies(path: Path, count: int) -> None:
    """Write replies of several systems to the same questions, in the shapes that `grading.py` times."""
    found, rng = names(count // SYSTEMS), random.Random(0)
    with path.open("w", encoding="utf-8") as file:
        for system in range(SYSTEMS):
            for number, who in enumerate(found):
                right = found[number * 7919 % len(found)]
                other, third = rng.choice(found).label, rng.choice(found).label
                wording = rng.choice(rng.choice(SINGLE))
                reply = wording.format(
                    who=who.label, right=right.label, other=other, third=third, slip=slip(rng, right.label)
                )
                question = f"Where was {who.label} born?"
                record = {"question": question, "answers": [right.label, *right.aliases], "response": reply}
                file.write(json.dumps({**record, "system": f"system {system}"}) + "\n")


def grade_replies(scratch: Path, count: int) -> None:
    """Print what it takes to grade so many replies without a graph."""
    source, output = scratch / f"replies{count}.jsonl", scratch / f"grades{count}"
    write_replies(source, count)
    show(count, "replies graded", watch(factprobe("step=grade", f"input={source}", f"output_dir={output}")), output)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--facts", type=int, default=100_000, help="facts of a graph; 0 leaves this out")
    parser.add_argument("--triples", type=int, default=1_000_000, help="triples of RDF; 0 leaves this out")
    parser.add_argument("--questions", type=int, default=200_000, help="questions to answer; 0 leaves this out")
    parser.add_argument("--replies", type=int, default=100_000, help="replies to grade; 0 leaves this out")
    options = parser.parse_args()
    two_cores()
    measures = {
        make_facts: options.facts,
        extract_triples: options.triples,
        grade_replies: options.replies,
    }
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        for measure, count in measures.items():
            for size in (count // 10, count) if count else ():
                measure(scratch, size)
        if options.questions:
            ask(scratch, options.questions)


if __name__ == "__main__":
    main()
