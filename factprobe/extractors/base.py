"""What an extractor is, and the registry of those there are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path

from msgspec import Struct

from factprobe.kgs import Graph
from factprobe.records import Relation
from factprobe.registry import Registry
from factprobe.storage import Layout


class Extracted(Struct, frozen=True):
    """What came out of one relation."""

    relation: Relation
    """As its graph describes it, with its name and type settled."""
    facts_read: int
    """Facts in the source, duplicates included."""
    triplets: int
    """Distinct facts written."""
    subjects: frozenset[str]
    """URIs of the subjects of the written triplets."""
    objects: frozenset[str]
    """URIs of their objects."""


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
