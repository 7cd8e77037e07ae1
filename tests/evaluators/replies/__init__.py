"""Replies with the verdict that a careful person gives, written down before the rules were tried on them.

A file holds relations and cases, one to a line. A relation has `name`, `template`, `facts` (the objects of each
subject) and `aliases`. A case has:

- `world`: the name of its relation.
- `object_of` or `subject_of`: the entity in the question, whose objects or subjects are the answers.
- `choices`: the options of a multiple-choice question; `none` is one more option, that none of the others is right.
- `shown`: the object in a statement to be judged; with `negated` the statement is its negation.
- `reply` and `verdict` (a list where several verdicts are acceptable).
- `named` and `wrong`: of a set, the right answers in the reply and the number of wrong ones.
- `answer`: the words of the reply that decide.
- `rationale`: the beginning of the grade's rationale.
- `why`: why the reply deserves its verdict.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, NamedTuple

import jsonlines

from tests.evaluators.worlds import (
    Asked,
    World,
    ask_object,
    ask_subject,
    choose,
    choose_subject,
    graded,
    negated_statement,
    or_none,
    true_or_false,
)


class Case(NamedTuple):
    """A reply to a question, and its expected grade."""

    name: str
    file: str
    asked: Asked
    reply: str
    verdicts: frozenset[str]
    named: set[str] | None
    wrong: int
    answer: str | None
    rationale: str
    why: str


def load(*, limits: bool = False) -> list[Case]:
    """Return the cases of all files, or those of `limits.jsonl`, which the rules get wrong."""
    paths = sorted(Path(__file__).parent.glob("*.jsonl"))
    return [case for path in paths if (path.stem == "limits") == limits for case in _cases(path)]


def grades_digest() -> str:
    """Return a hash of the grades of all cases."""
    return hashlib.sha256(repr([graded(case.asked, case.reply) for case in load()]).encode()).hexdigest()


def accepted_verdicts(line: dict[str, Any]) -> frozenset[str]:
    """Return the verdicts that a line accepts, of which it may list several."""
    verdict = line["verdict"]
    return frozenset([verdict] if isinstance(verdict, str) else verdict)


def _cases(path: Path) -> list[Case]:
    worlds: dict[str, World] = {}
    cases: list[Case] = []
    with jsonlines.open(path) as lines:
        for number, line in enumerate(lines, start=1):
            if "template" in line:
                worlds[line["name"]] = World(line["template"], line["facts"], line["aliases"])
            else:
                cases.append(
                    Case(
                        name=f"{path.stem}:{number}-{line['reply'][:40]!r}",
                        file=path.stem,
                        asked=_asked(worlds[line["world"]], line),
                        reply=line["reply"],
                        verdicts=accepted_verdicts(line),
                        named=set(line["named"]) if "named" in line else None,
                        wrong=line.get("wrong", 0),
                        answer=line.get("answer"),
                        rationale=line.get("rationale", ""),
                        why=line["why"],
                    )
                )
    return cases


def _asked(world: World, line: dict[str, Any]) -> Asked:
    choices = line.get("choices", ())
    if "shown" in line:
        statement = negated_statement if line.get("negated") else true_or_false
        return statement(world, line["object_of"], line["shown"])
    if "none" in line:
        return or_none(choose(world, line["object_of"], *choices, line["none"]))
    if "object_of" in line:
        subject = line["object_of"]
        return choose(world, subject, *choices) if choices else ask_object(world, subject)
    object_ = line["subject_of"]
    return choose_subject(world, object_, *choices) if choices else ask_subject(world, object_)
