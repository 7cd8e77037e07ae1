"""Replies to questions without a graph, with the verdict that a careful person gives, one case to a line.

- `question`, `answers`, `choices`, `question_type`: columns of `factprobe.grade_answers`.
- `match`: "all" where all answers are asked for.
- `reply` and `verdict` (a list where several verdicts are acceptable).
- `side`, instead of `answers` and `verdict`: the side that the reply takes on a yes/no question or a statement:
  correct, incorrect, unparsed (none) or abstained. It is graded against both gold answers.
- `why`: what the case is an example of.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import jsonlines

from factprobe.inputs.question_kind import Match
from tests.evaluators.replies import accepted_verdicts

FOLDER = Path(__file__).parent
GOLD = ("correct", "incorrect")
COLUMNS = ("question", "answers", "choices", "question_type")


class Case(NamedTuple):
    """A record to grade, and its expected grade."""

    name: str
    record: dict[str, Any]
    match: Match
    verdicts: frozenset[str]
    why: str


def load(path: Path) -> list[Case]:
    """Return the cases of a file."""
    with jsonlines.open(path) as lines:
        return [case for number, line in enumerate(lines, start=1) for case in _cases(number, line)]


def _cases(number: int, line: dict[str, Any]) -> Iterator[Case]:
    verdicts = {(): accepted_verdicts(line)} if "verdict" in line else _verdicts_by_gold(line["side"])
    for gold, accepted in verdicts.items():
        record = {name: line[name] for name in COLUMNS if name in line} | {"response": line["reply"]}
        record["answers"] = [*gold] or line["answers"]
        name = f"line {number}: {line['reply'][:80]!r} for {record['answers']}"
        yield Case(name, record, line.get("match", "any"), accepted, line["why"])


def _verdicts_by_gold(side: str) -> dict[tuple[str, ...], frozenset[str]]:
    """Return the verdict on a reply that takes a side, for both gold answers."""
    if side not in GOLD:
        return {(gold,): frozenset([side]) for gold in GOLD}
    return {(gold,): frozenset(["correct" if gold == side else "incorrect"]) for gold in GOLD}
