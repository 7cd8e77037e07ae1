"""Inference from a graph's facts: inverse relations, parts and wholes, types of entities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import chain, islice
from typing import Any

from factprobe.claims.by_graph.fact_index import GraphFacts
from factprobe.claims.by_graph.pairs import BETWEEN
from factprobe.claims.by_graph.wordings import cues_in_wording, wordings_of
from factprobe.kgs.fact_lookup import RelationEnd
from factprobe.question_types import ENDS, End
from factprobe.reading.language import vocabulary
from factprobe.records import Relation
from factprobe.text import normalise

_PART_END: Mapping[str | None, End] = {"N-1": "subject", "1-N": "object"}
"""End of a relation with the part of a whole, by the relation's type."""
_OTHER_END: Mapping[End, End] = {"subject": "object", "object": "subject"}
_SAMPLED_ENTITIES = 200
_MIN_REVERSED = 3
"""Minimum number of reversed facts that make another relation the inverse."""
_NOT_INCIDENTAL = 0.1
"""Minimum fraction of an entity's facts at an end for a role that is not incidental; also that of two similar ends."""
_MAIN_ROLE = 0.5
"""Minimum fraction of an entity's facts at one end of a relation, for its role there to be its main role."""


Role = tuple[tuple[str, ...], bool]
"""Noun of a relation's end, and whether that end is the subject."""


class Nesting:
    """Comparison of entities as parts and wholes, and by type, derived from the facts of a graph.

    An entity is a part of another if an asymmetric fact links the two in either direction (a city and its country, a
    country and its capital), or if a chain of two many-to-one facts leads from one to the other.

    Otherwise the types of the two entities are compared. A type is an end of a relation, such as the object of
    "birthplace". Two ends are similar by the fraction of one end's facts whose entities also occur at the other end,
    more than incidentally: headquarters are mostly in birthplaces, but countries of citizenship are not. An entity has
    the type of an end if the ends at which it occurs are similar to it on average. It may have the type if an end where
    it occurs more than incidentally is similar. Its facts at the end itself are ignored unless they are at least half
    of its facts: a few people born in France do not make it a city. Two entities at the same end of a one-to-one
    relation have the same type.
    """

    def __init__(self, facts: GraphFacts) -> None:
        self._facts = facts
        types = {relation: info.type for relation, info in facts.relations.items()}
        self._part_ends: set[RelationEnd] = {(one, _PART_END[kind]) for one, kind in types.items() if kind in _PART_END}
        self._one_to_one: set[RelationEnd] = {
            (one, end) for one, kind in types.items() if kind == "1-1" for end in ENDS
        }
        costly: list[Callable[..., Any]] = [self.inverses, self.is_typical, self.may_be, self.is_one_way]
        costly += self._outer_ones, self._equivalent_ends, self._overlap
        for method in costly:
            setattr(self, method.__name__, cache(method))

    def inverses(self, relation: str) -> tuple[str, ...]:
        """Return a relation's inverses (itself if symmetric), found by facts or, if few, by nouns of the wordings."""
        facts = list(islice(self._facts.summaries[relation].facts(), _SAMPLED_ENTITIES))
        names = {(noun, not is_subject) for noun, is_subject in self._roles[relation]}
        return tuple(other for other in self._facts.relations if self._reverses(other, facts, names))

    @cached_property
    def _roles(self) -> Mapping[str, Sequence[Role]]:
        """Nouns of the ends of each relation."""
        return {relation: [*roles(info)] for relation, info in self._facts.relations.items()}

    def _reverses(self, other: str, facts: Sequence[tuple[str, str]], names: Collection[Role]) -> bool:
        graph = self._facts
        subjects, objects = graph.nodes[other, "subject"], graph.nodes[other, "object"]
        checkable = [(s, o) for s, o in facts if o in subjects and s in objects]
        reverse = sum(graph.holds(other, object_, subject) for subject, object_ in checkable)
        if len(checkable) < _MIN_REVERSED:
            return any(role in names for role in self._roles[other])
        return reverse >= _MIN_REVERSED and 2 * reverse > len(checkable)

    def are_nested(self, one: str, other: str) -> bool:
        """Return whether the graph implies that one entity is a part of the other."""
        return self.is_linked(one, other) or self._has_chain(one, other) or self._has_chain(other, one)

    def are_apart(self, one: str, other: str) -> bool:
        """Return whether one entity is known to lie outside the other (Vienna lies in Austria, not in Japan)."""
        return self._lies_elsewhere(one, other) or self._lies_elsewhere(other, one)

    def are_alike(self, one: str, other: str, place: RelationEnd) -> bool:
        """Return whether two entities seem to have the same type.

        They do if both or neither may have the type of the end `place`, or if both occur at one end of a one-to-one
        relation.
        """
        is_same = self.may_be(one, place) == self.may_be(other, place)
        return is_same or not self._one_to_one_ends(one).isdisjoint(self._one_to_one_ends(other))

    def is_typical(self, uri: str, place: RelationEnd) -> bool:
        """Return whether an entity has, on average over its facts, the type of an end of a relation."""
        likeness = [*self._likeness(uri, place)]
        total = sum(n for n, _ in likeness)
        return sum(n * like for n, like in likeness) >= _NOT_INCIDENTAL * total > 0

    def may_be(self, uri: str, place: RelationEnd) -> bool:
        """Return whether an entity occurs, more than incidentally, at an end that is similar to the given end."""
        total = sum(self._facts.places(uri).values())
        likeness = self._likeness(uri, place)
        return any(like >= _NOT_INCIDENTAL and n >= _NOT_INCIDENTAL * total for n, like in likeness)

    def is_one_way(self, relation: str) -> bool:
        """Return whether the ends of a relation have different types, so that its facts cannot be reversed.

        Types follow from the ends of the other relations at which the entities occur.
        """
        subjects, objects = (self._count_other_ends(relation, end) for end in ENDS)
        n, m = subjects.total(), objects.total()
        both = sum(min(subjects[place] * m, objects[place] * n) for place in subjects)
        return both < _NOT_INCIDENTAL * n * m

    def _count_other_ends(self, relation: str, end: End) -> Counter[RelationEnd]:
        """Count the sampled entities of an end that also occur at each end of other relations."""
        sample = islice(self._facts.nodes[relation, end], _SAMPLED_ENTITIES)
        return Counter(place for uri in sample for place in self._facts.places(uri) if place[0] != relation)

    def is_linked(self, one: str, other: str) -> bool:
        """Return whether an asymmetric fact links two entities, such as a place and its country."""
        between, back = ({*self._facts.between(*pair)} for pair in ((one, other), (other, one)))
        return any(relation not in self.inverses(relation) for relation in between ^ back)

    def _has_chain(self, inner: str, outer: str) -> bool:
        middles = self._outer_ones(inner).union(self._partners(inner, self._paired_ends))
        return any(outer in self._outer_ones(middle) for middle in middles)

    @cached_property
    def _paired_ends(self) -> Collection[RelationEnd]:
        """Ends of the one-to-one relations without people: nobody is a part of a place, even if alone born there."""
        with_people = {relation for relation, _ in self._facts.ends_with_people}
        return {place for place in self._one_to_one if place[0] not in with_people}

    def _lies_elsewhere(self, inner: str, outer: str) -> bool:
        """Return whether an entity is part of a whole with the type of `outer`; callers know that it is not `outer`."""
        places = self._facts.places(outer)
        for relation, end in self._facts.places(inner):
            if (relation, end) in self._part_ends or (relation, end) in self._one_to_one:
                across: list[RelationEnd] = [(relation, _OTHER_END[end])]
                across += [(other, end) for other in self.inverses(relation)]
                if any(place in places and self.is_typical(outer, place) for place in across):
                    return True
        return False

    def _outer_ones(self, uri: str) -> frozenset[str]:
        """Return the wholes of which an entity is a part by a many-to-one fact."""
        return frozenset(self._partners(uri, self._part_ends))

    def _partners(self, uri: str, places: Collection[RelationEnd]) -> Iterator[str]:
        occupied = (place for place in self._facts.places(uri) if place in places)
        return chain.from_iterable(self._facts.summaries[relation].partners(uri, end) for relation, end in occupied)

    def _one_to_one_ends(self, uri: str) -> set[RelationEnd]:
        """Return the ends of one-to-one relations where an entity occurs more than incidentally, as capitals do."""
        ends = {
            place
            for place in self._facts.places(uri)
            if place in self._one_to_one and self._share(uri, place) >= _NOT_INCIDENTAL
        }
        return ends | {(other, _OTHER_END[end]) for one, end in ends for other in self.inverses(one)}

    def _likeness(self, uri: str, place: RelationEnd) -> Iterator[tuple[int, float]]:
        """Yield, for each end where an entity occurs, the number of its facts and their similarity to the given end."""
        counts = self._facts.places(uri)
        ignored = self._equivalent_ends(place) if self._share(uri, place) < _MAIN_ROLE else ()
        return ((n, self._overlap(one, place)) for one, n in counts.items() if one not in ignored)

    def _equivalent_ends(self, place: RelationEnd) -> frozenset[RelationEnd]:
        """Return an end together with the equivalent ends of the inverse relations."""
        relation, end = place
        return frozenset([place, *((id_, _OTHER_END[end]) for id_ in self.inverses(relation))])

    def _overlap(self, one: RelationEnd, other: RelationEnd) -> float:
        """Return the fraction of one end's facts whose entities occur more than incidentally at another end."""
        return max(self._compute_overlap(same, other) for same in self._equivalent_ends(one))

    def _compute_overlap(self, one: RelationEnd, other: RelationEnd) -> float:
        counts = {uri: len(node.partners) for uri, node in self._facts.nodes[one].items()}
        both = sum(count for uri, count in counts.items() if self._share(uri, other) >= _NOT_INCIDENTAL)
        return both / sum(counts.values()) if counts else 0.0

    def _share(self, uri: str, place: RelationEnd) -> float:
        counts = self._facts.places(uri)
        return sum(counts.get(same, 0) for same in self._equivalent_ends(place)) / sum(counts.values())


def roles(relation: Relation) -> Iterator[Role]:
    """Yield the nouns in a relation's wordings: "[X] is the capital of [Y]" has "capital" for the subject.

    A place is no role: "[X] is on the continent of [Y]" has no noun for the subject.
    """
    for template in wordings_of(relation, with_common=False):
        has_place = not vocabulary("place_preposition").isdisjoint(normalise(template).split())
        for cue in () if has_place else cues_in_wording(relation.relation, template):
            if cue.zone == BETWEEN and cue.preposition in vocabulary("of"):
                yield cue.keys, cue.next_end == "object"
