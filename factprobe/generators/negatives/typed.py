"""Wrong answers of the same type as the right one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from factprobe.generators.negatives.base import CandidateEnd, Negatives, Wanted
from factprobe.generators.negatives.graph import role_of
from factprobe.generators.sampling import Candidate, shuffled

if TYPE_CHECKING:
    from random import Random

_UNKNOWN: frozenset[str] = frozenset()


class Typed(Negatives):
    """Entities of the side that share a type with the right answer, those of its rarest type first.

    The types are those that the source declares for the side. Where it declares none, they are the roles that an entity
    has elsewhere in the graph, the ends of relations at which it stands (`P36:object`, a capital): a class as the range
    of a property (RDF Schema 1.1, section 3.1). An entity that stands nowhere else has no type, and the range of the
    relation itself is left to it.
    """

    def __init__(self, side: CandidateEnd) -> None:
        super().__init__(side)
        declared = {entity.uri: frozenset(entity.types) for entity in side.summary.entities(side.end) if entity.types}
        self._types: Mapping[str, frozenset[str]] = declared or side.graph.roles
        self._members: dict[str, list[Candidate]] = {}
        for candidate in side.pool.all:
            for name in self._types.get(candidate.entity.uri, _UNKNOWN):
                self._members.setdefault(name, []).append(candidate)
        self._members.pop(role_of(side.summary, side.end), None)  # which all of them have
        self._orders: dict[frozenset[str], list[str]] = {}

    def candidates(self, wanted: Wanted, rng: Random) -> Iterator[Candidate]:
        """See the base class."""
        for name in self._rarest_first(self._types.get(wanted.right.uri, _UNKNOWN)):
            members = self.side.pool.left(self._members[name], name, wanted.key, wanted.true)
            yield from shuffled(members, rng)

    def _rarest_first(self, types: frozenset[str]) -> list[str]:
        order = self._orders.get(types)
        if order is None:
            known = [name for name in types if name in self._members]
            order = self._orders[types] = sorted(known, key=lambda name: (len(self._members[name]), name))
        return order
