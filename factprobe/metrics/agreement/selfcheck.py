"""Self-consistency as a detector of a model's wrong answers, without the right ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from factprobe.metrics.calibration import CoverageCurve, accuracy_coverage
from factprobe.metrics.scores import ALL
from factprobe.metrics.statistics.intervals import Interval, rate_interval
from factprobe.metrics.statistics.ranking import average_precision, roc_auc
from factprobe.question_types import question_types
from factprobe.records import POPULARITIES, Popularity, SelfCheck, Verdict

MEASURES = ("disagreement", "entropy")
"""Scores: fields of `SelfCheck` that are compared with the verdicts."""
_JUDGED: tuple[Verdict, ...] = ("correct", "incorrect")
_POINTS = 100


class ScoredAnswer(NamedTuple):
    """A scored answer with its cluster."""

    said: SelfCheck
    question_type: str
    popularity: Popularity | Literal[""]
    """Stratum of the subject's popularity."""
    subject: str
    """URI of the subject."""


class SelfCheckScore(Struct, frozen=True, kw_only=True):
    """Performance of one score on the answers to some questions, with 95 % intervals clustered by subject."""

    kg: str
    generator: str
    model: str
    level: Literal["all", "popularity", "question_type"]
    name: str
    """Name of the stratum or type; `all` for all questions."""
    measure: str
    """Name in `MEASURES`."""
    questions: int
    """Questions with a score whose answer is correct or incorrect."""
    left_out: int
    """Questions without a score, or with another verdict, such as an abstention."""
    wrong: Interval | None
    """Share of incorrect answers: the risk of accepting all."""
    roc_auc: Interval | None
    """Probability that an incorrect answer has a higher score than a correct one; None if all are of one kind."""
    pr_auc: Interval | None
    """Average precision of finding incorrect answers; chance is `wrong`."""
    risk_coverage: Interval | None
    """Area under the risk-coverage curve, in [0, 1], lower is better; chance is `wrong`."""
    curve: CoverageCurve | None = None
    """Accuracy on the answers of the lowest scores, over all questions; the risk is 1 less that."""


def self_check_scores(
    kg: str, generator: str, model: str, rows: Sequence[ScoredAnswer], seed: int
) -> list[SelfCheckScore]:
    """Measure each score on all questions, by popularity of the subject and by question type.

    Args:
        kg: the graph.
        generator: what made the questions.
        model: who answered.
        rows: the scored answers.
        seed: for the bootstraps.
    """
    found = []
    for level, name, chosen in _groups(rows):
        for measure in MEASURES:
            one = _score(chosen, measure, seed)
            found.append(
                SelfCheckScore(
                    kg=kg,
                    generator=generator,
                    model=model,
                    level=level,
                    name=name,
                    measure=measure,
                    questions=one.questions,
                    left_out=len(chosen) - one.questions,
                    **one.figures,
                    curve=one.curve if level == "all" else None,
                )
            )
    return found


def _groups(
    rows: Sequence[ScoredAnswer],
) -> Iterator[tuple[Literal["all", "popularity", "question_type"], str, Sequence[ScoredAnswer]]]:
    yield "all", ALL, rows
    for popular in POPULARITIES:
        if chosen := [row for row in rows if row.popularity == popular]:
            yield "popularity", popular, chosen
    for name in question_types():
        if chosen := [row for row in rows if row.question_type == name]:
            yield "question_type", name, chosen


class _Scored(NamedTuple):
    questions: int
    figures: dict[str, Interval | None]
    curve: CoverageCurve | None


def _score(rows: Sequence[ScoredAnswer], measure: str, seed: int) -> _Scored:
    known = [row for row in rows if row.said.verdict in _JUDGED and getattr(row.said, measure) is not None]
    given = np.array([getattr(row.said, measure) for row in known], float)
    wrong = np.array([row.said.verdict == "incorrect" for row in known], float)
    subjects = [row.subject for row in known]
    two = len({*wrong.tolist()}) > 1
    curve = accuracy_coverage(1 - given, 1 - wrong, np.random.default_rng(seed), subjects, _POINTS)
    area = None if curve is None else curve.area
    figures: dict[str, Interval | None] = {
        "wrong": rate_interval(wrong, np.ones(len(known)), subjects),
        "roc_auc": roc_auc(given, wrong, np.random.default_rng(seed), subjects) if two else None,
        "pr_auc": average_precision(given, wrong, np.random.default_rng(seed), subjects) if two else None,
        "risk_coverage": area and replace(area, estimate=1 - area.estimate, low=1 - area.high, high=1 - area.low),
    }
    return _Scored(len(known), figures, curve)
