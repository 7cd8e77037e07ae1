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

    A subclass implements `load_relations` and `get_input_relation_file`; the other methods have defaults that suit most
    layouts. Files are read in LAMA's format (`sub_uri`, `sub_label`, `obj_uri`, `obj_label` on each line) unless
    `read_facts` is overridden with another reader of `factprobe.kgs.readers` or a custom one.
    """

    data_dir: Path

    def __init__(
        self, data_dir: Path | None, name: str, problems: Problems | None = None, settings: KgConfig | None = None
    ) -> None:
        """Create the graph; see `Graph` for the arguments.

        Raises:
            ConfigError: The data folder is not set.
            DataError: The data folder does not exist.
        """
        if data_dir is None:
            what = f"no data comes with factprobe for the graph {name!r}"
            hint = "set kg.data_dir= to the folder of its data"
            if settings is not None and settings.archive.url:
                hint = f"run step=fetch kg={settings.adapter or name} to download it, or {hint}"
            raise ConfigError(what, where="kg.data_dir", hint=hint)
        super().__init__(data_dir, name, problems, settings)
        if not data_dir.is_dir():
            hint = f"name the folder of the graph {name} with kg.data_dir="
            raise DataError("no such data folder", where=data_dir, hint=hint)

    def find_description(self, name: str, layout: str, *folders: Path) -> Path:
        """Return the file that describes the relations, in the first folder that has it; none is a `DataError`."""
        paths = (folder / name for folder in (self.data_dir, *folders))
        path = next((path for path in paths if path.exists()), None)
        if path is None:
            raise DataError(f"has no {name}", where=self.data_dir, hint=f"set kg.data_dir= to {layout}")
        return path

    def assert_described(self, path: Path) -> None:
        """Raise a `DataError` if no relation was read from the file."""
        if not self.sources:
            hint = "add one relation per line in the graph's layout, or set kg.data_dir= to another folder"
            raise DataError("describes no relation", where=path, hint=hint)

    @abstractmethod
    def get_input_relation_file(self, relation: Relation) -> Path:
        """Return the file or folder with the facts of a relation; it need not exist."""

    def read_facts(self, path: Path, relation: Relation) -> Iterator[Triplet]:
        """Yield the facts in a relation's file or folder; broken records go to `problems`.

        Raises:
            DataError: The file or folder cannot be read.
        """
        return read_lama(path, relation, self.problems)

    def facts(self, relation: Relation) -> Iterator[Triplet]:
        """Yield the facts in the relation's file or folder."""
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
