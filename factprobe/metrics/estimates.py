"""Metrics that are estimated: accuracy as people would judge it, and how well a model's confidence ranks its replies.

Since `measure` does not count single grades, `share` is that of the accuracy or of the errors.
"""

from __future__ import annotations

import numpy as np

from factprobe.metrics.base import ATTEMPTED, REPLIED, MetricInput, metrics
from factprobe.metrics.calibration import risk_coverage_area
from factprobe.metrics.corrected import corrected_rate
from factprobe.metrics.rates import NOWHERE, OWN, Ratio
from factprobe.metrics.statistics.intervals import Interval


@metrics.register("expected_accuracy")
class ExpectedAccuracy(Ratio):
    """The mean of the grader's probabilities that a reply is correct, 1 or 0 where a rule decided."""

    over = "questions with a reply, if a model graded any of them"
    source = OWN
    has_interval = False
    places = NOWHERE

    def measure(self, counted: MetricInput) -> float | None:
        """Compute the mean probability; None if no model graded a reply."""
        replied = counted.flags(REPLIED)
        if np.isnan(counted.probabilities[replied]).all():
            return None
        return counted.ratio(np.column_stack([replied * counted.predictions, replied]))


@metrics.register("corrected_accuracy")
class CorrectedAccuracy(Ratio):
    """The accuracy that people would give, estimated from the grades of all replies and people's labels of some."""

    over = "questions with a reply, of which people labelled ten or more; micro averages only"
    source = "Angelopoulos, Duchi and Zrnic 2023, PPI++, arXiv:2311.01453"
    places = NOWHERE

    def measure(self, counted: MetricInput) -> Interval | None:
        """Correct the mean probability by the labels."""
        if counted.relations is not None:
            return None
        replied = counted.flags(REPLIED)
        predictions, labels = counted.predictions[replied], counted.labels[replied]
        return corrected_rate(predictions, labels, counted.clusters[replied], counted.chances[replied])


@metrics.register("aurc")
class RiskCoverageArea(Ratio):
    """The area under the risk-coverage curve: the mean share of wrong replies among those of highest confidence.

    An attempt that is not correct is wrong; abstentions are not answered and not counted.
    """

    part = ("incorrect", "unparsed")
    whole = ATTEMPTED
    title = "AURC"
    over = "attempted questions whose reply has a confidence; micro averages only"
    higher_is_better = False
    source = "Geifman, Uziel and El-Yaniv 2019, ICLR, section 2"
    places = ("markdown",)

    def measure(self, counted: MetricInput) -> Interval | None:
        """Compute the area over the attempts with a confidence."""
        if counted.relations is not None:
            return None
        kept = counted.flags(ATTEMPTED) & ~np.isnan(counted.confidences)
        return risk_coverage_area(counted.confidences[kept], counted.flags(self.part)[kept], counted.clusters[kept])
