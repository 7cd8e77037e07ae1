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


Decide = Callable[[Any, Question], Judgment | None]
"""From a reading of a reply (of the type that the evaluator reads with) and its question to a judgment or none."""


@dataclass(frozen=True)
class Rule:
    """One rule of an evaluator."""

    name: str
    """What a grade calls it."""
    verdicts: tuple[Verdict, ...]
    """Those that it may give."""
    decide: Decide

    def __call__(self, reading: Reading, question: Question) -> Judgment | None:
        """The judgment on a reply; None where the rule does not bear on it."""
        return self.decide(reading, question)

    @property
    def says(self) -> str:
        """What the reply does, in the first paragraph of its function's docstring."""
        return " ".join((inspect.getdoc(self.decide) or "").split("\n\n")[0].split())


def rule(name: str, *verdicts: Verdict) -> Callable[[Decide], Rule]:
    """Makes a function a rule.

    Args:
        name: what a grade calls it.
        verdicts: those that it may give.
    """
    return lambda decide: Rule(name, verdicts, decide)


def first(rules: Iterable[Rule], reading: Reading) -> Judgment | None:
    """The judgment of the first rule that bears on a reply."""
    question = reading.question
    for one in rules:
        found = one.decide(reading, question)
        if found is not None:
            return found if found.rule else replace(found, rule=one.name)
    return None
