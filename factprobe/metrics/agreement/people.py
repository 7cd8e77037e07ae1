"""Agreement of grades with people who judged the same replies, by system."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Literal

import numpy as np
from msgspec import Struct, field

from factprobe.metrics.agreement.coefficients import accuracy, cohen_kappa
from factprobe.metrics.agreement.raters import Agreement
from factprobe.metrics.scores import ALL
from factprobe.metrics.statistics.intervals import Interval, rate_interval
from factprobe.records import SIDES, Verdict
from factprobe.text import format_count

MEASURES = {"accuracy": "accuracy", "cohen_kappa": "Cohen's κ", "precision": "precision", "recall": "recall"}
"""Measures with their headers; precision and recall are those of `correct`."""
_TOLD = 10
"""Number of unreadable judgments that are named."""
_SHOWN = 60
"""Characters shown of one."""


def side_of(human: str) -> Literal["correct", "incorrect"] | None:
    """Return a judgment as one of `SIDES`; None if it is neither."""
    return SIDES.get(human.strip().casefold())


class _Judged(Struct):
    """Replies of one system with a grade and a judgment."""

    grades: list[str] = field(default_factory=list)
    people: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    left_out: int = 0


class People:
    """Human judgments beside the grades: right is `correct`, everything else is wrong."""

    def __init__(self) -> None:
        self._systems: dict[str, _Judged] = {}
        self._shared: dict[str, str] = {}
        self.strange: dict[str, int] = {}
        """Counts of the first ten judgments that are neither right nor wrong."""
        self._unread = 0
        self.scale = ""
        """A number that is neither 0, 1 nor between. The meaning of 1 is then unknown, and no judgment counts; empty
        without one."""

    def add(self, system: str, question: str, verdict: Verdict, human: str) -> None:
        """Add one reply.

        Args:
            system: who replied.
            question: what tells it from others; replies to one question share its luck.
            verdict: the grade's; of a reply that is not there people say nothing.
            human: the judgment, in one of the words of `SIDES`.
        """
        judged = self._systems.setdefault(system, _Judged())
        side = side_of(human)
        if human.strip() and side is None:
            self._note(human)
        if side is None or verdict == "failed":
            judged.left_out += 1
            return
        judged.grades.append("correct" if verdict == "correct" else "incorrect")
        judged.people.append(side)
        judged.questions.append(self._shared.setdefault(question, question))

    def _note(self, human: str) -> None:
        """Record a judgment that is not one of `SIDES`."""
        self._unread += 1
        if human in self.strange or len(self.strange) < _TOLD:
            self.strange[human] = self.strange.get(human, 0) + 1
        with suppress(ValueError):
            self.scale = self.scale or ("" if 0 <= float(human) <= 1 else human)

    def warnings(self) -> Iterator[str]:
        """Return warnings about judgments that are left out, one line each."""
        if self.scale:
            yield (
                f"judgments are numbers, {self.scale} among them, of which only 0 and 1 say right or wrong: none is "
                "counted; write them as 0 and 1, or in words, into a column and name it with columns.human"
            )
            return
        for judgment, count in self.strange.items():
            shown = judgment if len(judgment) <= _SHOWN else f"{judgment[:_SHOWN]}…"
            replies = format_count(count, "reply", "replies")
            yield f"judgment {shown!r}, which is neither right nor wrong; left out: {replies}"
        if others := self._unread - sum(self.strange.values()):
            replies = format_count(others, "reply", "replies")
            yield f"other judgments that are neither right nor wrong; left out: {replies}"

    def agreements(self, seed: int = 0) -> list[Agreement]:
        """Return the measures of each system and, with several, of all.

        There are none without judgments, or if they are numbers of a scale.
        """
        judged = {system: found for system, found in self._systems.items() if found.people and not self.scale}
        if len(judged) > 1:
            whole = _Judged()
            for found in judged.values():
                whole.grades += found.grades
                whole.people += found.people
                whole.questions += found.questions
                whole.left_out += found.left_out
            judged[ALL] = whole
        return [row for system, found in judged.items() for row in _rows(system, found, seed)]


def _rows(system: str, judged: _Judged, seed: int) -> Iterator[Agreement]:
    grades, people, questions = judged.grades, judged.people, judged.questions
    right, held = (np.array([side == "correct" for side in sides], float) for sides in (grades, people))
    found: dict[str, Interval | None] = {
        "accuracy": accuracy(people, grades, questions),
        "cohen_kappa": cohen_kappa(people, grades, np.random.default_rng(seed), questions),
        "precision": rate_interval(right * held, right, questions),
        "recall": rate_interval(right * held, held, questions),
    }
    for measure, interval in found.items():
        ends = (interval.estimate, interval.low, interval.high) if interval else (None, None, None)
        yield Agreement(system, "all", measure, len(people), judged.left_out, *ends)
