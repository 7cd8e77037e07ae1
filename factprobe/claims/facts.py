"""Index of a graph for free text: entities by name, and facts by their ends."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from factprobe.claims.wordings import roles
from factprobe.question_types import End
from factprobe.reading.language import in_order, vocabulary
from factprobe.reading.names.folded_text import forms, is_meant, is_ordinary, is_whole
from factprobe.reading.names.forms import people
from factprobe.reading.values.parsing import value_of
from factprobe.records import Entity, GraphFact, Relation, RelationSummary
from factprobe.text import fold_with_offsets, normalise

_SAMPLE = 200
"""Number of facts or labels sampled to determine properties of a relation."""
_PEOPLE = 4
"""A relation is about people if more than one in this many subjects has a personal name."""
_REVERSED = 3
"""Minimal number of reversed facts that make another relation the inverse."""
_HALF = re.compile("[\ud800-\udfff]")
"""Lone surrogate, which cannot be encoded in UTF-8."""
_PRESENT_ENDINGS = in_order("present_ending")
ENDS: tuple[End, End] = ("subject", "object")
Place = tuple[str, End]
"""End of a relation: its id, and subject or object."""


class EntityMention(Struct, frozen=True, gc=False):
    """Mention of an entity in a text."""

    start: int
    end: int
    """Span in characters; the end is exclusive."""
    uris: tuple[str, ...]
    """Entities with this name, in the order of the graph; several for an ambiguous name."""


class GraphFacts:
    """Entities of a graph by name, and its facts by their ends.

    Args:
        summaries: Summaries of the graph's relations; they are kept in memory.
    """

    def __init__(self, summaries: Iterable[RelationSummary]) -> None:
        self._summaries = {summary.relation_info.relation: summary for summary in summaries}
        self.relations: Mapping[str, Relation] = {one: found.relation_info for one, found in self._summaries.items()}
        """Relations by id, in the order of the graph."""
        self._nodes = {(one, end): found.nodes(end) for one, found in self._summaries.items() for end in ENDS}
        self.entities: dict[str, Entity] = {}
        """Entities by URI, with names and types merged from all relations."""
        for summary in self._summaries.values():
            for end in ENDS:
                for entity in summary.entities(end):
                    known = self.entities.get(entity.uri)
                    self.entities[entity.uri] = entity if known is None else _merged(known, entity)
        self._bearers: dict[str, tuple[str, ...]] = {}
        for uri, entity in self.entities.items():
            for name in entity.names():
                for form in forms(name):
                    bearers = self._bearers.get(form, ())
                    if uri not in bearers:
                        self._bearers[form] = (*bearers, uri)
        self._places: dict[str, dict[Place, int]] = {}
        self._inverses: dict[str, tuple[str, ...]] = {}
        self._of_today: dict[str, bool] = {}
        self._people: dict[str, bool] = {}
        self._types: dict[tuple[str, End], frozenset[str]] = {}

    def named(self, name: str) -> tuple[str, ...]:
        """Return the URIs of the entities with a name, ignoring case, or the name itself if it is a URI."""
        if name in self.entities:
            return (name,)
        return next((found for form in forms(name) if (found := self._bearers.get(form))), ())

    def bears(self, uri: str, name: str) -> bool:
        """Return whether an entity has a name, ignoring case."""
        return any(uri in self._bearers.get(form, ()) for form in forms(name))

    def mentions(self, text: str) -> list[EntityMention]:
        """Find the names in a text as whole words, from left to right; among overlapping ones the longest."""
        plain, places = fold_with_offsets(text)
        names = self.names
        hits = [hit for hit in self._automaton(plain) if is_whole(text, plain, places, *hit[1:])]
        hits.sort(key=lambda hit: (hit[1] - hit[2], hit[1]))
        taken = bytearray(len(plain))
        found = []
        for number, start, end in hits:
            if taken.find(1, start, end) >= 0:
                continue
            name = names[number]
            first, last = places[start], places[end]
            if is_ordinary(name) and not is_meant(text, first, last):
                continue
            taken[start:end] = b"\1" * (end - start)
            found.append(EntityMention(first, last, self._bearers[name]))
        found.sort(key=lambda mention: mention.start)
        return found

    def partners(self, relation: str, uri: str, end: End) -> Sequence[str]:
        """Return the objects of a subject, or the subjects of an object, in a relation."""
        node = self._nodes[relation, end].get(uri)
        return () if node is None else node.partners

    def counts(self, relation: str, end: End) -> dict[str, int]:
        """Count the facts of a relation for each entity at one of its ends."""
        summary = self._summaries[relation]
        return {entity.uri: len(summary.partners(entity.uri, end)) for entity in summary.entities(end)}

    def holds(self, relation: str, subject: str, object_: str) -> bool:
        """Return whether the graph has the fact."""
        nodes = self._summaries[relation].node_summary
        node = nodes.subjects.get(subject)
        if node is None or object_ not in nodes.objects:
            return False
        return object_ in node.objects if len(node.objects) < _SAMPLE else subject in nodes.objects[object_].subjects

    def between(self, subject: str, object_: str) -> Iterator[str]:
        """Yield the relations of the graph from one entity to another."""
        places = self.places(subject)
        return (one for one, end in places if end == "subject" and self.holds(one, subject, object_))

    def places(self, uri: str) -> Mapping[Place, int]:
        """Return the ends of relations at which an entity occurs, with the number of its facts there."""
        if uri not in self._places:
            own = ((place, nodes[uri]) for place, nodes in self._nodes.items() if uri in nodes)
            self._places[uri] = {place: len(node.partners) for place, node in own}
        return self._places[uri]

    def has(self, uri: str, relation: str, end: End) -> bool:
        """Return whether an entity is at an end of a fact of a relation."""
        return uri in self._nodes[relation, end]

    def sentences(self, relation: str) -> Sequence[str]:
        """Return sentences that state facts of a relation, where the source has some."""
        return self._summaries[relation].sentences

    def stands(self, uri: str, relation: str, end: End) -> bool:
        """Return whether an entity or one of its types occurs at an end of a relation."""
        if uri in self._nodes[relation, end]:
            return True
        types = self.entities[uri].types
        return bool(types) and not self._types_at(relation, end).isdisjoint(types)

    def is_of_today(self, relation: str) -> bool:
        """Return whether the template of a relation is in the present tense, so that its facts can end."""
        if relation not in self._of_today:
            template = self.relations[relation].template
            words = normalise(template.replace("[X]", " ").replace("[Y]", " ")).split()
            is_plain = bool(words) and not template.startswith(words[0]) and words[0].endswith(_PRESENT_ENDINGS)
            self._of_today[relation] = not vocabulary("present").isdisjoint(words) or (
                is_plain and words[0] not in vocabulary("past_state")
            )
        return self._of_today[relation]

    def is_of_people(self, relation: str) -> bool:
        """Return whether the subjects of a relation are people, judged by a sample of their names."""
        if relation not in self._people:
            subjects = {one.uri: one for one in islice(self._summaries[relation].entities("subject"), _SAMPLE)}
            is_person = people(subjects)
            found = sum(is_person(one.label) for one in subjects.values())
            self._people[relation] = _PEOPLE * found > len(subjects)
        return self._people[relation]

    def may_end(self, relation: str) -> bool:
        """Return whether the past tense may mean that a fact of the relation has ended.

        For relations about people it does not count, since lives of the dead are told in the past tense.
        """
        return self.is_of_today(relation) and not self.is_of_people(relation)

    @cached_property
    def people(self) -> frozenset[str]:
        """Return the subjects of the relations about people."""
        found = (one for one in self._summaries if self.is_of_people(one))
        return frozenset(uri for one in found for uri in self._summaries[one].node_summary.subjects)

    def is_person(self, uri: str) -> bool:
        """Return whether an entity is a subject of a relation about people."""
        return uri in self.people

    def facts_about(self, uri: str) -> Iterator[GraphFact]:
        """Yield the facts of an entity, first those with it as the subject."""
        for end in ENDS:
            for relation in self._summaries:
                for other in self.partners(relation, uri, end):
                    yield self.fact(uri, relation, other) if end == "subject" else self.fact(other, relation, uri)

    def fact(self, subject: str, relation: str, object_: str) -> GraphFact:
        """Return a fact with its labels; ids replace missing labels."""
        info = self.relations[relation]
        labels = self.label(subject), info.label or relation, self.label(object_)
        return GraphFact(labels, (subject, relation, object_))

    def label(self, uri: str) -> str:
        """Return the label of an entity, else another name of it, else its URI."""
        return next(iter(self.entities[uri].names()), uri)

    @cached_property
    def value_relations(self) -> frozenset[str]:
        """Return the relations of which most sampled objects are dates or numbers."""
        found = set()
        for relation, summary in self._summaries.items():
            some = [value_of(entity.label) is not None for entity in islice(summary.entities("object"), _SAMPLE)]
            if 2 * sum(some) > len(some):
                found.add(relation)
        return frozenset(found)

    @cached_property
    def date_relations(self) -> frozenset[str]:
        """Return the relations of which most sampled objects are dates."""
        found = set()
        for relation in self.value_relations:
            labels = (one.label for one in islice(self._summaries[relation].entities("object"), _SAMPLE))
            some = [value is not None and value.year is not None for value in map(value_of, labels)]
            if 2 * sum(some) > len(some):
                found.add(relation)
        return frozenset(found)

    def inverses(self, relation: str) -> tuple[str, ...]:
        """Return the inverses of a relation, including itself if it is symmetric.

        They are found by its facts, or by the nouns of its wordings if it has too few.
        """
        if relation not in self._inverses:
            facts = list(islice(self._summaries[relation].facts(), _SAMPLE))
            names = {(noun, not is_subject) for noun, is_subject in roles(self.relations[relation])}
            self._inverses[relation] = tuple(other for other in self._summaries if self._reverses(other, facts, names))
        return self._inverses[relation]

    def _reverses(
        self, other: str, facts: Sequence[tuple[str, str]], names: Collection[tuple[tuple[str, ...], bool]]
    ) -> bool:
        known = [(s, o) for s, o in facts if self.partners(other, o, "subject") and self.partners(other, s, "object")]
        reverse = sum(self.holds(other, object_, subject) for subject, object_ in known)
        if len(known) < _REVERSED:
            return any(role in names for role in roles(self.relations[other]))
        return reverse >= _REVERSED and 2 * reverse > len(known)

    def _types_at(self, relation: str, end: End) -> frozenset[str]:
        if (relation, end) not in self._types:
            every = (kind for entity in self._summaries[relation].entities(end) for kind in entity.types)
            self._types[relation, end] = frozenset(every)
        return self._types[relation, end]

    @cached_property
    def names(self) -> list[str]:
        """Return all names of the graph, normalised."""
        return list(self._bearers)

    @cached_property
    def _automaton(self) -> Callable[[str], list[tuple[int, int, int]]]:
        """Return a function that finds all names in a normalised text, as index of the name, start and end."""
        from ahocorasick_rs import AhoCorasick

        automaton = AhoCorasick(self.names)
        return lambda text: automaton.find_matches_as_indexes(_HALF.sub("\ufffd", text), overlapping=True)


@lru_cache(maxsize=1)
def facts_of(graph: Callable[[], Iterable[RelationSummary]]) -> GraphFacts:
    """Index the facts of a graph; the index is cached for all components of a run."""
    return GraphFacts(graph())


def _merged(one: Entity, other: Entity) -> Entity:
    """Merge the names and types of an entity from two relations."""
    if (one.label, one.aliases, one.types) == (other.label, other.aliases, other.types):
        return one
    label, *aliases = dict.fromkeys((*one.names(), *other.names())) or ("",)
    return replace(one, label=label, aliases=tuple(aliases), types=tuple(dict.fromkeys((*one.types, *other.types))))
