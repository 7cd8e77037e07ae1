"""Preparation: index of a graph for claim extraction, with its entities by name and its facts by their ends."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from typing import Literal

from msgspec.structs import replace

from factprobe.claims.by_graph.mentions import Mention
from factprobe.question_types import End
from factprobe.reading.names.folded_text import forms, is_meant, is_ordinary, is_whole
from factprobe.reading.names.forms import people as person_test
from factprobe.reading.values.value_parsing import value_in_template, value_of
from factprobe.records import Entity, GraphFact, Relation, RelationSummary
from factprobe.templating import templates_of
from factprobe.text import fold_with_offsets, normalise

_SURROGATE = re.compile("[\ud800-\udfff]")
"""Pattern of a lone surrogate, which cannot be encoded in UTF-8."""
ENDS: tuple[End, End] = ("subject", "object")
RelationEnd = tuple[str, End]
"""End of a relation: the id of the relation, and `subject` or `object`."""
_SAMPLE = 200
"""Number of sampled facts or labels of a relation."""
_MIN_PERSON_SHARE = 0.25
"""Share of personal names among the subjects above which a relation is about people."""


class GraphFacts:
    """Index of a graph: entities by name, facts by their ends.

    Args:
        summaries: Summaries of the graph's relations; they are kept in memory.
    """

    def __init__(self, summaries: Iterable[RelationSummary]) -> None:
        self.summaries = {summary.relation_info.relation: summary for summary in summaries}
        self.relations: Mapping[str, Relation] = {key: value.relation_info for key, value in self.summaries.items()}
        """Relations by id, in the order of the graph."""
        self.kinds = RelationKinds(self.summaries)
        self._relations_by_name: dict[str, list[str]] = {}
        for relation, info in self.relations.items():
            for name in {normalise(relation), normalise(info.label)} - {""}:
                self._relations_by_name.setdefault(name, []).append(relation)
        self.nodes = {(key, end): value.nodes(end) for key, value in self.summaries.items() for end in ENDS}
        """Entities at each end of a relation, with those at its other end."""
        self.entities: dict[str, Entity] = {}
        """Entities by URI, with names and types merged from all relations."""
        self._types: dict[RelationEnd, set[str]] = {place: set() for place in self.nodes}
        for relation, end in self.nodes:
            for entity in self.summaries[relation].entities(end):
                earlier = self.entities.get(entity.uri)
                self.entities[entity.uri] = entity if earlier is None else _merge(earlier, entity)
                self._types[relation, end].update(entity.types)
        self._bearers: dict[str, tuple[str, ...]] = {}
        for uri, entity in self.entities.items():
            for form in dict.fromkeys(form for name in entity.names() for form in forms(name)):
                self._bearers[form] = (*self._bearers.get(form, ()), uri)
        self.names = list(self._bearers)
        """All names of the graph, normalised."""

    def named(self, name: str) -> tuple[str, ...]:
        """Return the URIs of the entities with a name, ignoring case; for a URI, only this."""
        if name in self.entities:
            return (name,)
        return next((uris for form in forms(name) if (uris := self._bearers.get(form))), ())

    def mentions(self, text: str) -> list[Mention]:
        """Find the names of entities in a text, from left to right; of overlapping ones, the longest."""
        plain, offsets = fold_with_offsets(text)
        matches = sorted(self._automaton(plain), key=lambda match: (match[1] - match[2], match[1]))  # the longest first
        is_taken = bytearray(len(plain))
        mentions = []
        for number, start, end in matches:
            if is_taken.find(1, start, end) >= 0 or not is_whole(text, plain, offsets, start, end):
                continue
            name, first, last = self.names[number], offsets[start], offsets[end]
            if not is_ordinary(name) or is_meant(text, first, last):
                is_taken[start:end] = b"\1" * (end - start)
                mentions.append(Mention(first, last, self._bearers[name]))
        return sorted(mentions, key=lambda mention: mention.start)

    @cached_property
    def _automaton(self) -> Callable[[str], list[tuple[int, int, int]]]:
        """Function that finds all names in a normalised text; it returns the index, start and end of each."""
        from ahocorasick_rs import AhoCorasick

        automaton = AhoCorasick(self.names)
        return lambda text: automaton.find_matches_as_indexes(_SURROGATE.sub("\ufffd", text), overlapping=True)

    def fits(self, uris: Iterable[str], relation: str, end: End) -> bool:
        """Return whether any of the entities, or an entity of the same type, is at an end of a relation."""
        nodes, types = self.nodes[relation, end], self._types[relation, end]
        return any(uri in nodes for uri in uris) or any(not types.isdisjoint(self.entities[uri].types) for uri in uris)

    @cached_property
    def people(self) -> frozenset[str]:
        """URIs of the subjects of all relations about people."""
        return frozenset(uri for relation in self.kinds.of_people for uri in self.nodes[relation, "subject"])

    # Look-ups for checkers, retrievers and `learn_cues`
    def relations_called(self, name: str) -> Sequence[str]:
        """Return the relations that have a name as their id or label, ignoring case."""
        return self._relations_by_name.get(normalise(name), ())

    def partners(self, relation: str, uri: str, end: End) -> Sequence[str]:
        """Return the URIs at the other end of an entity's facts; `end` is its own end of the relation."""
        node = self.nodes[relation, end].get(uri)
        return () if node is None else node.partners

    def holds(self, relation: str, subject: str, object_: str) -> bool:
        """Return whether the graph has the fact, or facts that lead to it through others."""
        summary = self.summaries[relation]
        if summary.chain is not None:
            return object_ in summary.entailed(subject, "subject")
        objects, subjects = self.partners(relation, subject, "subject"), self.partners(relation, object_, "object")
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

    def label(self, uri: str) -> str:
        """Return the label of an entity; without one, another name or its URI."""
        return next(iter(self.entities[uri].names()), uri)


@lru_cache(maxsize=1)
def facts_of(graph: Callable[[], Iterable[RelationSummary]]) -> GraphFacts:
    """Index the facts of a graph; the index is cached for all components of a run."""
    return GraphFacts(graph())


def with_unit(relation: Relation, label: str) -> str:
    """Return a value of a relation with the unit, scale or era that its templates have next to it: 2850 km for 2850."""
    written = (value_in_template(template, label) for template in templates_of(relation))
    return next((value for value in written if value != label), label)


def _merge(known: Entity, new: Entity) -> Entity:
    """Merge the names and types of an entity from two relations."""
    if (known.label, known.aliases, known.types) == (new.label, new.aliases, new.types):
        return known
    label, *aliases = dict.fromkeys((*known.names(), *new.names())) or ("",)
    return replace(known, label=label, aliases=tuple(aliases), types=tuple(dict.fromkeys((*known.types, *new.types))))


class RelationKinds:
    """Kinds of a graph's relations; each property has the ids of the relations of a kind."""

    def __init__(self, summaries: Mapping[str, RelationSummary]) -> None:
        self._summaries = summaries

    @cached_property
    def of_two_kinds(self) -> frozenset[str]:
        """Relations in which no entity is both a subject and an object, such as place of birth."""
        ends = ((key, summary.node_summary) for key, summary in self._summaries.items())
        return frozenset(key for key, nodes in ends if nodes.subjects.keys().isdisjoint(nodes.objects))

    @cached_property
    def of_values(self) -> Mapping[str, Literal["date", "number"]]:
        """Relations whose objects are mostly dates or numbers: `date` if more than half are dates, else `number`."""
        kinds: dict[str, Literal["date", "number"]] = {}
        for relation, summary in self._summaries.items():
            labels = [entity.label for entity in islice(summary.entities("object"), _SAMPLE)]
            values = [value_of(with_unit(summary.relation_info, label)) for label in labels]
            if 2 * sum(value is not None for value in values) > len(values):
                dates = sum(value is not None and not value.is_number() for value in values)
                kinds[relation] = "date" if 2 * dates > len(values) else "number"
        return kinds

    @cached_property
    def of_people(self) -> frozenset[str]:
        """Relations whose subjects are people, judged by a sample of their names.

        Facts of other relations may end, so that the past tense may mean that they have ended; texts about the dead are
        in the past tense anyway.
        """
        relations = set()
        for relation, summary in self._summaries.items():
            subjects = {entity.uri: entity for entity in islice(summary.entities("subject"), _SAMPLE)}
            is_person = person_test(subjects)
            if sum(is_person(entity.label) for entity in subjects.values()) > _MIN_PERSON_SHARE * len(subjects):
                relations.add(relation)
        return frozenset(relations)
