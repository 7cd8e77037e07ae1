"""Wrong answers of the same type as the right one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from factprobe.generators.negatives.base import CandidateEnd, Negatives, Wanted
from factprobe.generators.negatives.neighbours import role_of
from factprobe.generators.sampling.distractors import Candidate, shuffled

if TYPE_CHECKING:
    from random import Random

_UNKNOWN: frozenset[str] = frozenset()
_NOWHERE_ELSE = "nowhere else"
"""Type of entities that occur only at this end of the relation."""
_ALONE = frozenset({_NOWHERE_ELSE})


class SideTypes:
    """Types of the entities at one end of a relation.

    They are the types that the source declares. If it declares none for the whole end, they are the roles of an entity
    at other ends of relations (`P36:object`, a capital), as a class may be the range of a property (RDF Schema 1.1,
    section 3.1). Entities without another role form a type of their own.
    """

    def __init__(self, side: CandidateEnd) -> None:
        declared = {entity.uri: frozenset(entity.types) for entity in side.summary.entities(side.end) if entity.types}
        self._own = frozenset({role_of(side.summary, side.end)})
        """Role at this end, which all entities share."""
        self._types: Mapping[str, frozenset[str]] = declared or side.graph.roles
        self._without_type = _UNKNOWN if declared else self._own

    def of(self, uri: str) -> frozenset[str]:
        """Return the types of an entity; empty if they are unknown."""
        types = self._types.get(uri, _UNKNOWN)
        return _ALONE if types and types == self._without_type else types - self._own


class Typed(Negatives):
    """Strategy that draws entities that share a type with the right answer, its rarest type first."""

    def __init__(self, side: CandidateEnd) -> None:
        super().__init__(side)
        self._types = SideTypes(side)
        self._members: dict[str, list[Candidate]] = {}
        for candidate in side.pool.all:
            for name in self._types.of(candidate.entity.uri):
                self._members.setdefault(name, []).append(candidate)
        if len(self._members.get(_NOWHERE_ELSE, ())) == len(side.pool.all):
            self._members.pop(_NOWHERE_ELSE, None)  # all entities have the type
        self._orders: dict[frozenset[str], list[str]] = {}

    def candidates(self, wanted: Wanted, rng: Random) -> Iterator[Candidate]:
        """See the base class."""
        for name in self._rarest_first(self._types.of(wanted.right.uri)):
            members = self.side.pool.candidates_for(self._members[name], name, wanted.key, wanted.true)
            yield from shuffled(members, rng)

    def _rarest_first(self, types: frozenset[str]) -> list[str]:
        order = self._orders.get(types)
        if order is None:
            known = [name for name in types if name in self._members]
            order = self._orders[types] = sorted(known, key=lambda name: (len(self._members[name]), name))
        return order
