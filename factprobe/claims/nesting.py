"""Whether one thing may lie within another, so that a claim of it and a fact of the other can both be right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from itertools import chain, islice

from factprobe.claims.facts import ENDS, GraphFacts, Place
from factprobe.question_types import End

_INNER: Mapping[str | None, End] = {"N-1": "subject", "1-N": "object"}
"""The end of the inner one, by the type of a relation of many in one."""
_ACROSS: Mapping[End, End] = {"subject": "object", "object": "subject"}
_SAMPLE = 200
"""Entities that tell what stands at an end of a relation."""
_SOME, _MOST = 0.1, 0.5
"""Shares of the facts: from which something is not by the way, and from which it is what an entity is known for."""


class Nesting:
    """What a graph tells of the larger and the smaller.

    One thing is within another where a fact that is not mutual links the two, whatever its direction (a city and its
    country, a country and its capital), or where one more fact of many in one leads from there to the other.

    Where it has no such fact, the kinds of the two decide, which the ends of relations tell where they stand. Two ends
    are alike as far as the facts of one are those of entities that stand at the other too, and not just by the way:
    headquarters are mostly where people are born, states of citizens are not. An entity is of the kind of an end when
    the ends of its facts are like that end, on the average at least a little, and may be of it when one of them is at
    which it does not stand just by the way. Its facts at the end itself count only
    where they are most of it: that a few are born in France makes no city of it. Two at one end of a relation
    of one to one are of one kind.
    """

    def __init__(self, facts: GraphFacts) -> None:
        self._facts = facts
        types = {relation: info.type for relation, info in facts.relations.items()}
        self._up: set[Place] = {(one, _INNER[kind]) for one, kind in types.items() if kind in _INNER}
        self._pairs: set[Place] = {(one, end) for one, kind in types.items() if kind == "1-1" for end in ENDS}
        self._outer: dict[str, frozenset[str]] = {}
        self._sames: dict[Place, frozenset[Place]] = {}
        self._overlaps: dict[tuple[Place, Place], float] = {}
        self._one_way: dict[str, bool] = {}
        self._typical: dict[tuple[str, Place], bool] = {}
        self._possible: dict[tuple[str, Place], bool] = {}

    def are_nested(self, one: str, other: str) -> bool:
        """Whether the graph says that one of two things is within the other."""
        return self._is_linked(one, other) or self._leads(one, other) or self._leads(other, one)

    def are_apart(self, one: str, other: str) -> bool:
        """Whether one of two things is known to lie elsewhere than in the other: Vienna, in Austria, and Japan."""
        return self._lies_elsewhere(one, other) or self._lies_elsewhere(other, one)

    def are_alike(self, one: str, other: str, place: Place) -> bool:
        """Whether two things are of the kind that stands at an end of a relation, or neither of them is."""
        is_same = self.may_be(one, place) == self.may_be(other, place)
        return is_same or not self._paired(one).isdisjoint(self._paired(other))

    def is_typical(self, uri: str, place: Place) -> bool:
        """Whether a thing is of the kind that stands at an end of a relation."""
        if (uri, place) not in self._typical:
            likeness = [*self._likeness(uri, place)]
            total = sum(n for n, _ in likeness)
            self._typical[uri, place] = sum(n * like for n, like in likeness) >= _SOME * total > 0
        return self._typical[uri, place]

    def may_be(self, uri: str, place: Place) -> bool:
        """Whether a thing may be of the kind that stands at an end of a relation, by one of those where it stands."""
        if (uri, place) not in self._possible:
            total = sum(self._facts.places(uri).values())
            likeness = self._likeness(uri, place)
            self._possible[uri, place] = any(like >= _SOME and n >= _SOME * total for n, like in likeness)
        return self._possible[uri, place]

    def is_one_way(self, relation: str) -> bool:
        """Whether the two ends of a relation are of different kinds, so that no fact can be told the other way round.

        Their kinds are told by the ends of the other relations where they stand.
        """
        if relation not in self._one_way:
            subjects, objects = (self._elsewhere(relation, end) for end in ENDS)
            both = sum(min(subjects[place] / subjects.total(), objects[place] / objects.total()) for place in subjects)
            self._one_way[relation] = bool(subjects and objects) and both < _SOME
        return self._one_way[relation]

    def _elsewhere(self, relation: str, end: End) -> Counter[Place]:
        """How many of some entities at an end stand at each end of the other relations."""
        some = islice(self._facts.counts(relation, end), _SAMPLE)
        return Counter(place for uri in some for place in self._facts.places(uri) if place[0] != relation)

    def _is_linked(self, one: str, other: str) -> bool:
        between, back = ({*self._facts.between(*pair)} for pair in ((one, other), (other, one)))
        return any(relation not in self._facts.inverses(relation) for relation in between ^ back)

    def _leads(self, inner: str, outer: str) -> bool:
        middles = self._outer_ones(inner).union(self._partners(inner, self._pairs))
        return any(outer in self._outer_ones(middle) for middle in middles)

    def _lies_elsewhere(self, inner: str, outer: str) -> bool:
        """Whether a thing is in another one of the kind of what it is not in."""
        places = self._facts.places(outer)
        for relation, end in self._facts.places(inner):
            if (relation, end) in self._up or (relation, end) in self._pairs:
                across: list[Place] = [(relation, _ACROSS[end])]
                across += [(other, end) for other in self._facts.inverses(relation)]
                if any(place in places and self.is_typical(outer, place) for place in across):
                    return True
        return False

    def _outer_ones(self, uri: str) -> frozenset[str]:
        """Where a fact of many in one leads."""
        if uri not in self._outer:
            self._outer[uri] = frozenset(self._partners(uri, self._up))
        return self._outer[uri]

    def _partners(self, uri: str, places: Collection[Place]) -> Iterator[str]:
        own = (place for place in self._facts.places(uri) if place in places)
        return chain.from_iterable(self._facts.partners(relation, uri, end) for relation, end in own)

    def _paired(self, uri: str) -> set[Place]:
        """The ends of relations of one to one where a thing stands, and not by the way: capitals are of one kind."""
        own = {place for place in self._facts.places(uri) if place in self._pairs and self._share(uri, place) >= _SOME}
        return own | {(other, _ACROSS[end]) for one, end in own for other in self._facts.inverses(one)}

    def _likeness(self, uri: str, place: Place) -> Iterator[tuple[int, float]]:
        """How many facts a thing has at each end where it stands, and how like that is to another end."""
        counts = self._facts.places(uri)
        own = self._same(place) if self._share(uri, place) < _MOST else ()
        return ((n, self._overlap(one, place)) for one, n in counts.items() if one not in own)

    def _same(self, place: Place) -> frozenset[Place]:
        """An end, and those of the relations that say the same the other way round: who has a capital, whose it is."""
        if place not in self._sames:
            relation, end = place
            self._sames[place] = frozenset([place, *((one, _ACROSS[end]) for one in self._facts.inverses(relation))])
        return self._sames[place]

    def _overlap(self, one: Place, other: Place) -> float:
        """The share of the facts of one end whose entities stand at the other as well, and not just by the way."""
        if (one, other) not in self._overlaps:
            self._overlaps[one, other] = max(self._shared(same, other) for same in self._same(one))
        return self._overlaps[one, other]

    def _shared(self, one: Place, other: Place) -> float:
        counts = self._facts.counts(*one)
        both = sum(count for uri, count in counts.items() if self._share(uri, other) >= _SOME)
        return both / sum(counts.values())

    def _share(self, uri: str, place: Place) -> float:
        counts = self._facts.places(uri)
        return sum(counts.get(same, 0) for same in self._same(place)) / sum(counts.values())
