"""What a knowledge graph is to factprobe, and the registry of those it knows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from factprobe.errors import DataError, UnknownNameError
from factprobe.kgs.readers import read_lama
from factprobe.records import Relation, RelationType, Triplet
from factprobe.registry import Registry
from factprobe.storage import Problems

if TYPE_CHECKING:
    import networkx


class KnowledgeGraph(ABC):
    """A graph whose facts lie in files, one file or folder a relation.

    A graph of one's own says what relations there are and where the facts of each lie; the other two methods have
    defaults that suit most. The files are read as LAMA's (`sub_uri`, `sub_label`, `obj_uri`, `obj_label` a line)
    unless the class overrides `read_facts` with another reader of `factprobe.kgs.readers`, or one of its own.
    """

    def __init__(self, data_dir: Path, name: str, problems: Problems | None = None) -> None:
        """Args:
        data_dir: the folder of the graph's data.
        name: what the graph is called; its outputs are filed under it.
        problems: collects the broken places of the data; by default they are skipped with a warning.

        Raises:
            DataError: there is no such folder.
        """
        self.data_dir = data_dir
        self.name = name
        self.problems = problems or Problems()
        self.sources: dict[str, str] = {}
        """Where each relation is described, `file:line`, for messages."""
        if not data_dir.is_dir():
            mend = f"name the folder of the graph {name} with kg.data_dir="
            raise DataError("no such data folder", where=data_dir, mend=mend)

    @abstractmethod
    def load_relations(self) -> Iterable[Relation]:
        """The relations that the source describes, in its order."""

    @abstractmethod
    def get_input_relation_file(self, relation: Relation) -> Path:
        """The file or folder with the facts of a relation; it need not exist."""

    def get_relation_name(self, relation: Relation) -> str:
        """The id under which a relation is filed and reported; by default the id that the source gives it."""
        return relation.relation

    def get_relation_type(self, relation: Relation) -> RelationType | None:
        """A relation's type as the source declares it, or None to take it from the facts."""
        return relation.type or None

    def read_facts(self, path: Path, relation: Relation) -> Iterator[Triplet]:
        """The facts in a relation's file or folder; what is broken there goes to `problems`.

        Raises:
            DataError: it cannot be read.
        """
        return read_lama(path, relation, self.problems)

    def triplets(self, relation: str | Relation) -> Iterator[Triplet]:
        """The facts of a relation as the source has them, duplicates included, in its order.

        Raises:
            UnknownNameError: the graph has no such relation.
            DataError: its file cannot be read.
        """
        if isinstance(relation, str):
            known = {self.get_relation_name(found): found for found in self.load_relations()}
            if relation not in known:
                raise UnknownNameError(f"relation of {self.name}", relation, known)
            relation = known[relation]
        return self.read_facts(self.get_input_relation_file(relation), relation)

    def to_networkx(self) -> networkx.MultiDiGraph[str]:
        """The whole graph with URIs as nodes (attribute `label`) and relation ids as edge keys."""
        import networkx

        graph: networkx.MultiDiGraph[str] = networkx.MultiDiGraph(name=self.name)
        for relation in self.load_relations():
            if not self.get_input_relation_file(relation).exists():
                continue
            for fact in self.triplets(relation):
                for entity in (fact.subject, fact.object):
                    if entity.label or entity.uri not in graph:
                        graph.add_node(entity.uri, label=entity.label)
                graph.add_edge(fact.subject_uri, fact.object_uri, key=self.get_relation_name(relation))
        return graph


kgs: Registry[KnowledgeGraph] = Registry(
    "kgs",
    "kg",
    {
        "trex": "factprobe.kgs.lama:TREx",
        "google_re": "factprobe.kgs.lama:GoogleRE",
        "umls": "factprobe.kgs.biolama:UMLS",
        "wiki_bio": "factprobe.kgs.biolama:WikiBio",
        "ctd": "factprobe.kgs.biolama:CTD",
        "bear": "factprobe.kgs.bear:Bear",
    },
)
