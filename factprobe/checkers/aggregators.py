"""From the verdicts on a response's claims to one for the response, as RefChecker defines them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from factprobe.claims.base import PartSettings
from factprobe.records import ClaimLabel
from factprobe.registry import Registry

Aggregate = str | dict[str, float]
"""A label, or the share of each."""


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


aggregators: Registry[Aggregator] = Registry("aggregators", "aggregator", {})
