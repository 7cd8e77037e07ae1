"""Rules: named functions that judge some replies and leave the others to the next rule."""

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
    """Verdict on a reply, with the rule and the evidence for it."""

    verdict: Verdict
    rule: str = ""
    """Id of the rule that decided; rules leave it empty, and `first_judgment` fills it in."""
    matched: tuple[str, ...] = ()
    """URIs of the right answers that the reply names."""
    wrong: int = 0
    """Number of wrong answers that the reply names."""
    answer: str = ""
    """Words of the reply that are taken as the answer."""
    why: str = ""
    """Reason in a few words."""
    rank: int = 0
    """Rank of the right answer among the choices of a ranked question."""
    option: int = 0
    """Number of the chosen option, from 1; 0 if none or several are chosen."""
    probability: float | None = None
    """Probability that a careful reader calls the reply right; None if no grading model decided."""


Decide = Callable[[Any, Question], Judgment | None]
"""Function from a reading (of the evaluator's `reading_type`) and its question to a judgment.

It returns None to leave the reply to the next rule.
"""
Condition = Callable[[Any], bool]
"""Function that returns whether a rule applies to a reading."""


@dataclass(frozen=True)
class Rule:
    """Rule of an evaluator.

    The docstring of `decide` completes "The reply …", as docs/rules.md shows it: "Is the text of an option."
    """

    name: str
    """Id of the rule in grades, `<question type>.<what it does>`."""
    verdicts: tuple[Verdict, ...]
    """Verdicts that the rule may give."""
    decide: Decide
    when: Condition | None = None
    """Condition under which the rule applies; by default it applies to any reply."""

    def __call__(self, reading: Reading, question: Question) -> Judgment | None:
        """Return the judgment on a reply; None if the rule does not apply, or leaves the reply to the next rule."""
        return self.decide(reading, question) if self.when is None or self.when(reading) else None

    @property
    def says(self) -> str:
        """First paragraph of the docstring of `decide`, which says what the reply does."""
        return " ".join((inspect.getdoc(self.decide) or "").split("\n\n")[0].split())


def rule(name: str, *verdicts: Verdict, when: Condition | None = None) -> Callable[[Decide], Rule]:
    """Return a decorator that makes a function a rule.

    The docstring of the function completes "The reply …": "Is the text of an option."

    Args:
        name: Id of the rule in grades, which no other rule has.
        verdicts: All verdicts that the rule may give.
        when: Condition under which the rule applies; by default it applies to any reply.
    """
    return lambda decide: Rule(name, verdicts, decide, when)


def first_judgment(rules: Iterable[Rule], reading: Reading) -> Judgment | None:
    """Return the first judgment that a rule gives on a reply; None if no rule gives any."""
    question = reading.question
    for rule in rules:
        if (judgment := rule(reading, question)) is not None:
            return judgment if judgment.rule else replace(judgment, rule=rule.name)
    return None
