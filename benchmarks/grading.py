"""Speed of grading: cold answers a second on one core by type, and growth with the entities of the relation."""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import statistics
import time
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

from figures import record_ratio
from grading_mix import KINDS, SET, worlds

from factprobe.evaluators import grade

ASKED = 20_000
"""Questions of a run, each asked once: of several relations, where one has fewer entities."""
FIRST = 50
"""Answers to each relation's first questions, of all shapes, with which all its indexes are built that there are."""


class Times(NamedTuple):
    """Seconds of processor time."""

    indexes: float
    """Time of the relations' indexes, each with its first answers."""
    answer: float
    """Time of an answer after these."""


def times(kind: str, entities: int, asked: int) -> Times:
    """The times of one run in this process, which must not have graded anything before."""
    index = rest = 0.0
    count = 0
    for world in worlds(asked, entities, SET if kind == "multiple_answer" else 1):
        answered = list(world.answered(kind, min(asked, entities)))
        gc.collect()
        gc.freeze()  # what the benchmark holds is no work of the grading
        grades = grade(answered, world.summary)
        start = time.process_time()
        for _ in range(FIRST):
            next(grades)
        indexed = time.process_time()
        count += sum(1 for _ in grades)
        rest += time.process_time() - indexed
        index += indexed - start
    return Times(index, rest / count)


def cold(kind: str, entities: int, asked: int, runs: int) -> Times:
    """The medians of several runs, each in a process of its own."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, context, max_tasks_per_child=1) as pool:
        found = [pool.submit(times, kind, entities, asked).result() for _ in range(runs)]
    return Times(*(statistics.median(values) for values in zip(*found, strict=True)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--asked", type=int, default=ASKED)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    given = parser.parse_args()
    print("answers a second on one core, each question asked once; the time of the indexes beside them")
    print(f"{'':16}{'1,000 entities':>20}{'100,000 entities':>28}{'time of an answer':>20}")
    for kind in given.kinds:
        small, large = (cold(kind, entities, given.asked, given.runs) for entities in (1_000, 100_000))
        print(
            f"{kind:16}{1 / small.answer:10,.0f} /s {small.indexes:6.2f} s{1 / large.answer:18,.0f} /s"
            f" {large.indexes:6.2f} s{large.answer / small.answer:14.2f} times"
        )
        record_ratio(f"grading of {kind}: 100,000 entities to 1,000", large.answer / small.answer)


if __name__ == "__main__":
    main()
