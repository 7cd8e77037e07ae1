"""Wrong answers close to the right one, in the graph or in name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from factprobe.generators.negatives.base import CandidateEnd, Negatives, Wanted
from factprobe.generators.negatives.labels import LabelIndex
from factprobe.generators.negatives.typed import SideTypes
from factprobe.generators.sampling.distractors import Candidate, shuffled, some_of

if TYPE_CHECKING:
    from random import Random

_MOST = 8
"""Number of near entities in the graph, and as many in name."""
_LOOKED_AT = 32
"""Most neighbours of an entity that are read, evenly spread."""


class Near(Negatives):
    """Entities of the side that are nearest to the right answer, in any order.

    Near in the graph are those that have most neighbours in common with it, over all relations, each weighing the less
    the more neighbours it has itself (resource allocation: Zhou, Lü and Zhang 2009, European Physical Journal B 71);
    near in name those of `LabelIndex` that share a type with it, where its types are known. What is looked at of an
    entity is bounded, so the work is linear in them.
    """

    wider: ClassVar[str | None] = "typed"
    avoids_linked: ClassVar[bool] = True
    avoids_together: ClassVar[bool] = False

    def __init__(self, side: CandidateEnd) -> None:
        super().__init__(side)
        self._candidates = {candidate.entity.uri: candidate for candidate in side.pool.all}
        self._labels = LabelIndex([candidate.key for candidate in side.pool.all])
        self._neighbours = side.graph.neighbours
        self._types = SideTypes(side)
        self._near: dict[str, list[Candidate]] = {}

    def candidates(self, wanted: Wanted, rng: Random) -> Iterable[Candidate]:
        """See the base class."""
        uri = wanted.right.uri
        if uri not in self._near:
            self._near[uri] = list(dict.fromkeys([*self._in_graph(uri), *self._in_name(uri)]))
        return shuffled(self._near[uri], rng)

    def _in_name(self, uri: str) -> list[Candidate]:
        """Return the entities whose names are most like an entity's, of its kind."""
        types = self._types.of(uri)
        found = [self.side.pool.all[i] for i in self._labels.near(self.side.pool.key(uri), _MOST)]
        return [one for one in found if not types or types & self._types.of(one.entity.uri)]

    def _in_graph(self, uri: str) -> list[Candidate]:
        """Return the entities that share most neighbours with an entity, nearest first."""
        shared: dict[str, float] = {}
        for between in some_of(self._neighbours.get(uri, ()), _LOOKED_AT):
            others = self._neighbours[between]
            for other in some_of(others, _LOOKED_AT):
                if other in self._candidates and other != uri:
                    shared[other] = shared.get(other, 0.0) + 1 / len(others)
        nearest = sorted(shared, key=lambda other: (-shared[other], other))
        return [self._candidates[other] for other in nearest[:_MOST]]
