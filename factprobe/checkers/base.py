"""Base class and registry of checkers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from factprobe.components.base import Component
from factprobe.records import ClaimedText, ClaimVerdict
from factprobe.registry import Registry


class Checker(Component, ABC):
    """Base class of checkers: label each claim as entailed, contradicted or neutral."""

    wants_references: ClassVar[bool] = True
    """True if the checker needs references: texts without any are then not checked."""
    left_out: Mapping[str, int] = {}
    """Number of claims without a verdict in the last check, by checker; only `majority` fills it, for its voters."""

    @property
    def reads_references(self) -> bool:
        """True if the checker uses the references of a text that has some."""
        return self.wants_references

    @abstractmethod
    def check(self, texts: Sequence[ClaimedText]) -> Iterator[tuple[ClaimVerdict, ...]]:
        """Yield the verdicts on each text's claims: one tuple per text, one verdict per claim, in order.

        Raises:
            NoAnswersError: A model is called, and no call succeeds.
            CostLimitError: The next call could exceed `max_cost_usd`.
            ModelError: A model cannot be loaded, or does not answer.
            ConfigError: The settings do not fit the graph or the model.
        """


checkers: Registry[Checker] = Registry("checkers", "checker")
