"""Evaluation of self-consistency as a detector of a model's wrong answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from factprobe.metrics.breakdowns.base import OwnedRow
from factprobe.metrics.calibration import CoverageCurve, accuracy_coverage
from factprobe.metrics.statistics.classes import average_precision, roc_auc
from factprobe.metrics.statistics.intervals import Interval, share
from factprobe.metrics.strata import ALL
from factprobe.question_types import question_types
from factprobe.records import POPULARITIES, Popularity, SelfCheck, Verdict

MEASURES = ("disagreement", "entropy")
"""Fields of `SelfCheck` that are evaluated as scores of wrong answers."""
_Level = Literal["all", "popularity", "question_type"]
_ANSWERED: tuple[Verdict, ...] = ("correct", "incorrect")


class ScoredAnswer(NamedTuple):
    """Answer with its self-consistency scores, and the groups to which it belongs."""

    check: SelfCheck
    question_type: str
    popularity: Popularity | Literal[""]
    subject: str
    """URI of the question's subject; answers about one subject form a cluster."""


class SelfCheckScore(OwnedRow, frozen=True, kw_only=True):
    """Performance of one score as a detector on a group of answers, with 95 % intervals clustered by subject."""

    level: _Level
    name: str
    """Name of the popularity stratum or question type; `all` for all questions."""
    measure: str
    questions: int
    """Number of questions with a score and a correct or incorrect answer."""
    left_out: int
    """Number of questions without a score, or with neither a correct nor an incorrect answer."""
    wrong: Interval | None
    """Share of incorrect answers: the risk of accepting all answers."""
    roc_auc: Interval | None
    """Area under the ROC curve for finding incorrect answers; None if all answers have the same verdict."""
    pr_auc: Interval | None
    """Average precision of finding incorrect answers; the chance level is `wrong`."""
    risk_coverage: Interval | None
    """Area under the risk-coverage curve, in [0, 1], lower is better; the chance level is `wrong`."""
    curve: CoverageCurve | None = None
    """Accuracy-coverage curve, lowest scores first (risk is 1 minus accuracy); None except for all questions."""


def self_check_scores(
    kg: str, generator: str, model: str, rows: Sequence[ScoredAnswer], seed: int
) -> list[SelfCheckScore]:
    """Measure how well each score detects incorrect answers, overall and by stratum; `seed` is of the bootstrap."""
    return [
        _measure_score(chosen, measure, seed, kg=kg, generator=generator, model=model, level=level, name=name)
        for level, name, chosen in _group_answers(rows)
        for measure in MEASURES
    ]


def _group_answers(rows: Sequence[ScoredAnswer]) -> Iterator[tuple[_Level, str, Sequence[ScoredAnswer]]]:
    yield "all", ALL, rows
    strata: dict[_Level, Sequence[str]] = {"popularity": POPULARITIES, "question_type": question_types()}
    for level, names in strata.items():
        for name in names:
            if chosen := [row for row in rows if getattr(row, level) == name]:
                yield level, name, chosen


def _measure_score(rows: Sequence[ScoredAnswer], measure: str, seed: int, **names: Any) -> SelfCheckScore:
    answered = [row for row in rows if row.check.verdict in _ANSWERED and getattr(row.check, measure) is not None]
    scores = np.array([getattr(row.check, measure) for row in answered], float)
    wrong = np.array([row.check.verdict == "incorrect" for row in answered], float)
    subjects, rng = [row.subject for row in answered], np.random.default_rng
    has_both = len({*wrong.tolist()}) > 1
    curve = accuracy_coverage(1 - scores, 1 - wrong, rng(seed), subjects)
    area = None if curve is None else curve.area
    return SelfCheckScore(
        **names,
        measure=measure,
        questions=len(answered),
        left_out=len(rows) - len(answered),
        wrong=share(wrong, subjects),
        roc_auc=roc_auc(scores, wrong, rng(seed), subjects) if has_both else None,
        pr_auc=average_precision(scores, wrong, rng(seed), subjects) if has_both else None,
        risk_coverage=None if area is None else Interval(1 - area.estimate, 1 - area.high, 1 - area.low),
        curve=curve if names["level"] == "all" else None,
    )
