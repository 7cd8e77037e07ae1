"""Base class of retrievers, and their registry."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence

from factprobe.components.base import Component
from factprobe.records import ClaimedText
from factprobe.registry import Registry


class Retriever(Component, ABC):
    """Base class of retrievers, which find passages against which texts are checked."""

    @abstractmethod
    def retrieve(self, texts: Sequence[ClaimedText]) -> Iterator[tuple[str, ...]]:
        """Yield a tuple of passages for each text, the best first; it is empty if there are none.

        Raises:
            ModelError: The service does not answer.
            DataError: The passages cannot be read.
        """


retrievers: Registry[Retriever] = Registry("retrievers", "retriever")
