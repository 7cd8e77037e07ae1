"""Records of an extracted relation: its summary and its size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from factprobe.question_types import End
from factprobe.records.graph_records import Entity, Hop, Period, Relation, RelationType


class ObjectNode(Struct, frozen=True, omit_defaults=True, gc=False):
    """Object of a relation, with its subjects."""

    object_label: str
    object_uri: str
    subjects: list[str]
    object_aliases: tuple[str, ...] = ()
    object_types: tuple[str, ...] = ()

    @property
    def entity(self) -> Entity:
        """Object as an entity."""
        return Entity(self.object_uri, self.object_label, self.object_aliases, self.object_types)

    @property
    def partners(self) -> list[str]:
        """URIs of its subjects."""
        return self.subjects


class SubjectNode(Struct, frozen=True, omit_defaults=True, gc=False):
    """Subject of a relation, with its objects."""

    subject_label: str
    subject_uri: str
    objects: list[str]
    subject_aliases: tuple[str, ...] = ()
    subject_types: tuple[str, ...] = ()
    periods: dict[str, tuple[Period, ...]] = {}
    """Periods in which the fact with an object is true, by the object's URI; without an entry it is always true."""

    @property
    def entity(self) -> Entity:
        """Subject as an entity."""
        return Entity(self.subject_uri, self.subject_label, self.subject_aliases, self.subject_types)

    @property
    def partners(self) -> list[str]:
        """URIs of its objects."""
        return self.objects


class NodeSummary(Struct, frozen=True):
    """Subjects and objects of a relation by URI, in the order of the source."""

    objects: dict[str, ObjectNode]
    subjects: dict[str, SubjectNode]


def is_inverse(reversed_pairs: int, pairs: int) -> bool:
    """Return whether a relation, of `pairs` facts, is an inverse: at least half, and three, are there in reverse."""
    return reversed_pairs >= 3 and 2 * reversed_pairs >= pairs


class RelationSummary(Struct, frozen=True, omit_defaults=True):
    """Relation summary: the objects of each subject and the subjects of each object."""

    relation_info: Relation
    node_summary: NodeSummary
    sentences: tuple[str, ...] = ()
    """Sentences of the source that state some of the facts; they are not written to files."""
    further: NodeSummary | None = None
    """Facts of another relation that lead from an object to further objects, such as superclasses; None without any."""

    @property
    def chain(self) -> NodeSummary | None:
        """Facts that lead from an object to further objects; for a transitive relation, its own facts."""
        return self.node_summary if self.relation_info.transitive is True else self.further

    def entailed(self, uri: str, end: End) -> Sequence[str]:
        """Return the partners of an entity, and further partners through the facts in `chain`."""
        uris = self.partners(uri, end)
        if self.chain is None:
            return uris
        if end == "subject":
            return _reach(uris, self.chain.subjects)
        givens = _reach([uri], self.chain.objects)
        return [*dict.fromkeys(partner for uri_ in givens for partner in self.partners(uri_, end))]

    def further_entities(self, end: End) -> Iterator[Entity]:
        """Yield the objects that only further facts may lead to."""
        nodes = self.further.objects.values() if self.further is not None and end == "object" else ()
        return (node.entity for node in nodes)

    def entity(self, uri: str, end: End) -> Entity | None:
        """Return the entity with a URI at one end of the relation; None if there is none."""
        node = self.nodes(end).get(uri)
        return None if node is None else node.entity

    def partners(self, uri: str, end: End) -> Sequence[str]:
        """Return the URIs at the other end of the facts of an entity at `end`; empty if the entity is unknown."""
        node = self.nodes(end).get(uri)
        return () if node is None else node.partners

    def periods(self, subject: str, object_: str) -> tuple[Period, ...]:
        """Return the periods in which a fact is true; empty if they are unknown."""
        node = self.node_summary.subjects.get(subject)
        return () if node is None else node.periods.get(object_, ())

    def has_periods(self) -> bool:
        """Return whether any fact has a period."""
        return any(node.periods for node in self.node_summary.subjects.values())

    def has_ended_facts(self) -> bool:
        """Return whether any fact has a period with an end."""
        nodes = self.node_summary.subjects.values()
        return any(period.end for node in nodes for periods in node.periods.values() for period in periods)

    def entities(self, end: End) -> Iterator[Entity]:
        """Yield every subject or object, in the order of the source."""
        return (node.entity for node in self.nodes(end).values())

    def facts(self) -> Iterator[tuple[str, str]]:
        """Yield the subject and object URI of every fact, subject by subject."""
        return ((uri, object_) for uri, node in self.node_summary.subjects.items() for object_ in node.objects)

    def is_chained(self) -> bool:
        """Return whether the object of some fact is the subject of another."""
        return not self.node_summary.subjects.keys().isdisjoint(self.node_summary.objects)

    def is_symmetric(self) -> bool:
        """Return whether the relation is its own inverse according to its facts."""
        if not self.is_chained():
            return False
        pairs = [self._is_both_ways(*fact) for fact in self.facts() if fact[0] != fact[1]]
        return is_inverse(sum(pairs), len(pairs))

    def _is_both_ways(self, subject: str, object_: str) -> bool:
        forth, back = self.partners(object_, "subject"), self.partners(subject, "object")
        return subject in forth if len(forth) < len(back) else object_ in back

    def nodes(self, end: End) -> Mapping[str, SubjectNode | ObjectNode]:
        """Return the subjects or objects by URI, in the order of the source."""
        return self.node_summary.subjects if end == "subject" else self.node_summary.objects


def _reach(uris: Iterable[str], nodes: Mapping[str, SubjectNode | ObjectNode]) -> list[str]:
    """Return entities and all that their partners lead to, each once."""
    queue, reached_uris = [*uris], {*uris}
    for uri in queue:
        node = nodes.get(uri)
        new = [uri for uri in (node.partners if node else ()) if uri not in reached_uris]
        reached_uris.update(new)
        queue += new
    return queue


class RelationCount(Struct, frozen=True):
    """Size of one extracted relation."""

    relation: str
    label: str
    type: RelationType | Literal[""]
    num_facts: int
    num_subjects: int
    num_objects: int
    path: tuple[Hop, ...] | UnsetType = UNSET
    """Steps of a composition; unset for a relation of the graph itself."""


class GraphSummary(Struct, frozen=True):
    """Index of an extraction, used by later steps."""

    kg: str
    num_relations: int
    num_entities: int
    num_facts: int
    relations: tuple[RelationCount, ...]
    limit: int | None = None
    """Maximum number of triplets written for each relation; the relation summaries are complete nevertheless."""
