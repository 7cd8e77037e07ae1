"""Rules: named functions that decide on some replies and leave the others to the next rule."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from factprobe.reading.reading_base import Reading
from factprobe.records import Question, Verdict


class Judgment(Struct, frozen=True, gc=False):
    """Verdict with its evidence."""

    verdict: Verdict
    rule: str = ""
    """Id of the rule that decided; filled in if a rule leaves it out."""
    matched: tuple[str, ...] = ()
    """URIs of the right answers that were named."""
    wrong: int = 0
    """Number of wrong answers that were named."""
    answer: str = ""
    """Words of the reply that were taken for the answer."""
    why: str = ""
    """Reason in a few words."""
    rank: int = 0
    """Rank of the right answer among the choices of a ranked question."""
    option: int = 0
    """Number of the chosen option, from 1; 0 if none or several are chosen."""
    probability: float | None = None
    """Probability that a careful reader calls the reply right; None if no model decided."""


Decide = Callable[[Any, Question], Judgment | None]
"""Function from a reading of a reply (of the evaluator's `reading_type`) and its question to a judgment or None."""
Condition = Callable[[Any], bool]
"""Predicate of the readings that rules apply to."""


@dataclass(frozen=True)
class Rule:
    """One rule of an evaluator."""

    name: str
    """Its id in grades, `<question type>.<what it does>`."""
    verdicts: tuple[Verdict, ...]
    """Verdicts that it may give."""
    decide: Decide
    when: Condition | None = None
    """Condition of its application; adjacent rules with the same condition check it once."""

    def __call__(self, reading: Reading, question: Question) -> Judgment | None:
        """Return the judgment on a reply, or None if the rule does not apply."""
        return self.decide(reading, question) if self.when is None or self.when(reading) else None

    @property
    def says(self) -> str:
        """First paragraph of the function's docstring: what the reply does."""
        return " ".join((inspect.getdoc(self.decide) or "").split("\n\n")[0].split())


def rule(name: str, *verdicts: Verdict, when: Condition | None = None) -> Callable[[Decide], Rule]:
    """Return a decorator that makes a function a rule.

    Args:
        name: its id in grades; no other rule has the same.
        verdicts: all that it may give.
        when: condition of its application; by default it applies to any reply.
    """
    return lambda decide: Rule(name, verdicts, decide, when)


def first(rules: Iterable[Rule], reading: Reading) -> Judgment | None:
    """Return the judgment of the first rule that applies to a reply."""
    question = reading.question
    asked, holds = None, True
    for one in rules:
        if one.when is not asked:
            asked = one.when
            holds = asked is None or asked(reading)
        if holds and (found := one.decide(reading, question)) is not None:
            return found if found.rule else replace(found, rule=one.name)
    return None
