"""What an extractor is, and the registry of those there are."""

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
"""Bytes of digests that are gathered before those that are there several times are left out."""


class Extracted(Struct, frozen=True):
    """What came out of one relation."""

    relation: Relation
    """As its graph describes it, with its name and type settled."""
    facts_read: int
    """Facts in the source, duplicates included."""
    triplets: int
    """Distinct facts written."""
    subjects: bytes
    """The subjects of the written triplets, each once, as `digests` of their URIs."""
    objects: bytes
    """Their objects."""

    @property
    def sides(self) -> tuple[int, int]:
        """How many subjects and how many objects."""
        return len(self.subjects) // _SIZE, len(self.objects) // _SIZE


def digests(uris: Iterable[str]) -> bytes:
    """What tells URIs apart in eight bytes each, in rising order: the last of their MD5, as DuckDB has it.

    Of a hundred million entities two are taken for one with a chance of 1 to 4,000.
    """
    found = {md5(uri.encode(errors="surrogatepass"), usedforsecurity=False).digest()[-_SIZE:] for uri in uris}
    return array("Q", sorted(int.from_bytes(digest, "little") for digest in found)).tobytes()


class Entities:
    """How many different entities several relations have."""

    def __init__(self) -> None:
        self._once = b""
        self._more = bytearray()

    def add(self, extracted: Extracted) -> None:
        """Adds those of a relation."""
        self._more += extracted.subjects + extracted.objects
        if len(self._more) > max(len(self._once), _PENDING):
            self._settle()

    def __len__(self) -> int:
        if not self._once:  # they are few, and numpy takes longer to load
            return len({*array("Q", self._more)})
        self._settle()
        return len(self._once) // _SIZE

    def _settle(self) -> None:
        import numpy as np

        every = np.sort(np.frombuffer(self._once + self._more, np.uint64))
        self._once = every[np.flatnonzero(np.diff(every, prepend=~every[:1]))].tobytes()
        self._more = bytearray()


class Extractor(ABC):
    """Turns the facts of a relation into its triplets and its summary.

    Args:
        kg: the graph to read from.
        limit: write the first so many triplets of a relation only; the summary is whole all the same, for a fact that
            is left out of the exam is still true.
    """

    def __init__(self, kg: Graph, limit: int | None = None) -> None:
        self.kg = kg
        self.limit = limit

    @abstractmethod
    def extract_relation(self, relation: Relation, relation_input_file: Path | None, output: Layout) -> Extracted:
        """Writes the triplets and the summary of one relation.

        Args:
            relation: as the graph describes it.
            relation_input_file: the file or folder with its facts, None for those of a graph that has no files.
            output: where the files go.

        Raises:
            DataError: the source cannot be read, or with strict=true a line of it is broken.
        """

    @abstractmethod
    def get_input_question_files(self, data_dir: Layout, relation: str) -> tuple[Path, Path]:
        """The triplet file and the summary file that a generator needs."""


extractors: Registry[Extractor] = Registry(
    "extractors", "extractor", {"triplets": "factprobe.extractors.triplets:TripletExtractor"}
)
