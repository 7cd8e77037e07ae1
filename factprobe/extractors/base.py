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

_DIGEST_BYTES = 8
_MAX_PENDING_BYTES = 1 << 20
"""Number of bytes of digests that are collected before duplicates are removed."""


class ExtractedRelation(Struct, frozen=True):
    """Relation that was extracted, with counts of its facts and entities."""

    relation: Relation
    """Relation with its name and type in the graph; a type that the graph does not declare comes from the facts."""
    facts_read: int
    """Number of facts in the source, with duplicates."""
    triplets: int
    """Number of triplets that were written, without duplicates."""
    subjects: bytes
    """Distinct subjects of the written triplets, as `digests` of their URIs."""
    objects: bytes
    """Distinct objects of the written triplets, as `digests` of their URIs."""

    @property
    def sides(self) -> tuple[int, int]:
        """Number of subjects and number of objects."""
        return len(self.subjects) // _DIGEST_BYTES, len(self.objects) // _DIGEST_BYTES


def digests(uris: Iterable[str]) -> bytes:
    """Return the sorted digests of the distinct URIs, joined: the last eight bytes of the MD5 of each, as in DuckDB.

    Among a hundred million entities, there is a collision with a probability of 1 in 4,000.
    """
    unique = {
        md5(uri.encode(errors="surrogatepass"), usedforsecurity=False).digest()[-_DIGEST_BYTES:] for uri in {*uris}
    }
    return array("Q", sorted(int.from_bytes(digest, "little") for digest in unique)).tobytes()


class EntityCounter:
    """Counter of the distinct entities of several relations."""

    def __init__(self) -> None:
        self._distinct = b""
        self._pending = bytearray()

    def add(self, extracted: ExtractedRelation) -> None:
        """Add the entities of a relation."""
        self._pending += extracted.subjects + extracted.objects
        if len(self._pending) > max(len(self._distinct), _MAX_PENDING_BYTES):
            self._merge_pending()

    def __len__(self) -> int:
        if not self._distinct:  # for small sets, loading numpy takes longer
            return len({*array("Q", self._pending)})
        self._merge_pending()
        return len(self._distinct) // _DIGEST_BYTES

    def _merge_pending(self) -> None:
        import numpy as np

        all_digests = np.sort(np.frombuffer(self._distinct + self._pending, np.uint64))
        self._distinct = all_digests[np.flatnonzero(np.diff(all_digests, prepend=~all_digests[:1]))].tobytes()
        self._pending = bytearray()


class Extractor(ABC):
    """Base class of extractors, which write triplets and a summary from the facts of a relation.

    Args:
        kg: The graph to read from.
        limit: The maximum number of triplets to write for a relation. The summary has all facts nevertheless, since
            answers that no question asks for are right as well.
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
            relation_input_file: The file or folder with the facts of the relation; None for a graph without files.
            output: The layout of the output.

        Raises:
            DataError: The source cannot be read, or one of its lines is broken and `strict=true`.
        """


extractors: Registry[Extractor] = Registry("extractors", "extractor")
