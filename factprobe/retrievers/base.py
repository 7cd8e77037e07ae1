"""What a retriever is, and the registry of those there are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence

from factprobe.parts.base import Part
from factprobe.records import Claimed
from factprobe.registry import Registry


class Retriever(Part, ABC):
    """Finds passages that texts can be checked against."""

    @abstractmethod
    def retrieve(self, texts: Sequence[Claimed]) -> Iterator[tuple[str, ...]]:
        """The passages for each text, in order, the best first; none where nothing is found.

        Raises:
            ModelError: the service does not answer.
            DataError: the passages cannot be read.
        """


retrievers: Registry[Retriever] = Registry(
    "retrievers",
    "retriever",
    {
        "bm25": "factprobe.retrievers.bm25:Bm25Retriever",
        "graph": "factprobe.retrievers.graph:GraphRetriever",
        "serper": "factprobe.retrievers.serper:SerperRetriever",
    },
)
