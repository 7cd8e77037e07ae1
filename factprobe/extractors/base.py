"""Base class of extractors, and their registry."""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterable
from hashlib import md5
from pathlib import Path

from msgspec import Struct

from factprobe.kgs import Graph
from factprobe.records import Relation
from factprobe.registry import Registry
from factprobe.storage import Layout

_SIZE = 8
_PENDING = 1 << 20
"""Bytes of digests that are collected before duplicates are removed."""


class ExtractedRelation(Struct, frozen=True):
    """Counts of one extracted relation."""

    relation: Relation
    """Relation with the name and type that its graph gives it, or with the type that the facts show."""
    facts_read: int
    """Number of facts in the source, with duplicates."""
    triplets: int
    """Number of distinct facts written."""
    subjects: bytes
    """Distinct subjects of the written triplets, as `digests` of their URIs."""
    objects: bytes
    """Distinct objects of the written triplets, as `digests` of their URIs."""

    @property
    def sides(self) -> tuple[int, int]:
        """Numbers of subjects and objects."""
        return len(self.subjects) // _SIZE, len(self.objects) // _SIZE


def digests(uris: Iterable[str]) -> bytes:
    """Return sorted eight-byte digests of the distinct URIs: the last bytes of their MD5, as in DuckDB.

    Among a hundred million entities, two collide with a probability of 1 in 4,000.
    """
    found = {md5(uri.encode(errors="surrogatepass"), usedforsecurity=False).digest()[-_SIZE:] for uri in {*uris}}
    return array("Q", sorted(int.from_bytes(digest, "little") for digest in found)).tobytes()


class EntityCounter:
    """Counter of the distinct entities of several relations."""

    def __init__(self) -> None:
        self._distinct = b""
        self._pending = bytearray()

    def add(self, extracted: ExtractedRelation) -> None:
        """Add the entities of a relation."""
        self._pending += extracted.subjects + extracted.objects
        if len(self._pending) > max(len(self._distinct), _PENDING):
            self._merge_pending()

    def __len__(self) -> int:
        if not self._distinct:  # for small sets, loading numpy takes longer
            return len({*array("Q", self._pending)})
        self._merge_pending()
        return len(self._distinct) // _SIZE

    def _merge_pending(self) -> None:
        import numpy as np

        every = np.sort(np.frombuffer(self._distinct + self._pending, np.uint64))
        self._distinct = every[np.flatnonzero(np.diff(every, prepend=~every[:1]))].tobytes()
        self._pending = bytearray()


class Extractor(ABC):
    """Base class of extractors, which turn the facts of a relation into triplets and a summary.

    Args:
        kg: The graph to read from.
        limit: The maximum number of triplets written for a relation; the summary still has all facts, since facts that
            are not asked about are true as well.
    """

    def __init__(self, kg: Graph, limit: int | None = None) -> None:
        self.kg = kg
        self.limit = limit

    @abstractmethod
    def extract_relation(
        self, relation: Relation, relation_input_file: Path | None, output: Layout
    ) -> ExtractedRelation:
        """Write the triplets and the summary of one relation.

        Args:
            relation: The relation as its graph describes it.
            relation_input_file: The file or folder with its facts; None for a graph without files.
            output: The layout of the output.

        Raises:
            DataError: The source cannot be read, or one of its lines is broken and `strict=true`.
        """


extractors: Registry[Extractor] = Registry(
    "extractors", "extractor", {"triplets": "factprobe.extractors.triplets:TripletExtractor"}
)
