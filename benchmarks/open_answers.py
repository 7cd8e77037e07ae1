"""Speed of grading without a graph: cold replies a second on one core by length, beside what simpler rules take."""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from random import Random
from typing import Any

from agreement import DATA, normalised, records, token_f1
from figures import record_ratio
from grading_mix import worlds

from factprobe.evaluators import grade
from factprobe.reading.names.index import answers_of
from factprobe.records import Answer, Message, Question, Response

FIRST = 50
"""Replies with which all is loaded and compiled that there is."""
MIX = 20_000
"""Replies that are made where there are none of people's systems."""
LENGTHS = {"one to five words": 5, "a sentence, up to 25": 25, "paragraphs": 10**6}
"""Kinds of reply, each with its most words."""
SIMPLE = "exact match, contains, token F1"
BARE = "normalising alone"
Judged = tuple[Question, Response]


def judged() -> list[list[Judged]]:
    """The replies of several systems to each question, as people asked them; else those of a mix, one to each."""
    files = sorted(DATA.glob("*.jsonl"))
    every = [record for path in files for record in records(path, "all")] or [*_mixed()]
    replies: dict[str, list[Judged]] = {}
    for record in every:
        names, question = record["answers"], record["question"]
        answer, asked = Answer("answer", names[0], tuple(names[1:])), (Message("user", question),)
        made = Question(question, "single_answer", asked, (answer,), "", "", "answer", bare=question)
        replies.setdefault(question, []).append((made, Response(question, record["response"], None, None, None)))
    return [*replies.values()]


def _mixed() -> Iterator[dict[str, Any]]:
    """Replies of the shapes that the benchmark of grading with a graph has."""
    for world in worlds(MIX, 1_000):
        for subject, (question, response) in zip(world.subjects, world.answered("single_answer", 1_000), strict=True):
            [right] = answers_of(question)
            yield {
                "question": f"Where was {subject.label} born?",
                "answers": [right.label, *right.aliases],
                "response": response.response,
            }


def simply(question: Question, response: Response) -> bool:
    """Return whether a reply is right by exact match, by a right answer in it, or by half of the words."""
    reply = normalised(response.response or "")
    names = [normalised(name) for answer in answers_of(question) for name in answer.names()]
    return reply in names or any(name in reply or token_f1(reply.split(), name.split()) >= 0.5 for name in names)


def barely(_: Question, response: Response) -> str:
    """The reply as SQuAD's script compares it."""
    return normalised(response.response or "")


def graded(some: Sequence[Judged]) -> Callable[[Question, Response], object]:
    """Return a function that grades the replies in their order."""
    grades = grade(some, None, {"single_answer": "open_answer"})
    return lambda _, __: next(grades)


def times(way: str, several: bool) -> dict[str, tuple[int, float]]:
    """Count the replies of each length, with the seconds of processor time that they took in this process."""
    rng = Random(0)
    some = [one for replies in judged() for one in (replies if several else [rng.choice(replies)])]
    work = {SIMPLE: simply, BARE: barely}.get(way) or graded(some)
    gc.collect()
    gc.freeze()  # what the benchmark holds is no work of the grading
    found = dict.fromkeys(("loading", *LENGTHS), (0, 0.0))
    for number, (question, response) in enumerate(some):
        start = time.process_time()
        work(question, response)
        took = time.process_time() - start
        words = len((response.response or "").split())
        length = next(name for name, most in LENGTHS.items() if words <= most) if number >= FIRST else "loading"
        count, before = found[length]
        found[length] = count + 1, before + took
    return found


def cold(way: str, several: bool, runs: int) -> dict[str, tuple[int, float]]:
    """The medians of several runs, each in a process of its own."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, context, max_tasks_per_child=1) as pool:
        found = [pool.submit(times, way, several).result() for _ in range(runs)]
    return {name: (found[0][name][0], statistics.median(one[name][1] for one in found)) for name in found[0]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    print("replies graded a second on one core, without a graph")
    for several, said in ((False, "each question once"), (True, "each question with all its replies")):
        ours, *floors = (cold(way, several, given.runs) for way in ("factprobe", SIMPLE, BARE))
        print(f"{said:24}{'replies':>8}{'factprobe':>12}{SIMPLE:>34}{BARE:>20}")
        for length in (*LENGTHS, "all"):
            print(f"  {length:22}" + _row([ours, *floors], [*LENGTHS] if length == "all" else [length]))
        took = [sum(seconds for name, (_, seconds) in way.items() if name in LENGTHS) for way in (ours, floors[0])]
        record_ratio(f"grading without a graph to {SIMPLE}, {said}", took[0] / took[1])
        print(f"  the first {FIRST} took {ours['loading'][1]:.2f} s")


def _row(ways: Sequence[dict[str, tuple[int, float]]], lengths: Sequence[str]) -> str:
    """Return a row with the replies of some lengths, and how many of them each way grades a second."""
    count = sum(ways[0][length][0] for length in lengths)
    rates = [count / max(sum(way[length][1] for length in lengths), 1e-9) for way in ways]
    return f"{count:8,}" + "".join(f"{rate:{width},.0f}" for rate, width in zip(rates, (12, 34, 20), strict=True))


if __name__ == "__main__":
    main()
