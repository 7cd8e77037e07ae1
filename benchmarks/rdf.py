"""Extraction from RDF against pyoxigraph's own parsing of the same file: time, memory, and growth with its size."""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from figures import record_ratio

ROOT = Path(__file__).resolve().parents[1]
RELATIONS = 100
PARSE = "import sys, pyoxigraph\nfor _ in pyoxigraph.parse(path=sys.argv[1]): pass"
E = "http://example.org/entity/Q"


class Ran(NamedTuple):
    """What a process took."""

    seconds: float
    """Wall clock."""
    processor: float
    """User and system time of all its threads."""
    peak: float
    """The most memory that it held, in MB."""


def ran(command: list[str], **environment: str) -> Ran:
    """Runs a process to its end."""
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, env={**os.environ, **environment})
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"failed: {command}")
    return Ran(time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1e3)


def make_graph(path: Path, triples: int, of: int = RELATIONS) -> None:
    """N-Triples of so many relations whose entities' degrees follow a power law; a label for each entity, an alias for
    a third of them, and some seven facts an entity."""
    import numpy as np

    rng = np.random.default_rng(0)
    entities = triples * 3 // 25
    facts = triples - entities - -(-entities // 3)
    ends = (entities * rng.random((2, facts)) ** 3).astype(int)
    relations = rng.integers(0, of, facts)
    with path.open("w", encoding="utf-8") as file:
        for number in range(entities):
            file.write(f'<{E}{number}> <http://www.w3.org/2000/01/rdf-schema#label> "Entity number {number}"@en .\n')
            if number % 3 == 0:
                alias = f"Also called {number}"
                file.write(f'<{E}{number}> <http://www.w3.org/2004/02/skos/core#altLabel> "{alias}"@en .\n')
        for relation, subject, object_ in zip(relations.tolist(), *ends.tolist(), strict=True):
            file.write(f"<{E}{subject}> <http://example.org/prop/P{relation}> <{E}{object_}> .\n")


def starts(triples: int, runs: int = 3) -> None:
    """Prints what one relation takes of sorted graphs of 10 and of 1,000 relations; it is as large in both."""
    took = []
    with tempfile.TemporaryDirectory() as folder:
        commands = []
        for count, every in ((10, triples), (1000, 100 * triples)):
            source = Path(folder) / f"{count}.nt"
            make_graph(source, every, count)
            settings = ["step=extract", "kg=rdf", f"kg.source={source}", f"output_dir={folder}/{count}"]
            commands.append([sys.executable, "run.py", "relations=[P1]", *settings])
        for _ in range(runs + 1):
            took.append([ran(command, FACTPROBE_CACHE=f"{folder}/cache").processor for command in commands])
    few, many = (statistics.median(found) for found in zip(*took[1:], strict=True))
    print(f"one of 10 relations {few:.2f} s of the processor, one of 1,000 {many:.2f} s   ratio {many / few:.2f}")


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--triples", type=int, nargs="*", default=[1_000_000, 10_000_000])
    parser.add_argument("--start", type=int, default=20_000, help="triples of the smaller graph whose start is timed")
    starts(parser.parse_args().start)
    before = 0.0
    for triples in parser.parse_args().triples:
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "graph.nt"
            make_graph(source, triples)
            alone = ran([sys.executable, "-c", PARSE, str(source)])
            output, store = f"output_dir={folder}/out", {"FACTPROBE_CACHE": f"{folder}/cache"}
            command = [sys.executable, "run.py", "step=extract", "kg=rdf", f"kg.source={source}", output]
            first, again = (ran(command, **store) for _ in range(2))
        print(f"{triples:,} triples, {RELATIONS} relations")
        print(f"  pyoxigraph alone  {alone.seconds:7.1f} s  {alone.processor:7.1f} s of the processor")
        for name, took in (("extract", first), ("extract again", again)):
            ratio = took.seconds / alone.seconds, took.processor / alone.processor
            print(
                f"  {name:16}  {took.seconds:7.1f} s  {took.processor:7.1f} s of the processor"
                f"   ratio {ratio[0]:4.1f}, of the processor {ratio[1]:4.1f}   {took.peak:,.0f} MB"
            )
            record_ratio(f"RDF, {triples:,} triples, {name}, to pyoxigraph's parsing alone", ratio[0])
        if before:
            print(f"  {first.seconds / before:.1f} times the one before")
        before = first.seconds


if __name__ == "__main__":
    main()
