"""Aggregation of the labels of a response's claims into one label, as in RefChecker.

Source: Hu et al. 2024, arXiv:2405.14486, section 3.3.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from factprobe.components.base import PartSettings
from factprobe.records import RESPONSE_LABELS, ClaimLabel, ResponseLabel
from factprobe.registry import Registry

Shares = dict[ResponseLabel, float]
"""Fraction of a response's claims with each label, in [0, 1]; the fractions add up to 1."""
Aggregate = ResponseLabel | Shares

Share = Annotated[float, Meta(ge=0, le=1)]


class Aggregator(ABC):
    """Base class of aggregators of claim labels."""

    settings_type: ClassVar[type[PartSettings]] = PartSettings

    def __init__(self, settings: Any) -> None:
        self.settings = settings

    @abstractmethod
    def aggregate(self, labels: Sequence[ClaimLabel]) -> Aggregate:
        """Return the label of a response, or the fraction of each label; `Abstain` if there are no claims."""


aggregators: Registry[Aggregator] = Registry("aggregators", "aggregator")


def shares(labels: Sequence[ClaimLabel]) -> Shares:
    """Return the fraction of claims with each label; without claims, `Abstain` has fraction 1."""
    counts: Counter[ResponseLabel] = Counter(labels or ("Abstain",))
    return {label: counts[label] / counts.total() for label in RESPONSE_LABELS}


@aggregators.register("strict")
class StrictAggregator(Aggregator):
    """Aggregator: Contradiction if any claim is contradicted, Entailment if all are entailed, and else Neutral."""

    def aggregate(self, labels: Sequence[ClaimLabel]) -> ResponseLabel:
        """Return the worst of the claims' labels, or `Abstain` without claims."""
        if not labels:
            return "Abstain"
        worst: tuple[ClaimLabel, ...] = ("Contradiction", "Neutral", "Entailment")
        return next(label for label in worst if label in labels)


@aggregators.register("soft")
class SoftAggregator(Aggregator):
    """Aggregator that returns the fraction of claims with each label."""

    def aggregate(self, labels: Sequence[ClaimLabel]) -> Shares:
        """Return the fraction of claims with each label."""
        return shares(labels)


@aggregators.register("major")
class MajorAggregator(Aggregator):
    """Aggregator that returns the most frequent label; of equally frequent ones, the first in the response."""

    def aggregate(self, labels: Sequence[ClaimLabel]) -> ResponseLabel:
        """Return the most frequent label, or `Abstain` without claims."""
        return Counter(labels).most_common(1)[0][0] if labels else "Abstain"  # equal counts keep their order


class ThresholdSettings(PartSettings, frozen=True, kw_only=True):
    """Settings of the threshold aggregator."""

    contradiction: Share = 0.0
    """Maximum fraction of contradicted claims; a response above it is a Contradiction."""
    unsupported: Share = 0.5
    """Maximum fraction of contradicted or neutral claims; a response above it is Neutral, any other Entailment."""


@aggregators.register("threshold")
class ThresholdAggregator(Aggregator):
    """Aggregator with a threshold for contradicted claims and one for all claims that are not entailed."""

    settings_type: ClassVar[type[PartSettings]] = ThresholdSettings

    def aggregate(self, labels: Sequence[ClaimLabel]) -> ResponseLabel:
        """Return the response's label by the thresholds of the settings, or `Abstain` without claims."""
        if not labels:
            return "Abstain"
        contradicted, entailed = labels.count("Contradiction"), labels.count("Entailment")
        if contradicted / len(labels) > self.settings.contradiction:
            return "Contradiction"
        unsupported = (len(labels) - entailed) / len(labels)  # adding fractions could exceed the threshold by rounding
        return "Neutral" if unsupported > self.settings.unsupported else "Entailment"
