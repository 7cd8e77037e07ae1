"""Graphs with one file or folder of facts per relation."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from pathlib import Path

from factprobe.config import KgConfig
from factprobe.errors import ConfigError, DataError
from factprobe.kgs.base import Graph
from factprobe.kgs.readers import read_lama
from factprobe.records import Relation, Triplet
from factprobe.storage import Problems, jsonl_files


class KnowledgeGraph(Graph):
    """Base class of graphs with one file or folder of facts per relation.

    A subclass lists its relations and the path of each one's facts; the other methods have defaults that suit most
    layouts. Files are read in LAMA's format (`sub_uri`, `sub_label`, `obj_uri`, `obj_label` on each line) unless
    `read_facts` is overridden with another reader of `factprobe.kgs.readers` or a custom one.
    """

    data_dir: Path

    def __init__(
        self, data_dir: Path | None, name: str, problems: Problems | None = None, settings: KgConfig | None = None
    ) -> None:
        """Create the graph; the arguments are those of the base class.

        Raises:
            ConfigError: no folder is given.
            DataError: the folder does not exist.
        """
        if data_dir is None:
            what = f"no data comes with factprobe for the graph {name!r}"
            raise ConfigError(what, where="kg.data_dir", hint="set kg.data_dir= to the folder of its data")
        super().__init__(data_dir, name, problems, settings)
        if not data_dir.is_dir():
            hint = f"name the folder of the graph {name} with kg.data_dir="
            raise DataError("no such data folder", where=data_dir, hint=hint)

    def assert_described(self, path: Path) -> None:
        """Raise if the file, once read, has described no relation.

        Raises:
            DataError: it has described none.
        """
        if not self.sources:
            hint = "describe one a line as the graph's layout has it, or name another folder with kg.data_dir="
            raise DataError("describes no relation", where=path, hint=hint)

    @abstractmethod
    def get_input_relation_file(self, relation: Relation) -> Path:
        """Return the file or folder with the facts of a relation; it need not exist."""

    def read_facts(self, path: Path, relation: Relation) -> Iterator[Triplet]:
        """Yield the facts in a relation's file or folder; broken records go to `problems`.

        Args:
            path: the file or folder.
            relation: as `load_relations` returned it.

        Raises:
            DataError: it cannot be read.
        """
        return read_lama(path, relation, self.problems)

    def facts(self, relation: Relation) -> Iterator[Triplet]:
        """See the base class."""
        return self.read_facts(self.get_input_relation_file(relation), relation)

    def has_facts(self, relation: Relation) -> bool:
        """Return whether the relation's file or folder exists."""
        return self.get_input_relation_file(relation).exists()

    def source_bytes(self, relation: Relation) -> int:
        """Return the size of the relation's files in bytes."""
        return sum(path.stat().st_size for path in self.inputs(relation))

    def inputs(self, relation: Relation) -> list[Path]:
        """Return the relation's file, or every `*.jsonl` in its folder."""
        return jsonl_files(self.get_input_relation_file(relation))
