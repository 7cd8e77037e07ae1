"""Replies with the verdict that a careful person gives, set down before they were tried.

Each file holds relations, a line each with `name`, `template`, `facts` (each subject's objects) and `aliases`, and
cases: the relation, the subject whose objects or the object whose subjects are asked for, the `choices` or the object
`shown` in a statement, the reply, its verdict, the rule that it is for (none in `limits.jsonl`), of a set the right
answers `named` and how many wrong ones, and why. `none` is the choice that none of the others is right.
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
    or_none,
    true_or_false,
)


class Case(NamedTuple):
    """A reply to a question, and what it is worth."""

    name: str
    asked: Asked
    reply: str
    verdict: str
    rule: str
    named: set[str] | None
    wrong: int
    why: str


def load(*, limits: bool = False) -> list[Case]:
    """Every case of every file, or those of `limits.jsonl`, which the rules get wrong."""
    paths = sorted(Path(__file__).parent.glob("*.jsonl"))
    return [case for path in paths if (path.stem == "limits") == limits for case in _cases(path)]


def grades_digest() -> str:
    """A hash of the grades of all cases."""
    return hashlib.sha256(repr([graded(case.asked, case.reply) for case in load()]).encode()).hexdigest()


def _cases(path: Path) -> list[Case]:
    worlds: dict[str, World] = {}
    cases: list[Case] = []
    with jsonlines.open(path) as lines:
        for number, line in enumerate(lines, start=1):
            if "template" in line:
                worlds[line["name"]] = World(line["template"], line["facts"], line["aliases"])
            else:
                name = f"{path.stem}:{number}-{line['reply'][:40]!r}"
                named = set(line["named"]) if "named" in line else None
                asked = _asked(worlds[line["world"]], line)
                verdict, rule, wrong = line["verdict"], line.get("rule", ""), line.get("wrong", 0)
                cases.append(Case(name, asked, line["reply"], verdict, rule, named, wrong, line["why"]))
    return cases


def _asked(world: World, line: dict[str, Any]) -> Asked:
    choices = line.get("choices", ())
    if "shown" in line:
        return true_or_false(world, line["object_of"], line["shown"])
    if "none" in line:
        return or_none(choose(world, line["object_of"], *choices, line["none"]))
    if "object_of" in line:
        subject = line["object_of"]
        return choose(world, subject, *choices) if choices else ask_object(world, subject)
    object_ = line["subject_of"]
    return choose_subject(world, object_, *choices) if choices else ask_subject(world, object_)
