"""What a knowledge graph is to factprobe, and the registry of those it knows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from factprobe.config import KgConfig
from factprobe.errors import DataError, UnknownNameError
from factprobe.records import Entity, Relation, RelationType, Triplet
from factprobe.registry import Registry
from factprobe.storage import Problems

if TYPE_CHECKING:
    import networkx

    from factprobe.kgs.terms import FactColumns


class Graph(ABC):
    """Relations and the facts of each, wherever they lie: in memory, in a store, behind an endpoint, in files.

    A graph says what relations there are and gives the facts of each; the other methods have defaults that suit a
    graph without files. One that has a file or folder a relation is a `KnowledgeGraph`, which has to say only where.
    """

    settings_type: ClassVar[type[KgConfig]] = KgConfig
    """What it takes of the settings `kg.*`."""

    def __init__(
        self, data_dir: Path | None, name: str, problems: Problems | None = None, settings: KgConfig | None = None
    ) -> None:
        """Args:
        data_dir: the folder of the graph's data, None where neither the settings nor factprobe have one for it.
        name: what the graph is called; its outputs are filed under it.
        problems: collects the broken places of the data; by default they are skipped with a warning.
        settings: of its `settings_type`; by default with all its defaults.
        """
        self.settings = settings if isinstance(settings, self.settings_type) else self.settings_type(name=name)
        self.data_dir = data_dir
        self.name = name
        self.problems = problems or Problems()
        self.sources: dict[str, str] = {}
        """Where each relation is described, e.g. `file:line`, for messages."""

    @abstractmethod
    def load_relations(self) -> Iterable[Relation]:
        """The relations that the source describes, in its order."""

    @abstractmethod
    def facts(self, relation: Relation) -> Iterator[Triplet]:
        """The facts of a relation as the source has them, duplicates included, in its order.

        What is broken there goes to `problems`.

        Raises:
            DataError: they cannot be read.
        """

    def columns(self, relation: Relation) -> FactColumns | None:  # noqa: ARG002  # the same for all
        """The same facts in columns, where the graph has them so; a relation of many facts is written from these."""
        return None

    def get_relation_name(self, relation: Relation) -> str:
        """The id under which a relation is filed and reported; by default the id that the source gives it."""
        return relation.relation

    def get_relation_type(self, relation: Relation) -> RelationType | None:
        """A relation's type as the source declares it, or None to take it from the facts."""
        return relation.type or None

    def has_facts(self, relation: Relation) -> bool:  # noqa: ARG002  # the same for all
        """Whether there is a source for the facts of a relation; one that is described only is passed over."""
        return True

    def get_input_relation_file(self, relation: Relation) -> Path | None:  # noqa: ARG002  # the same for all
        """The file or folder with the facts of a relation, for an extractor that reads it; None where there is none."""
        return None

    def inputs(self, relation: Relation) -> list[Path]:  # noqa: ARG002  # the same for all
        """The files that the facts of a relation are read from, whose hashes the manifest keeps; often none."""
        return []

    def apart(self, relation: Relation) -> int:  # noqa: ARG002  # the same for all
        """How many bytes the facts of a relation are, where they can be read apart from those of others; else 0."""
        return 0

    def described_at(self, relation: Relation) -> str:
        """Where a relation is described, for messages."""
        return self.sources.get(relation.relation, self.place)

    @property
    def place(self) -> str:
        """Where the graph lies, for messages: the folder of its data, or its name where there is none."""
        return self.name if self.data_dir is None else str(self.data_dir)

    def by_name(self) -> dict[str, Relation]:
        """The relations as they were loaded, by name; a second one of a name is a problem, and the first one stands."""
        found: dict[str, Relation] = {}
        for relation in self.load_relations():
            name = self.get_relation_name(relation)
            if found.setdefault(name, relation) is not relation:
                self.problems.add(f"relation {name!r} is described a second time", self.described_at(relation))
        return found

    def with_facts(self, relations: Iterable[Relation] | None = None) -> list[Relation]:
        """Those of some relations, by default of all, that have facts.

        Raises:
            DataError: none has.
        """
        found = list(filter(self.has_facts, self.by_name().values() if relations is None else relations))
        if not found:
            raise DataError("no relation has data", where=self.place, hint="name the folder with kg.data_dir=")
        return found

    def triplets(self, relation: str | Relation) -> Iterator[Triplet]:
        """The facts of a relation that is given by its name or as it was loaded.

        Raises:
            UnknownNameError: the graph has no such relation.
            DataError: its facts cannot be read.
        """
        if isinstance(relation, str):
            known = self.by_name()
            if relation not in known:
                raise UnknownNameError(f"relation of {self.name}", relation, known)
            relation = known[relation]
        return self.facts(relation)

    def iri(self, relation: Relation) -> str:
        """The IRI of a relation where the source has one, else its id."""
        return relation.relation

    def unlabelled(self, uris: Collection[str]) -> set[str]:  # noqa: ARG002  # nothing is made up here
        """Those of some entities that have no name in the source, whatever they are called here."""
        return set()

    def to_networkx(self, relations: Iterable[Relation] | None = None) -> networkx.MultiDiGraph[str]:
        """The graph, or some of its relations, with URIs as nodes and relation ids as edge keys.

        Nodes have the attribute `label`, and `aliases` and `types` where there are any; edges `relation` and `label`.
        """
        import networkx

        graph: networkx.MultiDiGraph[str] = networkx.MultiDiGraph(name=self.name)
        for relation in filter(self.has_facts, self.load_relations() if relations is None else relations):
            name = self.get_relation_name(relation)
            for fact in self.facts(relation):
                for entity in (fact.subject, fact.object):
                    graph.add_node(entity.uri, **_attributes(entity, graph.nodes.get(entity.uri, {})))
                graph.add_edge(fact.subject_uri, fact.object_uri, key=name, relation=name, label=relation.label)
        return graph


def _attributes(entity: Entity, known: Mapping[str, Any]) -> dict[str, Any]:
    """Those of a node, with what other facts have said of it."""
    label, *aliases = dict.fromkeys((known.get("label") or entity.label, *known.get("aliases", ()), *entity.names()))
    types = dict.fromkeys((*known.get("types", ()), *entity.types))
    several = {"aliases": tuple(filter(None, aliases)), "types": tuple(types)}
    return {"label": label, **{name: names for name, names in several.items() if names}}


kgs: Registry[Graph] = Registry(
    "kgs",
    "kg",
    {
        "trex": "factprobe.kgs.lama:TREx",
        "google_re": "factprobe.kgs.lama:GoogleRE",
        "umls": "factprobe.kgs.biolama:UMLS",
        "wiki_bio": "factprobe.kgs.biolama:WikiBio",
        "ctd": "factprobe.kgs.biolama:CTD",
        "bear": "factprobe.kgs.bear:Bear",
        "csv": "factprobe.kgs.tables:Tables",
        "rdf": "factprobe.kgs.rdf:Rdf",
        "sparql": "factprobe.kgs.sparql:Sparql",
        "wikidata": "factprobe.kgs.sparql:Wikidata",
        "umls_rrf": "factprobe.kgs.rrf:Metathesaurus",
    },
)
