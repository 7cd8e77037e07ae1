"""Breakdown of several replies to the same question: how much of the variance lies within questions?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from factprobe.metrics.breakdowns.base import Breakdown, OwnedRow, headers
from factprobe.metrics.statistics.intervals import Interval, share
from factprobe.records import Grade, Question
from factprobe.text import format_count


class Repeats(OwnedRow, frozen=True, kw_only=True):
    """Verdicts on the replies of one model to the questions that it answered twice or more."""

    questions: int
    replies: int
    accuracy: Interval | None
    """Share of correct replies, clustered by subject as in the score table."""
    mixed: Interval | None
    """Share of questions with both correct and other replies, clustered by subject."""
    own: float | None
    """Share of the variance of correctness that lies within questions, not between them; None if it is undefined."""


def own_variance(right: ArrayLike, replies: ArrayLike) -> float | None:
    """Return the share of the variance of correctness that lies within questions, in [0, 1].

    `right` and `replies` are the numbers of correct replies and of all replies (2 or more) to each question, shape
    (questions,). The result is one minus the intraclass correlation by analysis of variance (Ridout, Demetrio and Firth
    1999, Biometrics 55). It is None for fewer than two questions, or if all replies are right or all wrong.
    """
    counts, totals = np.asarray(right, float), np.asarray(replies, float)
    size = len(totals)
    if size < 2 or counts.sum() in (0, totals.sum()):
        return None
    rates, mean = counts / totals, counts.sum() / totals.sum()
    within = float((totals * rates * (1 - rates)).sum() / (totals.sum() - size))
    between = float((totals * (rates - mean) ** 2).sum() / (size - 1))
    usual = float((totals.sum() - (totals**2).sum() / totals.sum()) / (size - 1))
    return within / (within + max((between - within) / usual, 0.0))


class ByRepeat(Breakdown):
    """Breakdown of verdicts on several replies to the same question."""

    title = "Several replies to one question"
    note = (
        "Over the questions with two replies or more. The variance within questions is the model's own; the rest lies "
        "between questions. All intervals cover both."
    )
    heads = headers("questions replies accuracy mixed own", mixed="right and wrong", own="variance within questions")
    main = "own"
    of_repeats = True

    def __init__(self, kg: str) -> None:
        super().__init__(kg)
        self._counts: dict[tuple[str, str], dict[str, list[int]]] = {}
        self._subjects: dict[str, str] = {}

    def add(self, generator: str, model: str, grade: Grade, question: Question) -> None:
        """Add the grade of one reply, unless the call failed."""
        if grade.verdict == "failed":
            return
        name = question.question_id if question.object_uri else question.subject_uri  # replies of files have ids
        self._subjects.setdefault(name, question.subject_uri)
        counts = self._counts.setdefault((generator, model), {}).setdefault(name, [0, 0])
        counts[0] += grade.verdict == "correct"
        counts[1] += 1

    def rows(self) -> Sequence[Repeats]:
        """Return a row for each generator and model with several replies to a question."""
        rows = (self._make_row(*owner, counts) for owner, counts in self._counts.items())
        return [row for row in rows if row.questions]

    def _make_row(self, generator: str, model: str, counts: Mapping[str, Sequence[int]]) -> Repeats:
        names = [name for name, (_, total) in counts.items() if total > 1]
        right, replies = (np.array([counts[name][at] for name in names], int) for at in (0, 1))
        subjects = [self._subjects[name] for name in names]
        outcomes = [place < correct for correct, total in zip(right, replies, strict=True) for place in range(total)]
        return Repeats(
            kg=self.kg,
            generator=generator,
            model=model,
            questions=len(names),
            replies=int(replies.sum()),
            accuracy=share(outcomes, np.repeat(subjects, replies).tolist()),
            mixed=share((right > 0) & (right < replies), subjects),
            own=own_variance(right, replies),
        )

    @classmethod
    def sentence(cls, row: Repeats) -> str:
        """Return a sentence on the variance within questions, with fields in braces (`{own}`); empty if undefined."""
        if row.own is None:
            return ""
        repeated = format_count(row.questions, "question")
        own = "{own} of the variance lies within questions"
        return f"{repeated} with several replies: {own}; {{mixed}} answered rightly and wrongly"
