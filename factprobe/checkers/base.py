"""What a checker is, and the registry of those there are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from factprobe.parts.base import Part
from factprobe.records import ClaimedText, ClaimVerdict
from factprobe.registry import Registry


class Checker(Part, ABC):
    """Says of each claim whether its references entail it, contradict it, or neither."""

    wants_references: ClassVar[bool] = True
    """Whether it goes by the items' references; one that knows the facts itself does not."""
    left_out: Mapping[str, int] = {}
    """Of one that is made of others: on how many claims of the last check each had no verdict, by its name."""

    @abstractmethod
    def check(self, texts: Sequence[ClaimedText]) -> Iterator[tuple[ClaimVerdict, ...]]:
        """The verdicts on each text's claims, in order, as many as it has claims.

        Raises:
            NoAnswersError: a model is asked, and no call succeeds.
            CostLimitError: its next call could pass `max_cost_usd`.
        """


checkers: Registry[Checker] = Registry(
    "checkers",
    "checker",
    {
        "graph": "factprobe.checkers.graph:GraphChecker",
        "llm": "factprobe.checkers.llm:LlmChecker",
        "majority": "factprobe.checkers.majority:MajorityChecker",
        "nli": "factprobe.checkers.nli:NliChecker",
    },
)
