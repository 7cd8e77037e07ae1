"""Preparation: index of a graph for free text, with its entities by name and its facts by their ends."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from typing import Literal

from msgspec.structs import replace

from factprobe.claims.sentence import Mention
from factprobe.question_types import End
from factprobe.reading.language import in_order, vocabulary
from factprobe.reading.names.folded_text import forms, is_meant, is_ordinary, is_whole
from factprobe.reading.names.forms import people as person_test
from factprobe.reading.values.value_parsing import value_of
from factprobe.records import Entity, GraphFact, Relation, RelationSummary
from factprobe.text import fold_with_offsets, normalise

_SAMPLE, _PERSONS = 200, 0.25
"""Number of sampled facts or labels of a relation, and fraction of personal names above which it is about people."""
_SURROGATE = re.compile("[\ud800-\udfff]")
"""Lone surrogate, which cannot be encoded in UTF-8."""
_PRESENT_ENDINGS = in_order("present_ending")
ENDS: tuple[End, End] = ("subject", "object")
RelationEnd = tuple[str, End]
"""End of a relation: its id, and subject or object."""


class GraphFacts:
    """Entities of a graph by name, and its facts by their ends.

    Args:
        summaries: Summaries of the graph's relations; they are kept in memory.
    """

    def __init__(self, summaries: Iterable[RelationSummary]) -> None:
        self.summaries = {summary.relation_info.relation: summary for summary in summaries}
        self.relations: Mapping[str, Relation] = {key: value.relation_info for key, value in self.summaries.items()}
        """Relations by id, in the order of the graph."""
        self.nodes = {(key, end): value.nodes(end) for key, value in self.summaries.items() for end in ENDS}
        """Entities at each end of a relation, with those at its other end."""
        self.entities: dict[str, Entity] = {}
        """Entities by URI, with names and types merged from all relations."""
        self._types: dict[RelationEnd, set[str]] = {place: set() for place in self.nodes}
        for relation, end in self.nodes:
            for entity in self.summaries[relation].entities(end):
                known = self.entities.get(entity.uri)
                self.entities[entity.uri] = entity if known is None else _merge(known, entity)
                self._types[relation, end].update(entity.types)
        self._bearers: dict[str, tuple[str, ...]] = {}
        for uri, entity in self.entities.items():
            for form in dict.fromkeys(form for name in entity.names() for form in forms(name)):
                self._bearers[form] = (*self._bearers.get(form, ()), uri)
        self.names = list(self._bearers)
        """All names of the graph, normalised."""

    def named(self, name: str) -> tuple[str, ...]:
        """Return the URIs of the entities with a name, ignoring case, or the name itself if it is a URI."""
        if name in self.entities:
            return (name,)
        return next((uris for form in forms(name) if (uris := self._bearers.get(form))), ())

    def mentions(self, text: str) -> list[Mention]:
        """Find the names in a text as whole words, from left to right; among overlapping ones the longest."""
        plain, offsets = fold_with_offsets(text)
        matches = [match for match in self._automaton(plain) if is_whole(text, plain, offsets, *match[1:])]
        matches.sort(key=lambda match: (match[1] - match[2], match[1]))  # the longest first
        taken = bytearray(len(plain))
        mentions = []
        for number, start, end in matches:
            name, first, last = self.names[number], offsets[start], offsets[end]
            if taken.find(1, start, end) < 0 and (not is_ordinary(name) or is_meant(text, first, last)):
                taken[start:end] = b"\1" * (end - start)
                mentions.append(Mention(first, last, self._bearers[name]))
        return sorted(mentions, key=lambda mention: mention.start)

    def fits(self, uri: str, relation: str, end: End) -> bool:
        """Return whether an entity or one of its types occurs at an end of a relation."""
        if uri in self.nodes[relation, end]:
            return True
        return not self._types[relation, end].isdisjoint(self.entities[uri].types)

    @cached_property
    def two_kinds(self) -> frozenset[str]:
        """Return the relations that have no entity at both ends, such as place of birth."""
        ends = ((key, self.nodes[key, "subject"].keys(), self.nodes[key, "object"]) for key in self.relations)
        return frozenset(key for key, subjects, objects in ends if subjects.isdisjoint(objects))

    @cached_property
    def temporary_relations(self) -> frozenset[str]:
        """Return the relations whose facts can end, so that the past tense may mean that they have.

        Their template is in the present tense ("is the capital of"). Relations about people are left out, since lives
        of the dead are told in the past tense.
        """
        present = (relation for relation, info in self.relations.items() if _is_in_present(info))
        return frozenset(present).difference(self._relations_of_people)

    @cached_property
    def _relations_of_people(self) -> frozenset[str]:
        """Return the relations whose subjects are people, judged by a sample of their names."""
        relations = set()
        for relation, summary in self.summaries.items():
            subjects = {entity.uri: entity for entity in islice(summary.entities("subject"), _SAMPLE)}
            is_person = person_test(subjects)
            if sum(is_person(entity.label) for entity in subjects.values()) > _PERSONS * len(subjects):
                relations.add(relation)
        return frozenset(relations)

    @cached_property
    def people(self) -> frozenset[str]:
        """Return the subjects of the relations about people."""
        return frozenset(uri for relation in self._relations_of_people for uri in self.nodes[relation, "subject"])

    @cached_property
    def value_relations(self) -> Mapping[str, Literal["date", "number"]]:
        """Return the relations of which most sampled objects are dates or numbers, with the kind of most objects."""
        kinds: dict[str, Literal["date", "number"]] = {}
        for relation, summary in self.summaries.items():
            values = [value_of(entity.label) for entity in islice(summary.entities("object"), _SAMPLE)]
            if 2 * sum(value is not None for value in values) > len(values):
                dates = sum(value is not None and value.year is not None for value in values)
                kinds[relation] = "date" if 2 * dates > len(values) else "number"
        return kinds

    @cached_property
    def _automaton(self) -> Callable[[str], list[tuple[int, int, int]]]:
        """Return a function that finds all names in a normalised text, as index of the name, start and end."""
        from ahocorasick_rs import AhoCorasick

        automaton = AhoCorasick(self.names)
        return lambda text: automaton.find_matches_as_indexes(_SURROGATE.sub("\ufffd", text), overlapping=True)

    # Look-ups of facts, for the checkers; extraction itself uses only `between`, to learn cues.
    def partners(self, relation: str, uri: str, end: End) -> Sequence[str]:
        """Return the objects of a subject, or the subjects of an object, in a relation."""
        node = self.nodes[relation, end].get(uri)
        return () if node is None else node.partners

    def holds(self, relation: str, subject: str, object_: str) -> bool:
        """Return whether the graph has the fact."""
        objects, subjects = self.partners(relation, subject, "subject"), self.partners(relation, object_, "object")
        return object_ in objects if len(objects) < len(subjects) else subject in subjects

    def between(self, subject: str, object_: str) -> Iterator[str]:
        """Yield the relations of the graph from one entity to another."""
        own = (relation for relation, end in self.places(subject) if end == "subject")
        return (relation for relation in own if self.holds(relation, subject, object_))

    def places(self, uri: str) -> Mapping[RelationEnd, int]:
        """Return the ends of relations at which an entity occurs, with the number of its facts there."""
        own = ((place, nodes[uri]) for place, nodes in self.nodes.items() if uri in nodes)
        return {place: len(node.partners) for place, node in own}

    def fact(self, subject: str, relation: str, object_: str) -> GraphFact:
        """Return a fact with its labels; ids replace missing labels."""
        name = self.relations[relation].label or relation
        return GraphFact((self.label(subject), name, self.label(object_)), (subject, relation, object_))

    def label(self, uri: str) -> str:
        """Return the label of an entity, else another name of it, else its URI."""
        return next(iter(self.entities[uri].names()), uri)


@lru_cache(maxsize=1)
def facts_of(graph: Callable[[], Iterable[RelationSummary]]) -> GraphFacts:
    """Index the facts of a graph; the index is cached for all components of a run."""
    return GraphFacts(graph())


def _is_in_present(relation: Relation) -> bool:
    """Return whether the template of a relation is in the present tense, or has the words of its label only.

    It is with "is" or "has", or as in "[X] borders [Y]"; "[X], capital: [Y]." has no tense.
    """
    words = normalise(relation.template.replace("[X]", " ").replace("[Y]", " ")).split()
    if words == normalise(relation.label).split():
        return True
    is_plain = bool(words) and not relation.template.startswith(words[0]) and words[0].endswith(_PRESENT_ENDINGS)
    return not vocabulary("present").isdisjoint(words) or (is_plain and words[0] not in vocabulary("past_state"))


def _merge(known: Entity, new: Entity) -> Entity:
    """Merge the names and types of an entity from two relations."""
    if (known.label, known.aliases, known.types) == (new.label, new.aliases, new.types):
        return known
    label, *aliases = dict.fromkeys((*known.names(), *new.names())) or ("",)
    return replace(known, label=label, aliases=tuple(aliases), types=tuple(dict.fromkeys((*known.types, *new.types))))
