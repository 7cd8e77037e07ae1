"""Effect of a penalty for incorrect replies: scores as lines over the penalty, and where the lines of models cross."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from msgspec import Struct

from factprobe.metrics.strata import ALL
from factprobe.records import Score

MAX_PENALTY = 2.0


class PenaltyLine(Struct, frozen=True):
    """Score of a model as a line over the penalty: `correct - penalty * incorrect`."""

    generator: str
    model: str
    correct: float
    """Share of correct replies: the score without a penalty."""
    incorrect: float
    hallucination_rate: float | None
    """Share of incorrect replies among all replies but the correct ones; None if all are correct."""

    def score(self, penalty: float) -> float:
        """Return the score (points per question) at a penalty."""
        return self.correct - penalty * self.incorrect


class Crossing(Struct, frozen=True):
    """Penalty at which two models have the same score."""

    first: str
    """Model that is better below the penalty."""
    second: str
    """Model that is better above the penalty."""
    penalty: float
    score: float


def penalty_lines(rows: Iterable[Score]) -> list[PenaltyLine]:
    """Return the line of each generator and model, over all graphs together if there are several."""
    totals = [row for row in rows if (row.level, row.average) == ("total", "micro") and row.questions > row.failed]
    if len({row.kg for row in totals}) > 1:
        totals = [row for row in totals if row.kg == ALL]
    lines = []
    for row in totals:
        replies, wrong = row.questions - row.failed, row.questions - row.failed - row.correct
        rate = row.incorrect / wrong if wrong else None
        lines.append(PenaltyLine(row.generator, row.model, row.correct / replies, row.incorrect / replies, rate))
    return lines


def crossings(lines: Sequence[PenaltyLine]) -> list[Crossing]:
    """Return the crossings of two lines at penalties above 0 and up to `MAX_PENALTY`, sorted by penalty."""
    points = []
    for one, other in combinations(lines, 2):
        gained, lost = one.correct - other.correct, one.incorrect - other.incorrect
        if lost == 0 or not 0 < gained / lost <= MAX_PENALTY:
            continue
        first, second = (one, other) if gained > 0 else (other, one)
        points.append(Crossing(first.model, second.model, gained / lost, one.score(gained / lost)))
    return sorted(points, key=lambda crossing: crossing.penalty)
