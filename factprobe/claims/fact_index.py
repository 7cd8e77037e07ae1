"""Index of a graph for free text: entities by name, and facts by their ends."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from factprobe.question_types import End
from factprobe.reading.language import in_order, vocabulary
from factprobe.reading.names.folded_text import forms, is_meant, is_ordinary, is_whole
from factprobe.reading.names.forms import people
from factprobe.reading.values.value import Value
from factprobe.reading.values.value_parsing import value_of
from factprobe.records import Entity, GraphFact, Relation, RelationSummary
from factprobe.text import fold_with_offsets, normalise

_SAMPLE = 200
"""Number of facts or labels sampled to determine properties of a relation."""
_PEOPLE = 4
"""A relation is about people if more than one in this many subjects has a personal name."""
_HALF = re.compile("[\ud800-\udfff]")
"""Lone surrogate, which cannot be encoded in UTF-8."""
_PRESENT_ENDINGS = in_order("present_ending")
ENDS: tuple[End, End] = ("subject", "object")
Kind = Literal["name", "surname", "pronoun", "value", "unknown"]
"""Type of a mention: nouns like "the singer" are pronouns, `unknown` is a capitalised name that the graph lacks."""
Place = tuple[str, End]
"""End of a relation: its id, and subject or object."""


class Mention(Struct, frozen=True, gc=False):
    """Mention of an entity, value or unknown name in a text."""

    start: int
    end: int
    """Span in characters; the end is exclusive."""
    uris: tuple[str, ...] = ()
    """Candidate entities, in the order of the graph; several for an ambiguous name, none for an unknown one."""
    kind: Kind = "name"
    name: str = ""
    """Name of the antecedent, for pronouns, surnames and nouns."""
    value: Value | None = None
    """Date or number, for mentions of values."""


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
        self._types: dict[Place, set[str]] = {place: set() for place in self._nodes}
        for relation, end in self._nodes:
            for entity in self._summaries[relation].entities(end):
                known = self.entities.get(entity.uri)
                self.entities[entity.uri] = entity if known is None else _merge(known, entity)
                self._types[relation, end].update(entity.types)
        self._bearers: dict[str, tuple[str, ...]] = {}
        for uri, entity in self.entities.items():
            for name in entity.names():
                for form in forms(name):
                    bearers = self._bearers.get(form, ())
                    if uri not in bearers:
                        self._bearers[form] = (*bearers, uri)

    def named(self, name: str) -> tuple[str, ...]:
        """Return the URIs of the entities with a name, ignoring case, or the name itself if it is a URI."""
        if name in self.entities:
            return (name,)
        return next((found for form in forms(name) if (found := self._bearers.get(form))), ())

    def bears(self, uri: str, name: str) -> bool:
        """Return whether an entity has a name, ignoring case."""
        return any(uri in self._bearers.get(form, ()) for form in forms(name))

    def mentions(self, text: str) -> list[Mention]:
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
            found.append(Mention(first, last, self._bearers[name]))
        found.sort(key=lambda mention: mention.start)
        return found

    def partners(self, relation: str, uri: str, end: End) -> Sequence[str]:
        """Return the objects of a subject, or the subjects of an object, in a relation."""
        node = self._nodes[relation, end].get(uri)
        return () if node is None else node.partners

    def facts(self, relation: str) -> Iterator[tuple[str, str]]:
        """Yield subject and object of the facts of a relation."""
        return self._summaries[relation].facts()

    def counts(self, relation: str, end: End) -> dict[str, int]:
        """Count the facts of a relation for each entity at one of its ends."""
        return {uri: len(node.partners) for uri, node in self._nodes[relation, end].items()}

    def holds(self, relation: str, subject: str, object_: str) -> bool:
        """Return whether the graph has the fact."""
        objects, subjects = self.partners(relation, subject, "subject"), self.partners(relation, object_, "object")
        return object_ in objects if len(objects) < len(subjects) else subject in subjects

    def between(self, subject: str, object_: str) -> Iterator[str]:
        """Yield the relations of the graph from one entity to another."""
        return (one for one, end in self.places(subject) if end == "subject" and self.holds(one, subject, object_))

    def places(self, uri: str) -> Mapping[Place, int]:
        """Return the ends of relations at which an entity occurs, with the number of its facts there."""
        own = ((place, nodes[uri]) for place, nodes in self._nodes.items() if uri in nodes)
        return {place: len(node.partners) for place, node in own}

    def sentences(self, relation: str) -> Sequence[str]:
        """Return sentences that state facts of a relation, where the source has some."""
        return self._summaries[relation].sentences

    def stands(self, uri: str, relation: str, end: End) -> bool:
        """Return whether an entity or one of its types occurs at an end of a relation."""
        if uri in self._nodes[relation, end]:
            return True
        return not self._types[relation, end].isdisjoint(self.entities[uri].types)

    @cached_property
    def temporary_relations(self) -> frozenset[str]:
        """Return the relations whose facts can end, so that the past tense may mean that they have.

        Their template is in the present tense. Relations about people are left out, since lives of the dead are told in
        the past tense.
        """
        return frozenset(
            one for one, info in self.relations.items() if _is_of_today(info) and one not in self._of_people
        )

    @cached_property
    def _of_people(self) -> frozenset[str]:
        """Return the relations whose subjects are people, judged by a sample of their names."""
        found = set()
        for relation, summary in self._summaries.items():
            subjects = {one.uri: one for one in islice(summary.entities("subject"), _SAMPLE)}
            is_person = people(subjects)
            if _PEOPLE * sum(is_person(one.label) for one in subjects.values()) > len(subjects):
                found.add(relation)
        return frozenset(found)

    @cached_property
    def people(self) -> frozenset[str]:
        """Return the subjects of the relations about people."""
        return frozenset(uri for one in self._of_people for uri in self._summaries[one].node_summary.subjects)

    def fact(self, subject: str, relation: str, object_: str) -> GraphFact:
        """Return a fact with its labels; ids replace missing labels."""
        name = self.relations[relation].label or relation
        return GraphFact((self.label(subject), name, self.label(object_)), (subject, relation, object_))

    def label(self, uri: str) -> str:
        """Return the label of an entity, else another name of it, else its URI."""
        return next(iter(self.entities[uri].names()), uri)

    @cached_property
    def value_relations(self) -> Mapping[str, bool]:
        """Return the relations of which most sampled objects are dates or numbers, and whether most are dates."""
        found = {}
        for relation, summary in self._summaries.items():
            values = [value_of(entity.label) for entity in islice(summary.entities("object"), _SAMPLE)]
            if 2 * sum(one is not None for one in values) > len(values):
                found[relation] = 2 * sum(one is not None and one.year is not None for one in values) > len(values)
        return found

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


def _is_of_today(relation: Relation) -> bool:
    """Return whether the template of a relation is in the present tense."""
    words = normalise(relation.template.replace("[X]", " ").replace("[Y]", " ")).split()
    is_plain = bool(words) and not relation.template.startswith(words[0]) and words[0].endswith(_PRESENT_ENDINGS)
    return not vocabulary("present").isdisjoint(words) or (is_plain and words[0] not in vocabulary("past_state"))


def _merge(one: Entity, other: Entity) -> Entity:
    """Merge the names and types of an entity from two relations."""
    if (one.label, one.aliases, one.types) == (other.label, other.aliases, other.types):
        return one
    label, *aliases = dict.fromkeys((*one.names(), *other.names())) or ("",)
    return replace(one, label=label, aliases=tuple(aliases), types=tuple(dict.fromkeys((*one.types, *other.types))))
