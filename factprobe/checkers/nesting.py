"""Whether one thing may lie within another, so that a claim of it and a fact of the other can both be right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice, product

from factprobe.claims.facts import ENDS, GraphFacts
from factprobe.question_types import End

_INNER: Mapping[str | None, End] = {"N-1": "subject", "1-N": "object"}
"""The end of the inner one, by the type of a relation of many in one."""
_SAMPLE = 200
"""Entities that tell what stands at an end of a relation."""
_SOME, _MOST = 0.1, 0.5
"""Shares of the facts: from which something is not by the way, and from which it is what an entity is known for."""

Place = tuple[str, End]
"""A relation and an end of it."""


class Nesting:
    """What a graph tells of the larger and the smaller.

    One thing is within another where a fact that is not mutual links the two, whatever its direction (a city and its
    country, a country and its capital), or where one more fact of many in one leads from there to the other.

    Where it has no such fact, the kinds of the two decide, which the ends of relations tell where they stand. Two ends
    are alike as far as the facts of one are those of entities that stand at the other too, and not just by the way:
    headquarters are mostly where people are born, states of citizens are not. An entity is of the kind of an end when
    the ends of its facts are like that end, on the average at least a little. Its facts at the end itself count only
    where they are most of it: that a few are born in France makes no city of it.
    """

    def __init__(self, facts: GraphFacts) -> None:
        self._facts = facts
        types = {relation: info.type for relation, info in facts.relations.items()}
        self._up: list[Place] = [(one, _INNER[kind]) for one, kind in types.items() if kind in _INNER]
        self._pairs: list[Place] = [(one, end) for one, kind in types.items() if kind == "1-1" for end in ENDS]
        self._places: dict[str, dict[Place, int]] = {}
        self._overlaps: dict[tuple[Place, Place], float] = {}
        self._one_way: dict[str, bool] = {}
        self._typical: dict[tuple[str, Place], bool] = {}

    def are_nested(self, one: str, other: str) -> bool:
        """Whether the graph says that one of two things is within the other."""
        return self._is_linked(one, other) or self._leads(one, other) or self._leads(other, one)

    def are_alike(self, one: str, other: str, place: Place) -> bool:
        """Whether two things are of the kind that stands at an end of a relation, or neither of them is."""
        return self._is_typical(one, place) == self._is_typical(other, place)

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
        return Counter(place for uri in some for place in self._counts(uri) if place[0] != relation)

    def _is_linked(self, one: str, other: str) -> bool:
        between, back = ({*self._facts.between(*pair)} for pair in ((one, other), (other, one)))
        return any(relation not in self._facts.inverses(relation) for relation in between ^ back)

    def _leads(self, inner: str, outer: str) -> bool:
        middles = {*self._partners(inner, self._up), *self._partners(inner, self._pairs)}
        return any(outer in self._partners(middle, self._up) for middle in middles)

    def _partners(self, uri: str, places: Iterable[Place]) -> Iterator[str]:
        return chain.from_iterable(self._facts.partners(relation, uri, end) for relation, end in places)

    def _is_typical(self, uri: str, place: Place) -> bool:
        if (uri, place) not in self._typical:
            self._typical[uri, place] = self._likeness(uri, place) >= _SOME
        return self._typical[uri, place]

    def _likeness(self, uri: str, place: Place) -> float:
        counts = dict(self._counts(uri))
        if self._share(uri, place) < _MOST:
            counts.pop(place, None)
        return sum(n * self._overlap(one, place) for one, n in counts.items()) / sum(counts.values())

    def _overlap(self, one: Place, other: Place) -> float:
        """The share of the facts of one end whose entities stand at the other as well, and not just by the way."""
        if (one, other) not in self._overlaps:
            counts = self._facts.counts(*one)
            both = sum(count for uri, count in counts.items() if self._share(uri, other) >= _SOME)
            self._overlaps[one, other] = both / sum(counts.values())
        return self._overlaps[one, other]

    def _share(self, uri: str, place: Place) -> float:
        counts = self._counts(uri)
        return counts.get(place, 0) / sum(counts.values())

    def _counts(self, uri: str) -> dict[Place, int]:
        """How many facts an entity has at each end where it stands."""
        if uri not in self._places:
            ends = product(self._facts.relations, ENDS)
            self._places[uri] = {one: n for one in ends if (n := len(self._facts.partners(one[0], uri, one[1])))}
        return self._places[uri]
