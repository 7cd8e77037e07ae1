"""Agreement of grades with human labels of the same replies, by system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Literal

import numpy as np

from factprobe.inputs import AnsweredQuestion
from factprobe.inputs.labels import HumanJudgment, ReplyLabels, reply_hash
from factprobe.metrics.agreement.coefficients import accuracy, cohen_kappa
from factprobe.metrics.agreement.raters import Agreement
from factprobe.metrics.statistics.intervals import ends_of, rate_interval
from factprobe.metrics.strata import ALL
from factprobe.records import SIDES, Verdict
from factprobe.text import format_count

MEASURES = {"accuracy": "accuracy", "cohen_kappa": "Cohen's κ", "precision": "precision", "recall": "recall"}
"""Column headers of the measures; precision and recall are those of `correct`."""
_MAX_UNREADABLE = 10
_MAX_CHARACTERS = 60


def side_of(human: str) -> Literal["correct", "incorrect"] | None:
    """Return a human judgment (`yes`, `0` and so on, see `SIDES`) as `correct` or `incorrect`; None for other words."""
    return SIDES.get(human.strip().casefold())


def judgment_on(reply: AnsweredQuestion, labels: ReplyLabels | None) -> HumanJudgment | None:
    """Return the human judgment of a reply: from `labels` if given, else from the record; None if there is none."""
    if labels is not None:
        return labels.match(reply.system, reply.id, reply_hash(reply.question.bare, reply.response.response))
    side = side_of(reply.human)
    return None if side is None else HumanJudgment(side == "correct", 1.0)


_Judged = tuple[str, str, str]
"""Verdict, human judgment and question of a reply."""


class People:
    """Collector of verdicts and human judgments by system; any verdict other than `correct` counts as incorrect."""

    def __init__(self) -> None:
        self._systems: dict[str, list[_Judged]] = {}
        self._left_out: Counter[str] = Counter()
        self._shared: dict[str, str] = {}
        self.unreadable: dict[str, int] = {}
        """Number of replies with each judgment that is not in `SIDES`, for the first ten such judgments."""
        self._unread = 0
        self.scale = ""
        """First judgment that is a number outside [0, 1], or empty. If there is one, the scale is unknown, and all
        judgments are ignored.
        """

    def add(self, system: str, question: str, verdict: Verdict, human: str) -> None:
        """Add the verdict and the human judgment of a reply; replies to a question form a cluster."""
        side = side_of(human)
        if human.strip() and side is None:
            self._unread += 1
            if human in self.unreadable or len(self.unreadable) < _MAX_UNREADABLE:
                self.unreadable[human] = self.unreadable.get(human, 0) + 1
            with suppress(ValueError):
                self.scale = self.scale or ("" if 0 <= float(human) <= 1 else human)
        if side is None or verdict == "failed":
            self._left_out[system] += 1
            return
        reply = "correct" if verdict == "correct" else "incorrect", side, self._shared.setdefault(question, question)
        self._systems.setdefault(system, []).append(reply)

    def warnings(self) -> Iterator[str]:
        """Yield warnings about judgments that are ignored, one line each."""
        if self.scale:
            yield (
                f"judgments are numbers on a scale, such as {self.scale}, and only 0 and 1 have a known meaning: none "
                "is counted; write a column with 0 and 1, or with words, and name it with columns.human"
            )
            return
        for judgment, count in self.unreadable.items():
            text = judgment if len(judgment) <= _MAX_CHARACTERS else f"{judgment[:_MAX_CHARACTERS]}…"
            replies = format_count(count, "reply", "replies")
            yield f"judgment {text!r}, which is neither right nor wrong; left out: {replies}"
        if others := self._unread - sum(self.unreadable.values()):
            replies = format_count(others, "reply", "replies")
            yield f"other judgments that are neither right nor wrong; left out: {replies}"

    def agreements(self, seed: int = 0) -> list[Agreement]:
        """Return the measures of each system, and of all together if there are several; empty for an unknown scale."""
        judged = {} if self.scale else self._systems
        groups = [(name, items, self._left_out[name]) for name, items in judged.items()]
        if len(judged) > 1:
            left_out = sum(self._left_out[name] for name in judged)
            groups.append((ALL, [reply for items in judged.values() for reply in items], left_out))
        return [row for group in groups for row in _measure_agreement(*group, seed)]


def _measure_agreement(system: str, judged: Sequence[_Judged], left_out: int, seed: int) -> Iterator[Agreement]:
    grades, people, questions = zip(*judged, strict=True)
    graded, judged_right = (np.array([side == "correct" for side in sides], float) for sides in (grades, people))
    measures = {
        "accuracy": accuracy(people, grades, questions),
        "cohen_kappa": cohen_kappa(people, grades, np.random.default_rng(seed), questions),
        "precision": rate_interval(graded * judged_right, graded, questions),
        "recall": rate_interval(graded * judged_right, judged_right, questions),
    }
    for measure, interval in measures.items():
        yield Agreement(system, "all", measure, len(people), left_out, **ends_of(interval))
