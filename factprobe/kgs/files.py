"""Graphs whose facts lie in files, one file or folder a relation."""

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
    """A graph whose facts lie in files, one file or folder a relation.

    A graph of one's own says what relations there are and where the facts of each lie; the other methods have
    defaults that suit most. The files are read as LAMA's (`sub_uri`, `sub_label`, `obj_uri`, `obj_label` a line)
    unless the class overrides `read_facts` with another reader of `factprobe.kgs.readers`, or one of its own.
    """

    data_dir: Path

    def __init__(
        self, data_dir: Path | None, name: str, problems: Problems | None = None, settings: KgConfig | None = None
    ) -> None:
        """Args as in the base class.

        Raises:
            ConfigError: no folder is given.
            DataError: there is no such folder.
        """
        if data_dir is None:
            what = f"no data comes with factprobe for the graph {name!r}"
            raise ConfigError(what, where="kg.data_dir", hint="set kg.data_dir= to the folder of its data")
        super().__init__(data_dir, name, problems, settings)
        if not data_dir.is_dir():
            hint = f"name the folder of the graph {name} with kg.data_dir="
            raise DataError("no such data folder", where=data_dir, hint=hint)

    def assert_described(self, path: Path) -> None:
        """Sees to it that a file has described a relation, once it is read.

        Raises:
            DataError: it has not.
        """
        if not self.sources:
            hint = "describe one a line as the graph's layout has it, or name another folder with kg.data_dir="
            raise DataError("describes no relation", where=path, hint=hint)

    @abstractmethod
    def get_input_relation_file(self, relation: Relation) -> Path:
        """The file or folder with the facts of a relation; it need not exist."""

    def read_facts(self, path: Path, relation: Relation) -> Iterator[Triplet]:
        """The facts in a relation's file or folder; what is broken there goes to `problems`.

        Args:
            path: the file or folder.
            relation: as `load_relations` gave it.

        Raises:
            DataError: it cannot be read.
        """
        return read_lama(path, relation, self.problems)

    def facts(self, relation: Relation) -> Iterator[Triplet]:
        """See the base class."""
        return self.read_facts(self.get_input_relation_file(relation), relation)

    def has_facts(self, relation: Relation) -> bool:
        """Whether the relation's file or folder exists."""
        return self.get_input_relation_file(relation).exists()

    def apart(self, relation: Relation) -> int:
        """The size of the relation's files."""
        return sum(path.stat().st_size for path in self.inputs(relation))

    def inputs(self, relation: Relation) -> list[Path]:
        """The relation's file, or every `*.jsonl` of its folder."""
        return jsonl_files(self.get_input_relation_file(relation))
