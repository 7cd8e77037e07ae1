"""Memory in the number of questions, and how soon a run that was stopped goes on: against an endpoint without a delay.

The process that answers is measured whole, with the client of `model=openai` and 256 calls at once.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from endpoint import environment, factprobe, make_questions, two_cores
from speed import ROOT
from stub_server import Endpoint, endpoint

UNANSWERED = 10


# A process counts among its own what its parent held when it was started, so a small one stands in between.
_PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)
"""


def peak(command: list[str]) -> float:
    """The most memory that a process held, in MB."""
    watched = [sys.executable, "-c", _PEAK, *command]
    return float(subprocess.run(watched, check=True, stdout=subprocess.PIPE, cwd=ROOT, env=environment()).stdout)


def answer(server: Endpoint, settings: list[str], *more: str) -> list[str]:
    return factprobe("step=answer", *settings, f"model.base_url={server.url}", "model.max_concurrency=256", *more)


def memory(scratch: Path, server: Endpoint, count: int, settings: list[str]) -> None:
    start, before = time.perf_counter(), server.stats().responses
    megabytes = peak(answer(server, settings, f"cache_dir={scratch / f'cache{count}'}"))
    seconds, calls = time.perf_counter() - start, server.stats().responses - before
    if calls != count:
        sys.exit(f"{calls} calls for {count} questions")
    print(f"{calls:>9,} questions answered in {seconds:5.0f} s   at most {megabytes:4.0f} MB", flush=True)


def resume(port: int, settings: list[str], responses: Path, cut: Callable[[bytes], bytes]) -> tuple[float, int]:
    """Seconds from the start of the process to its first call, after `cut` changed the file, and its calls."""
    responses.write_bytes(cut(responses.read_bytes()))
    with endpoint(0, port) as server:
        start = time.time()
        peak(answer(server, settings, "cache=off"))
        stats = server.stats()
    return stats.first - start, stats.responses


def without_last(data: bytes) -> bytes:
    return b"".join(data.splitlines(keepends=True)[:-UNANSWERED])


def killed(data: bytes) -> bytes:
    """What is left of them after a kill in mid-line."""
    return without_last(data)[:-20]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=200_000)
    count = parser.parse_args().questions
    two_cores()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        with endpoint(0) as server:
            for size in (count // 10, count):
                settings = make_questions(scratch, size)
                memory(scratch, server, size, settings)
        port = int(server.url.split(":")[2].partition("/")[0])
        responses = scratch / f"output{count}" / "responses" / "template" / "stub" / "P1.jsonl"
        for what, cut in {"stopped": without_last, "killed in mid-line": killed}.items():
            seconds, calls = resume(port, settings, responses, cut)
            print(f"{count:>9,} questions, {what}: {seconds:5.2f} s to the first of {calls} new calls", flush=True)


if __name__ == "__main__":
    main()
