"""How well grades agree with people who judged the same replies, beside what simpler rules make of them.

Each reply is graded by `open_answer`, the evaluator of answers without a graph; right is what it calls correct. With it
stand exact match, "contains a right answer" and token F1 of at least one half, normalised as SQuAD does (lower case, no
punctuation, no articles). Intervals (95 %) take the replies to one question as alike.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import string
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from factprobe.evaluators import grade
from factprobe.metrics.agreement import accuracy, cohen_kappa
from factprobe.metrics.intervals import Interval, rate_interval
from factprobe.reading.values import value_of
from factprobe.records import Answer, Message, Question, Response

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("FACTPROBE_DATA", ROOT.parent / "shared" / "data")) / "humans"
RESAMPLES = 1_000
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


class Judged(NamedTuple):
    """A reply that people judged, and what each way of grading makes of it."""

    system: str
    question: str
    kind: str
    human: bool
    grades: dict[str, bool]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "files", nargs="*", type=Path, help="JSON Lines with question, answers, response, human, system"
    )
    parser.add_argument("--half", choices=["all", "first", "second"], default="all", help="of the questions, by a hash")
    options = parser.parse_args()
    files = options.files or sorted(DATA.glob("*.jsonl"))
    if not files:
        parser.error(f"there is no file in {DATA}; name some, or their folder's parent with FACTPROBE_DATA")
    for path in files:
        replies = [judged(record) for record in records(path, options.half)]
        print(f"{path.name}: {len(replies):,} replies, {sum(one.human for one in replies):,} right by people")
        print(f"  {'':28}{'replies':>8}  {'accuracy':>20}  {'kappa':>20}  {'precision':>20}  {'recall':>20}")
        for way in replies[0].grades:
            show(way, replies, way)
        for name, of in (("system", lambda one: one.system), ("kind of answer", lambda one: one.kind)):
            print(f"  factprobe by {name}")
            for value, group in grouped(replies, of):
                show(f"  {value}", group, "factprobe")
        print()


def records(path: Path, half: str) -> Iterator[dict[str, Any]]:
    """The replies to all questions, or to one half of them."""
    with path.open(encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            is_second = blake2b(record["question"].encode(), digest_size=2).digest()[0] % 2
            if half == "all" or is_second == (half == "second"):
                yield record


def judged(record: dict[str, Any]) -> Judged:
    """One reply, graded in each way."""
    names, reply, question = record["answers"], record["response"], record["question"]
    answer = Answer("answer", names[0], tuple(names[1:]))
    asked = Question("q", "single_answer", (Message("user", question),), (answer,), "", "", "answer", bare=question)
    [found] = grade([(asked, Response("q", reply, None, None, None))], None, {"single_answer": "open_answer"})
    bare, right = normalised(reply), [normalised(name) for name in names]
    grades = {
        "factprobe": found.verdict == "correct",
        "exact match": bare in right,
        "contains a right answer": any(name and name in bare for name in right),
        "token F1 of 0.5 or more": any(token_f1(bare.split(), name.split()) >= 0.5 for name in right),
    }
    return Judged(record["system"], question, kind_of(question, names), record["human"] == "correct", grades)


def normalised(text: str) -> str:
    """A text as SQuAD's script compares it."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_NO_PUNCTUATION)).split())


def token_f1(reply: Sequence[str], name: Sequence[str]) -> float:
    """The harmonic mean of the shares of words that the two have in common."""
    common = (Counter(reply) & Counter(name)).total()
    return 2 * common / (len(reply) + len(name)) if common else 0.0


def kind_of(question: str, names: Sequence[str]) -> str:
    """What is asked for, by the first answer and the first word of the question."""
    value = value_of(names[0])
    if value is not None:
        return "date" if value.year is not None else "number"
    return {"who": "person", "whose": "person", "where": "place"}.get(question.split(" ", 1)[0].lower(), "other")


def grouped(replies: Iterable[Judged], of: Callable[[Judged], str]) -> Iterator[tuple[str, list[Judged]]]:
    """The replies by something of them."""
    groups: dict[str, list[Judged]] = {}
    for one in replies:
        groups.setdefault(of(one), []).append(one)
    yield from sorted(groups.items())


def show(name: str, replies: Sequence[Judged], way: str) -> None:
    """Prints one row."""
    ours = ["right" if one.grades[way] else "wrong" for one in replies]
    people = ["right" if one.human else "wrong" for one in replies]
    questions = [one.question for one in replies]
    hits = np.array([one.grades[way] and one.human for one in replies], float)
    figures = (
        accuracy(ours, people, questions),
        cohen_kappa(ours, people, np.random.default_rng(0), questions, RESAMPLES),
        rate_interval(hits, np.array([one.grades[way] for one in replies], float), questions),
        rate_interval(hits, np.array([one.human for one in replies], float), questions),
    )
    print(f"  {name:28}{len(replies):8,}  " + "  ".join(f"{text(figure):>20}" for figure in figures))


def text(figure: Interval | None) -> str:
    """A figure with its interval."""
    return "" if figure is None else f"{figure.estimate:.3f} [{figure.low:.3f}, {figure.high:.3f}]"


if __name__ == "__main__":
    main()
