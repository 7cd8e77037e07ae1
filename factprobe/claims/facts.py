"""A graph for free text: its entities by the names that they have in a text, and what it knows of two of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from factprobe.claims.wordings import roles
from factprobe.question_types import End
from factprobe.reading.language import in_order, vocabulary
from factprobe.reading.names.folded import forms, is_meant, is_ordinary, is_whole
from factprobe.reading.names.forms import people
from factprobe.reading.once import once
from factprobe.reading.values import value_of
from factprobe.records import Entity, GraphFact, Relation, RelationSummary
from factprobe.text import fold_with_offsets, normalise

_SAMPLE = 200
"""Facts and labels that tell what a relation is like."""
_PEOPLE = 4
"""One subject in so many that has a person's name tells that a relation is about people."""
_REVERSED = 3
"""Facts of a relation that another one has the other way round, from which it is taken for its inverse."""
_HALF = re.compile("[\ud800-\udfff]")
"""A lone surrogate, half a character, of which no UTF-8 is made."""
_PRESENT_ENDINGS = in_order("present_ending")
ENDS: tuple[End, End] = ("subject", "object")
Place = tuple[str, End]
"""A relation and an end of it."""


class EntityMention(Struct, frozen=True, gc=False):
    """A name in a text."""

    start: int
    end: int
    """Where it stands, in characters; the end is exclusive."""
    uris: tuple[str, ...]
    """Those who bear it, in the order of the graph; several where the name is ambiguous."""


class GraphFacts:
    """The entities of a graph by name, and its facts by their ends.

    Args:
        summaries: of the graph's relations; they are held.
    """

    def __init__(self, summaries: Iterable[RelationSummary]) -> None:
        self._summaries = {summary.relation_info.relation: summary for summary in summaries}
        self.relations: Mapping[str, Relation] = {one: found.relation_info for one, found in self._summaries.items()}
        """By their ids, in the order of the graph."""
        self._nodes = {(one, end): found.nodes(end) for one, found in self._summaries.items() for end in ENDS}
        self.entities: dict[str, Entity] = {}
        """By URI, with all names and types that the relations have for each."""
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
        """Those who bear a name, in whatever case; or whose URI it is."""
        if name in self.entities:
            return (name,)
        return next((found for form in forms(name) if (found := self._bearers.get(form))), ())

    def bears(self, uri: str, name: str) -> bool:
        """Whether an entity has a name, in whatever case."""
        return any(uri in self._bearers.get(form, ()) for form in forms(name))

    def mentions(self, text: str) -> list[EntityMention]:
        """The names in a text as whole words, left to right; of those that overlap the longest."""
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
        """The objects of a subject, or the subjects of an object, by a relation."""
        node = self._nodes[relation, end].get(uri)
        return () if node is None else node.partners

    def counts(self, relation: str, end: End) -> dict[str, int]:
        """How many facts of a relation each entity at an end has."""
        summary = self._summaries[relation]
        return {entity.uri: len(summary.partners(entity.uri, end)) for entity in summary.entities(end)}

    def holds(self, relation: str, subject: str, object_: str) -> bool:
        """Whether the graph has the fact."""
        nodes = self._summaries[relation].node_summary
        node = nodes.subjects.get(subject)
        if node is None or object_ not in nodes.objects:
            return False
        return object_ in node.objects if len(node.objects) < _SAMPLE else subject in nodes.objects[object_].subjects

    def between(self, subject: str, object_: str) -> Iterator[str]:
        """The relations that the graph has from one entity to another."""
        places = self.places(subject)
        return (one for one, end in places if end == "subject" and self.holds(one, subject, object_))

    def places(self, uri: str) -> Mapping[Place, int]:
        """At which ends of relations an entity stands, and in how many facts."""
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
        """Whether an entity could be at an end of a relation: it is at that of a fact, or one of its types is."""
        if uri in self._nodes[relation, end]:
            return True
        types = self.entities[uri].types
        return bool(types) and not self._types_at(relation, end).isdisjoint(types)

    def is_of_today(self, relation: str) -> bool:
        """Whether the sentence of a relation is in the present, so that what was so may be so no more."""
        if relation not in self._of_today:
            template = self.relations[relation].template
            words = normalise(template.replace("[X]", " ").replace("[Y]", " ")).split()
            is_plain = bool(words) and not template.startswith(words[0]) and words[0].endswith(_PRESENT_ENDINGS)
            self._of_today[relation] = not vocabulary("present").isdisjoint(words) or (
                is_plain and words[0] not in vocabulary("past_state")
            )
        return self._of_today[relation]

    def is_of_people(self, relation: str) -> bool:
        """Whether the subjects of a relation have people's names, at least a part of them."""
        if relation not in self._people:
            subjects = {one.uri: one for one in islice(self._summaries[relation].entities("subject"), _SAMPLE)}
            is_person = people(subjects)
            found = sum(is_person(one.label) for one in subjects.values())
            self._people[relation] = _PEOPLE * found > len(subjects)
        return self._people[relation]

    def may_end(self, relation: str) -> bool:
        """Whether a relation tells of today, so that what is told in the past may be over; of people all is."""
        return self.is_of_today(relation) and not self.is_of_people(relation)

    @once
    def people(self) -> frozenset[str]:
        """The subjects of the relations about people."""
        found = (one for one in self._summaries if self.is_of_people(one))
        return frozenset(uri for one in found for uri in self._summaries[one].node_summary.subjects)

    def is_person(self, uri: str) -> bool:
        """Return whether an entity is a subject of a relation about people."""
        return uri in self.people

    def facts_about(self, uri: str) -> Iterator[GraphFact]:
        """What the graph has of an entity, first where it is the subject."""
        for end in ENDS:
            for relation in self._summaries:
                for other in self.partners(relation, uri, end):
                    yield self.fact(uri, relation, other) if end == "subject" else self.fact(other, relation, uri)

    def fact(self, subject: str, relation: str, object_: str) -> GraphFact:
        """A triplet with its labels; an id where there is none."""
        info = self.relations[relation]
        labels = self.label(subject), info.label or relation, self.label(object_)
        return GraphFact(labels, (subject, relation, object_))

    def label(self, uri: str) -> str:
        """The label of an entity, else another name of it, else its URI."""
        return next(iter(self.entities[uri].names()), uri)

    @once
    def value_relations(self) -> frozenset[str]:
        """The relations whose objects are dates or numbers, at least half of them."""
        found = set()
        for relation, summary in self._summaries.items():
            some = [value_of(entity.label) is not None for entity in islice(summary.entities("object"), _SAMPLE)]
            if 2 * sum(some) > len(some):
                found.add(relation)
        return frozenset(found)

    @once
    def date_relations(self) -> frozenset[str]:
        """The relations of values whose objects are dates, at least half of them."""
        found = set()
        for relation in self.value_relations:
            labels = (one.label for one in islice(self._summaries[relation].entities("object"), _SAMPLE))
            some = [value is not None and value.year is not None for value in map(value_of, labels)]
            if 2 * sum(some) > len(some):
                found.add(relation)
        return frozenset(found)

    def inverses(self, relation: str) -> tuple[str, ...]:
        """The relations that say the same the other way round, as the facts show, or their words where too few tell; a
        symmetric one is its own."""
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

    @once
    def names(self) -> list[str]:
        """All names, each in the forms that texts are compared in."""
        return list(self._bearers)

    @once
    def _automaton(self) -> Callable[[str], list[tuple[int, int, int]]]:
        """Finds every name in a folded text: its number, start and end."""
        from ahocorasick_rs import AhoCorasick

        automaton = AhoCorasick(self.names)
        return lambda text: automaton.find_matches_as_indexes(_HALF.sub("\ufffd", text), overlapping=True)


@lru_cache(maxsize=1)
def facts_of(graph: Callable[[], Iterable[RelationSummary]]) -> GraphFacts:
    """The facts of a graph, built once for all parts of a run that read it."""
    return GraphFacts(graph())


def _merged(one: Entity, other: Entity) -> Entity:
    """An entity as two relations have it; most often they have the same."""
    if (one.label, one.aliases, one.types) == (other.label, other.aliases, other.types):
        return one
    label, *aliases = dict.fromkeys((*one.names(), *other.names())) or ("",)
    return replace(one, label=label, aliases=tuple(aliases), types=tuple(dict.fromkeys((*one.types, *other.types))))
