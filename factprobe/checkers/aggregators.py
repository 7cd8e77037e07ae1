"""From the verdicts on a response's claims to one for the response, as RefChecker defines them (Hu et al. 2024,
arXiv:2405.14486, section 3.3)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from factprobe.parts.base import PartSettings
from factprobe.records import RESPONSE_LABELS, ClaimLabel, ResponseLabel
from factprobe.registry import Registry

Shares = dict[ResponseLabel, float]
"""The share of each label, in [0, 1]; they add up to 1."""
Aggregate = ResponseLabel | Shares

Share = Annotated[float, Meta(ge=0, le=1)]


class Aggregator(ABC):
    """Sums up the labels of a response's claims.

    Args:
        settings: of the class's `settings_type`.
    """

    settings_type: ClassVar[type[PartSettings]] = PartSettings

    def __init__(self, settings: Any) -> None:
        self.settings = settings

    @abstractmethod
    def aggregate(self, labels: Sequence[ClaimLabel]) -> Aggregate:
        """What the labels say of the response; `Abstain` where there are none."""


aggregators: Registry[Aggregator] = Registry("aggregators", "aggregator")


def shares(labels: Sequence[ClaimLabel]) -> Shares:
    """The share of each label among a response's claims; of no claims `Abstain` has it all."""
    counts: Counter[ResponseLabel] = Counter(labels or ("Abstain",))
    return {label: counts[label] / counts.total() for label in RESPONSE_LABELS}


@aggregators.register("strict")
class Strict(Aggregator):
    """Entailment only where all claims are entailed, Contradiction where any is contradicted, else Neutral."""

    def aggregate(self, labels: Sequence[ClaimLabel]) -> ResponseLabel:
        """See the base class."""
        if not labels:
            return "Abstain"
        worst: tuple[ClaimLabel, ...] = ("Contradiction", "Neutral", "Entailment")
        return next(label for label in worst if label in labels)


@aggregators.register("soft")
class Soft(Aggregator):
    """The share of each label, and of Abstain."""

    def aggregate(self, labels: Sequence[ClaimLabel]) -> Shares:
        """See the base class."""
        return shares(labels)


@aggregators.register("major")
class Major(Aggregator):
    """The most frequent label; of several that are as frequent the one that is met first."""

    def aggregate(self, labels: Sequence[ClaimLabel]) -> ResponseLabel:
        """See the base class."""
        return Counter(labels).most_common(1)[0][0] if labels else "Abstain"  # equal counts stay in the order met


class ThresholdSettings(PartSettings, frozen=True, kw_only=True):
    """The settings of the aggregator by thresholds."""

    contradiction: Share = 0.0
    """A response with a larger share of contradicted claims is a Contradiction."""
    unsupported: Share = 0.5
    """One with a larger share of claims that are contradicted or neutral is Neutral; any other is Entailment."""


@aggregators.register("threshold")
class Threshold(Aggregator):
    """By the share of contradicted claims, and of those that are not entailed."""

    settings_type: ClassVar[type[PartSettings]] = ThresholdSettings

    def aggregate(self, labels: Sequence[ClaimLabel]) -> ResponseLabel:
        """See the base class."""
        if not labels:
            return "Abstain"
        contradicted, entailed = labels.count("Contradiction"), labels.count("Entailment")
        if contradicted / len(labels) > self.settings.contradiction:
            return "Contradiction"
        unsupported = (len(labels) - entailed) / len(labels)  # a sum of shares may be a little more
        return "Neutral" if unsupported > self.settings.unsupported else "Entailment"
