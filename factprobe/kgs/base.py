"""Base classes of knowledge graphs, and their registry."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from factprobe.config import KgConfig
from factprobe.errors import ConfigError, DataError, UnknownNameError
from factprobe.kgs.readers import BearLine, LamaLine, read_facts
from factprobe.records import Entity, Relation, RelationType, Triplet
from factprobe.registry import Registry
from factprobe.storage import Problems, jsonl_files

if TYPE_CHECKING:
    import networkx

    from factprobe.kgs.on_disk.fact_columns import FactColumns


class Graph(ABC):
    """Base class of graphs, whose facts may be in memory, in a store, behind an endpoint or in files.

    A subclass lists its relations and yields the facts of each; the other methods have defaults for graphs without
    files. For a graph with one file or folder for each relation, derive from `KnowledgeGraph` and return its path.
    """

    settings_type: ClassVar[type[KgConfig]] = KgConfig
    """Type of the settings `kg.*` that the graph accepts."""

    def __init__(
        self, data_dir: Path | None, name: str, problems: Problems | None = None, settings: KgConfig | None = None
    ) -> None:
        """Create the graph.

        Args:
            data_dir: Folder of the graph's data; None if neither the settings nor factprobe name one.
            name: Name of the graph, and of the folder of its outputs.
            problems: Collector of broken records; by default each is skipped with a warning.
            settings: Instance of `settings_type`; by default one with default values.
        """
        self.settings = settings if isinstance(settings, self.settings_type) else self.settings_type(name=name)
        self.data_dir = data_dir
        self.name = name
        self.problems = problems or Problems()
        self.sources: dict[str, str] = {}
        """Place that describes each relation, such as `file:line`, by relation id, for messages."""

    @abstractmethod
    def load_relations(self) -> Iterable[Relation]:
        """Return the relations that the source describes, in its order.

        Raises:
            DataError: The source is missing, or describes no relation.
            UnknownNameError: The settings name a relation that the source lacks.
        """

    @abstractmethod
    def facts(self, relation: Relation) -> Iterator[Triplet]:
        """Yield the facts of a relation in the order of the source, with duplicates.

        Broken records are reported to `problems`.

        Raises:
            DataError: The facts cannot be read.
        """

    def further_facts(self, relation: Relation) -> Iterator[Triplet]:  # noqa: ARG002  # for overrides
        """Yield facts of another relation that lead from an object to further right objects, as superclasses do.

        Facts of a transitive relation lead further themselves.
        """
        return iter(())

    def columns(self, relation: Relation) -> FactColumns | None:  # noqa: ARG002  # for overrides
        """Return the facts of a relation as columns, which are faster for large relations; None if there are none."""
        return None

    def get_relation_name(self, relation: Relation) -> str:
        """Return the id of a relation in file names and reports; by default its id in the source."""
        return relation.relation

    def get_relation_type(self, relation: Relation) -> RelationType | None:
        """Return the type of a relation, if the source declares it; None to derive it from the facts."""
        return relation.type or None

    def has_facts(self, relation: Relation) -> bool:  # noqa: ARG002  # for overrides
        """Return whether the relation has a source of facts; a relation without one is skipped."""
        return True

    def get_input_relation_file(self, relation: Relation) -> Path | None:  # noqa: ARG002  # for overrides
        """Return the file or folder with the facts of a relation; None if it has none of its own."""
        return None

    def inputs(self, relation: Relation) -> list[Path]:  # noqa: ARG002  # for overrides
        """Return the files with the facts of a relation, whose hashes the manifest records."""
        return []

    def source_bytes(self, relation: Relation) -> int:  # noqa: ARG002  # for overrides
        """Return the size in bytes of the files of a relation; 0 if relations share files."""
        return 0

    def where_described(self, relation: Relation) -> str:
        """Return the place that describes a relation, for messages."""
        return self.sources.get(relation.relation, self.place)

    @property
    def place(self) -> str:
        """Location of the graph for messages: its data folder, or its name."""
        return self.name if self.data_dir is None else str(self.data_dir)

    def by_name(self) -> dict[str, Relation]:
        """Return the relations by name; of several with the same name, the first, and a problem is reported."""
        relations: dict[str, Relation] = {}
        for relation in self.load_relations():
            name = self.get_relation_name(relation)
            if relations.setdefault(name, relation) is not relation:
                self.problems.add(f"relation {name!r} is described a second time", self.where_described(relation))
        return relations

    def with_facts(self, relations: Iterable[Relation] | None = None) -> list[Relation]:
        """Return the relations in `relations`, by default all, that have facts; raise a `DataError` if none has."""
        usable = list(filter(self.has_facts, self.by_name().values() if relations is None else relations))
        if not usable:
            raise DataError("no relation has data", where=self.place, hint="name the folder with kg.data_dir=")
        return usable

    def no_facts_of(self, relation: Relation) -> DataError:
        """Return the error for a relation without facts."""
        what = f"has no facts of {relation.relation!r}"
        return DataError(what, where=self.place, hint="correct the relation's id")

    def triplets(self, relation: str | Relation) -> Iterator[Triplet]:
        """Yield the facts of a relation, given by name or as a record of `load_relations`.

        Raises:
            UnknownNameError: The graph has no such relation.
            DataError: The facts cannot be read.
        """
        if isinstance(relation, str):
            relations = self.by_name()
            if relation not in relations:
                raise UnknownNameError(f"relation of {self.name}", relation, relations)
            relation = relations[relation]
        return self.facts(relation)

    def iri(self, relation: Relation) -> str:
        """Return the IRI of a relation; its id if the source has none."""
        return relation.relation

    def unlabelled(self, uris: Collection[str]) -> set[str]:  # noqa: ARG002  # for overrides
        """Return the URIs in `uris` whose entities have no name in the source."""
        return set()

    def to_networkx(self, relations: Iterable[Relation] | None = None) -> networkx.MultiDiGraph[str]:
        """Return the graph, or some of its relations, with URIs as nodes and relation ids as edge keys.

        Nodes have the attribute `label`, and `aliases` and `types` if there are any; edges have `relation` and `label`.
        """
        import networkx

        graph: networkx.MultiDiGraph[str] = networkx.MultiDiGraph(name=self.name)
        for relation in filter(self.has_facts, self.load_relations() if relations is None else relations):
            name = self.get_relation_name(relation)
            for fact in self.facts(relation):
                for entity in (fact.subject, fact.object):
                    graph.add_node(entity.uri, **_merge_attributes(entity, graph.nodes.get(entity.uri, {})))
                graph.add_edge(fact.subject_uri, fact.object_uri, key=name, relation=name, label=relation.label)
        return graph


def _merge_attributes(entity: Entity, known: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attributes of a node for an entity, merged with its attributes from earlier facts."""
    label, *aliases = dict.fromkeys((known.get("label") or entity.label, *known.get("aliases", ()), *entity.names()))
    types = dict.fromkeys((*known.get("types", ()), *entity.types))
    several = {"aliases": tuple(filter(None, aliases)), "types": tuple(types)}
    return {"label": label, **{name: names for name, names in several.items() if names}}


class KnowledgeGraph(Graph):
    """Base class of graphs with one file or folder of facts for each relation.

    A subclass implements `load_relations` and `get_input_relation_file`; the other methods have defaults that suit most
    layouts. Files are read in the format of LAMA (JSON Lines with `sub_uri`, `sub_label`, `obj_uri`, `obj_label`),
    unless `read_facts` is overridden with another reader.
    """

    line_type: ClassVar[type[LamaLine | BearLine]] = LamaLine
    """Layout of the lines that `read_facts` reads."""
    data_dir: Path

    def __init__(
        self, data_dir: Path | None, name: str, problems: Problems | None = None, settings: KgConfig | None = None
    ) -> None:
        """Create the graph, with the arguments of `Graph`.

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
        """Return the file `name` that describes the relations, from the data folder or the first of `folders` with it.

        `layout` describes the data folder that the hint of the error asks for.

        Raises:
            DataError: No folder has the file.
        """
        paths = (folder / name for folder in (self.data_dir, *folders))
        path = next((path for path in paths if path.exists()), None)
        if path is None:
            raise DataError(f"has no {name}", where=self.data_dir, hint=f"set kg.data_dir= to {layout}")
        return path

    def check_described(self, path: Path) -> None:
        """Raise a `DataError` if no relation was read from the file."""
        if not self.sources:
            hint = "add one relation per line in the graph's layout, or set kg.data_dir= to another folder"
            raise DataError("describes no relation", where=path, hint=hint)

    @abstractmethod
    def get_input_relation_file(self, relation: Relation) -> Path:
        """Return the file or folder with the facts of a relation; it need not exist."""

    def read_facts(self, path: Path, relation: Relation) -> Iterator[Triplet]:
        """Yield the facts in a relation's file or folder, and report broken records to `problems`.

        Raises:
            DataError: The file or folder cannot be read.
        """
        return read_facts(path, self.line_type, relation, self.problems)

    def facts(self, relation: Relation) -> Iterator[Triplet]:
        """Yield the facts in the relation's file or folder."""
        return self.read_facts(self.get_input_relation_file(relation), relation)

    def has_facts(self, relation: Relation) -> bool:
        """Return whether the file or folder of a relation exists."""
        return self.get_input_relation_file(relation).exists()

    def source_bytes(self, relation: Relation) -> int:
        """Return the size of the files of a relation in bytes."""
        return sum(path.stat().st_size for path in self.inputs(relation))

    def inputs(self, relation: Relation) -> list[Path]:
        """Return the file of a relation, or all `*.jsonl` files in its folder."""
        return jsonl_files(self.get_input_relation_file(relation))


kgs: Registry[Graph] = Registry("kgs", "kg")
