"""Metrics that estimate: accuracy as people would judge it, and how well a model's confidence ranks its replies."""

from __future__ import annotations

import numpy as np

from factprobe.metrics.base import ATTEMPTED, REPLIED, Metric, MetricInput, Place, metrics
from factprobe.metrics.corrected import corrected_rate
from factprobe.metrics.selective import risk_coverage_area
from factprobe.metrics.statistics.intervals import Interval
from factprobe.records import Grade

_TABLES_OF_THEIR_OWN: tuple[Place, ...] = ()


@metrics.register("expected_accuracy")
class ExpectedAccuracy(Metric):
    """The mean of the grader's probabilities that a reply is correct, 1 or 0 where a rule decided."""

    over = "questions with a reply, if a model graded any of them"
    source = "a definition of factprobe"
    places = _TABLES_OF_THEIR_OWN

    def share(self, grade: Grade) -> tuple[float, float]:
        """See the base class; `measure` counts probabilities."""
        return grade.verdict == "correct", grade.verdict in REPLIED

    def measure(self, counted: MetricInput) -> float | None:
        """Compute the mean probability; None if no model graded a reply."""
        replied = counted.flags(REPLIED)
        if np.isnan(counted.probabilities[replied]).all():
            return None
        return counted.ratio(np.column_stack([replied * counted.predictions, replied]))


@metrics.register("corrected_accuracy")
class CorrectedAccuracy(Metric):
    """The accuracy that people would give, estimated from the grades of all replies and people's labels of some."""

    over = "questions with a reply, of which people labelled ten or more; micro averages only"
    source = "Angelopoulos, Duchi and Zrnic 2023, PPI++, arXiv:2311.01453"
    has_interval = True
    interval_kind = "Wilson at the effective number of labels, clustered"
    places = _TABLES_OF_THEIR_OWN

    def share(self, grade: Grade) -> tuple[float, float]:
        """See the base class; `measure` counts probabilities and labels."""
        return grade.verdict == "correct", grade.verdict in REPLIED

    def measure(self, counted: MetricInput) -> Interval | None:
        """Correct the mean probability by the labels."""
        if counted.relations is not None:
            return None
        replied = counted.flags(REPLIED)
        predictions, labels = counted.predictions[replied], counted.labels[replied]
        return corrected_rate(predictions, labels, counted.clusters[replied], counted.chances[replied])


@metrics.register("aurc")
class RiskCoverageArea(Metric):
    """The area under the risk-coverage curve: the mean share of wrong replies among those of highest confidence.

    An attempt that is not correct is wrong; abstentions are not answered and not counted.
    """

    title = "AURC"
    over = "attempted questions whose reply has a confidence; micro averages only"
    higher_is_better = False
    source = "Geifman, Uziel and El-Yaniv 2019, ICLR, section 2"
    has_interval = True
    interval_kind = "normal for the logit, by influence, clustered"
    places = ("markdown",)

    def share(self, grade: Grade) -> tuple[float, float]:
        """See the base class; `measure` ranks by confidence."""
        is_attempt = grade.verdict in ATTEMPTED
        return is_attempt and grade.verdict != "correct", is_attempt

    def measure(self, counted: MetricInput) -> Interval | None:
        """Compute the area over the attempts with a confidence."""
        if counted.relations is not None:
            return None
        kept = counted.flags(ATTEMPTED) & ~np.isnan(counted.confidences)
        wrong = ~counted.flags(("correct",))
        return risk_coverage_area(counted.confidences[kept], wrong[kept], counted.clusters[kept])
