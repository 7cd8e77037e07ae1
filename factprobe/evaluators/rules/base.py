"""What a rule is: a small function with a name that decides on some replies and leaves the others to the next."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from factprobe.reading.reading import Reading
from factprobe.records import Question, Verdict


class Judgment(Struct, frozen=True, gc=False):
    """A verdict with what it rests on."""

    verdict: Verdict
    rule: str = ""
    """The rule that decided; a rule need not say its own name."""
    matched: tuple[str, ...] = ()
    """URIs of the right answers that were named."""
    wrong: int = 0
    """How many wrong ones."""
    answer: str = ""
    """The words of the reply that were taken for the answer."""
    why: str = ""
    """What the rule saw, in a few words, for people to read."""
    rank: int = 0
    """For a ranked question: the place of the right answer among the choices."""
    option: int = 0
    """The number of the option that is chosen, from 1; 0 where none is, or none alone."""
    probability: float | None = None
    """How probable it is that a careful reader calls the reply right, from 0 to 1; None where that is not known."""


Decide = Callable[[Any, Question], Judgment | None]
"""From a reading of a reply (of the type that the evaluator reads with) and its question to a judgment or none."""
Condition = Callable[[Any], bool]
"""Whether a reading is one on which rules bear."""


@dataclass(frozen=True)
class Rule:
    """One rule of an evaluator."""

    name: str
    """Its id in grades, `<question type>.<what it does>`."""
    verdicts: tuple[Verdict, ...]
    """Those that it may give."""
    decide: Decide
    when: Condition | None = None
    """What it bears on; rules with the same condition that stand together ask it once."""

    def __call__(self, reading: Reading, question: Question) -> Judgment | None:
        """The judgment on a reply; None where the rule does not bear on it."""
        return self.decide(reading, question) if self.when is None or self.when(reading) else None

    @property
    def says(self) -> str:
        """What the reply does, in the first paragraph of its function's docstring."""
        return " ".join((inspect.getdoc(self.decide) or "").split("\n\n")[0].split())


def rule(name: str, *verdicts: Verdict, when: Condition | None = None) -> Callable[[Decide], Rule]:
    """Makes a function a rule.

    Args:
        name: its id in grades; no other rule has the same.
        verdicts: those that it may give.
        when: what it bears on, where it shares that with the rules beside it; by default on any reply.
    """
    return lambda decide: Rule(name, verdicts, decide, when)


def first(rules: Iterable[Rule], reading: Reading) -> Judgment | None:
    """The judgment of the first rule that bears on a reply."""
    question = reading.question
    asked, holds = None, True
    for one in rules:
        if one.when is not asked:
            asked = one.when
            holds = asked is None or asked(reading)
        if holds and (found := one.decide(reading, question)) is not None:
            return found if found.rule else replace(found, rule=one.name)
    return None
