"""Wrong answers that are easily taken for the right one: near to it in the graph, or in its name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from factprobe.generators.negatives.base import CandidateEnd, Negatives, Wanted
from factprobe.generators.negatives.labels import LabelIndex
from factprobe.generators.sampling import Candidate, shuffled

if TYPE_CHECKING:
    from random import Random

_MOST = 8
"""Entities that count as near in the graph, and as many in name."""
_LOOKED_AT = 32
"""Neighbours of an entity that are looked at; of more of them as many, evenly spread."""


class Near(Negatives):
    """The entities of the side that are nearest to the right answer, in any order.

    Near in the graph are those that have most neighbours in common with it, over all relations, each weighing the less
    the more neighbours it has itself (resource allocation: Zhou, Lü and Zhang 2009, European Physical Journal B 71);
    near in name those of `LabelIndex`. What is looked at of an entity is bounded, so the work is linear in them.
    """

    wider: ClassVar[str | None] = "typed"
    avoids_linked: ClassVar[bool] = True

    def __init__(self, side: CandidateEnd) -> None:
        super().__init__(side)
        self._candidates = {candidate.entity.uri: candidate for candidate in side.pool.all}
        self._labels = LabelIndex([candidate.key for candidate in side.pool.all])
        self._neighbours = side.graph.neighbours
        self._near: dict[str, list[Candidate]] = {}

    def candidates(self, wanted: Wanted, rng: Random) -> Iterable[Candidate]:
        """See the base class."""
        uri = wanted.right.uri
        if uri not in self._near:
            in_name = [self.side.pool.all[i] for i in self._labels.near(self.side.pool.key(uri), _MOST)]
            self._near[uri] = list(dict.fromkeys([*self._in_graph(uri), *in_name]))
        return shuffled(self._near[uri], rng)

    def _in_graph(self, uri: str) -> list[Candidate]:
        """Those that have most neighbours in common with an entity, the nearest first."""
        shared: dict[str, float] = {}
        for between in _some(self._neighbours.get(uri, ())):
            others = self._neighbours[between]
            for other in _some(others):
                if other in self._candidates and other != uri:
                    shared[other] = shared.get(other, 0.0) + 1 / len(others)
        nearest = sorted(shared, key=lambda other: (-shared[other], other))
        return [self._candidates[other] for other in nearest[:_MOST]]


def _some(uris: Sequence[str]) -> Iterator[str]:
    return iter(uris[:: -(-len(uris) // _LOOKED_AT)] if len(uris) > _LOOKED_AT else uris)
