"""How well self-consistency tells a model's wrong answers from its right ones, without looking at what is right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from factprobe.metrics.calibration import CoverageCurve, accuracy_coverage
from factprobe.metrics.intervals import Interval, rate_interval
from factprobe.metrics.ranking import average_precision, roc_auc
from factprobe.metrics.scores import ALL
from factprobe.question_types import question_types
from factprobe.records import POPULARITIES, Popularity, SelfChecked, Verdict

MEASURES = ("disagreement", "entropy")
"""The scores: the fields of `SelfChecked` that are held against the verdicts."""
_JUDGED: tuple[Verdict, ...] = ("correct", "incorrect")
_POINTS = 100


class ScoredAnswer(NamedTuple):
    """A scored answer, and what its question shares its luck with."""

    said: SelfChecked
    question_type: str
    popularity: Popularity | Literal[""]
    """Of the subject entity."""
    subject: str
    """Its URI."""


class SelfCheckScore(Struct, frozen=True, kw_only=True):
    """How one score does on the answers to some questions; 95 % intervals take those about one subject as alike."""

    kg: str
    generator: str
    model: str
    level: Literal["all", "popularity", "question_type"]
    name: str
    """Of the stratum or type; `all` for all questions."""
    measure: str
    """A name in `MEASURES`."""
    questions: int
    """Those whose answer is correct or incorrect and has a score."""
    left_out: int
    """Those without a score, or whose answer is neither: it declines, say."""
    wrong: Interval | None
    """The share of these answers that is incorrect: the risk of taking all."""
    roc_auc: Interval | None
    """How often an incorrect answer has a higher score than a correct one; None where all are of one kind."""
    pr_auc: Interval | None
    """The average precision of finding incorrect answers; chance is `wrong`."""
    risk_coverage: Interval | None
    """The area under the risk-coverage curve, in [0, 1], lower is better; chance is `wrong`."""
    curve: CoverageCurve | None = None
    """The accuracy on the answers of the lowest scores, of all questions; the risk is 1 less that."""


def self_check_scores(
    kg: str, generator: str, model: str, rows: Sequence[ScoredAnswer], seed: int
) -> list[SelfCheckScore]:
    """Each score on all questions, by popularity of the subject and by question type.

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
