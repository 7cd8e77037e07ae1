"""Look-up of the facts of a graph in memory, by name and by the ends of relations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from msgspec.structs import replace

from factprobe.question_types import ENDS, End
from factprobe.reading.names.folded_text import forms
from factprobe.records import Entity, GraphFact, Relation, RelationSummary
from factprobe.text import normalise

RelationEnd = tuple[str, End]
"""End of a relation: the id of the relation, and `subject` or `object`."""


class FactLookup:
    """Index of a graph, kept in memory: entities and relations by name, facts by their ends."""

    def __init__(self, summaries: Iterable[RelationSummary]) -> None:
        self.summaries = {summary.relation_info.relation: summary for summary in summaries}
        self.relations: Mapping[str, Relation] = {key: value.relation_info for key, value in self.summaries.items()}
        """Relations by id, in the order of the graph."""
        self.nodes = {(key, end): value.nodes(end) for key, value in self.summaries.items() for end in ENDS}
        """Entities at each end of a relation, with those at its other end."""
        self.entities: dict[str, Entity] = {}
        """Entities by URI, with names and types merged from all relations."""
        for relation, end in self.nodes:
            for entity in self.summaries[relation].entities(end):
                known = self.entities.get(entity.uri)
                self.entities[entity.uri] = entity if known is None else _merge(known, entity)

    @cached_property
    def uris_by_name(self) -> Mapping[str, tuple[str, ...]]:
        """URIs of the entities with a name, by all forms of all names."""
        uris: dict[str, tuple[str, ...]] = {}
        for uri, entity in self.entities.items():
            for form in dict.fromkeys(form for name in entity.names() for form in forms(name)):
                uris[form] = (*uris.get(form, ()), uri)
        return uris

    def named(self, name: str) -> tuple[str, ...]:
        """Return the URIs of the entities with a name, ignoring case; for a URI, only this."""
        if name in self.entities:
            return (name,)
        return next((uris for form in forms(name) if (uris := self.uris_by_name.get(form))), ())

    def label(self, uri: str) -> str:
        """Return the label of an entity; without one, another name or its URI."""
        return next(iter(self.entities[uri].names()), uri)

    def relations_called(self, name: str) -> Sequence[str]:
        """Return the relations that have a name as their id or label, ignoring case."""
        return self._relations_by_name.get(normalise(name), ())

    @cached_property
    def _relations_by_name(self) -> Mapping[str, list[str]]:
        relations: dict[str, list[str]] = {}
        for relation, info in self.relations.items():
            for name in {normalise(relation), normalise(info.label)} - {""}:
                relations.setdefault(name, []).append(relation)
        return relations

    def holds(self, relation: str, subject: str, object_: str) -> bool:
        """Return whether the graph has the fact, or facts that lead to it through others."""
        summary = self.summaries[relation]
        if summary.chain is not None:
            return object_ in summary.entailed(subject, "subject")
        objects, subjects = summary.partners(subject, "subject"), summary.partners(object_, "object")
        return object_ in objects if len(objects) < len(subjects) else subject in subjects

    def between(self, subject: str, object_: str) -> Iterator[str]:
        """Yield the relations of the graph from one entity to another."""
        relations = (relation for relation, end in self.places(subject) if end == "subject")
        return (relation for relation in relations if self.holds(relation, subject, object_))

    def places(self, uri: str) -> Mapping[RelationEnd, int]:
        """Return the ends of relations at which an entity occurs, with the number of its facts at each."""
        return self._places.get(uri, {})

    @cached_property
    def _places(self) -> Mapping[str, Mapping[RelationEnd, int]]:
        places: dict[str, dict[RelationEnd, int]] = {uri: {} for uri in self.entities}
        for place, nodes in self.nodes.items():
            for uri, node in nodes.items():
                places[uri][place] = len(node.partners)
        return places

    def fact(self, subject: str, relation: str, object_: str) -> GraphFact:
        """Return a fact with its labels; the id stands for a missing label."""
        name = self.relations[relation].label or relation
        return GraphFact((self.label(subject), name, self.label(object_)), (subject, relation, object_))


def _merge(known: Entity, new: Entity) -> Entity:
    """Merge the names and types of an entity from two relations."""
    if (known.label, known.aliases, known.types) == (new.label, new.aliases, new.types):
        return known
    label, *aliases = dict.fromkeys((*known.names(), *new.names())) or ("",)
    return replace(known, label=label, aliases=tuple(aliases), types=tuple(dict.fromkeys((*known.types, *new.types))))
