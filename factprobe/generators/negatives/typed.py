"""Strategy for wrong answers of the same type as the right one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from random import Random

from factprobe.generators.negatives.base import CandidateEnd, DistractorRequest, Negatives, role_of
from factprobe.generators.sampling.distractors import Candidate, shuffled

_UNKNOWN: frozenset[str] = frozenset()
_NO_OTHER_ROLE = "nowhere else"
"""Type of entities that occur only at this end of the relation, if no types are declared."""
_NO_OTHER_ROLES = frozenset({_NO_OTHER_ROLE})


class SideTypes:
    """Types of the entities at one end of a relation.

    The source declares them. If it declares none for the whole end, the roles of an entity at other relation ends are
    its types (`P36:object` for capitals), as a class may be the range of a property (RDF Schema 1.1, section 3.1).
    Entities without another role form a type of their own.
    """

    def __init__(self, side: CandidateEnd) -> None:
        declared = {entity.uri: frozenset(entity.types) for entity in side.summary.entities(side.end) if entity.types}
        self._own = frozenset({role_of(side.summary, side.end)})
        """Role at this end, which all entities have."""
        self._types: Mapping[str, frozenset[str]] = declared or side.graph.roles
        self._without_type = _UNKNOWN if declared else self._own
        self._without_own = cache(self._subtract_own)

    def of(self, uri: str) -> frozenset[str]:
        """Return the types of an entity; empty if they are unknown."""
        return self._without_own(self._types.get(uri, _UNKNOWN))

    def _subtract_own(self, types: frozenset[str]) -> frozenset[str]:
        return _NO_OTHER_ROLES if types and types == self._without_type else types - self._own


class Typed(Negatives):
    """Strategy that draws entities that share a type with the right answer, beginning with its rarest type."""

    def __init__(self, side: CandidateEnd) -> None:
        super().__init__(side)
        self._types = SideTypes(side)
        self._members: dict[str, list[Candidate]] = {}
        for candidate in side.pool.all:
            for name in self._types.of(candidate.entity.uri):
                self._members.setdefault(name, []).append(candidate)
        if len(self._members.get(_NO_OTHER_ROLE, ())) == len(side.pool.all):
            self._members.pop(_NO_OTHER_ROLE, None)  # all entities have the type
        self._rarest_first = cache(self._order)

    def candidates(self, wanted: DistractorRequest, rng: Random) -> Iterable[Candidate]:
        """Return the entities with a type of the right answer, rarest type first; none if no types are known."""
        if not self._members:
            return ()
        names = self._rarest_first(self._types.of(wanted.right.uri))
        if len(names) == 1:
            return shuffled(self._members_for(names[0], wanted), rng)
        return chain.from_iterable(shuffled(self._members_for(name, wanted), rng) for name in names)

    def _members_for(self, name: str, wanted: DistractorRequest) -> Sequence[Candidate]:
        return self.side.pool.candidates_for(self._members[name], name, wanted.key, wanted.true)

    def _order(self, types: frozenset[str]) -> list[str]:
        known_types = [name for name in types if name in self._members]
        return sorted(known_types, key=lambda name: (len(self._members[name]), name))
