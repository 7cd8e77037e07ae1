"""Strategy for wrong answers that are close to the right one, in the graph or in name."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import ClassVar

from factprobe.generators.negatives.base import CandidateEnd, DistractorRequest, Negatives
from factprobe.generators.negatives.typed import SideTypes
from factprobe.generators.sampling.distractors import Candidate, shuffled, spread_sample
from factprobe.question_types import other_end

_MAX_ADJACENT = 8
"""Number of names compared before and after a name, in each alphabetical order."""
_MAX_RARE = 64
"""Maximum number of names with a word that counts as rare."""
_MIN_SIMILARITY = 60.0
"""Minimum similarity of near names, in per cent."""


class SimilarNames:
    """Index of distinct normalised names by similarity, which does not compare all pairs.

    A name is compared with a few hundred others at most: names that share a rare word with it, and its neighbours in
    the alphabetical orders of names and of reversed names. The similarity is rapidfuzz's normalised Indel similarity:
    the share of characters that remain if the necessary insertions and deletions are subtracted.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._orders = [sorted((name[::step], i) for i, name in enumerate(names)) for step in (1, -1)]
        self._with_word: dict[str, list[int]] = {}
        for i, name in enumerate(names):
            for word in dict.fromkeys(name.split()):
                self._with_word.setdefault(word, []).append(i)

    def most_similar(self, name: str, count: int) -> list[int]:
        """Return the indices of up to `count` other names similar to a normalised name, the most similar first."""
        from rapidfuzz import fuzz, process

        near = {i: self._names[i] for i in self._compared(name) if self._names[i] != name}
        return [
            i for _, _, i in process.extract(name, near, scorer=fuzz.ratio, limit=count, score_cutoff=_MIN_SIMILARITY)
        ]

    def _compared(self, name: str) -> Iterator[int]:
        for word in name.split():
            indices = self._with_word.get(word, ())
            if len(indices) <= _MAX_RARE:
                yield from indices
        for order, key in zip(self._orders, (name, name[::-1]), strict=True):
            place = bisect_left(order, (key, 0))
            yield from (i for _, i in order[max(place - _MAX_ADJACENT, 0) : place + _MAX_ADJACENT + 1])


_MAX_NEAR = 8
"""Maximum number of entities that are near in the graph, and also of entities with similar names."""
_MAX_NEIGHBOURS = 32
"""Maximum number of neighbours of an entity that are read, evenly spread over all of them."""


class Near(Negatives):
    """Strategy that draws from the entities nearest to the right answer, in random order.

    Entities are near in the graph if they share neighbours over all relations; each shared neighbour has the inverse of
    its degree as weight (resource allocation: Zhou, Lü and Zhang 2009, European Physical Journal B 71). A neighbour of
    which both are answers does not count, since both may be right. Entities are near in name if `SimilarNames` finds
    them, and they share a type with the right answer if its types are known. A bounded number of neighbours is read, so
    that the time is linear in the number of entities.
    """

    wider: ClassVar[str | None] = "typed"
    avoids_linked: ClassVar[bool] = True

    def __init__(self, side: CandidateEnd) -> None:
        super().__init__(side)
        self._candidates = {candidate.entity.uri: candidate for candidate in side.pool.all}
        self._labels = SimilarNames([candidate.key for candidate in side.pool.all])
        self._neighbours = side.graph.neighbours
        self._types = SideTypes(side)
        self._near: dict[str, list[Candidate]] = {}

    def candidates(self, wanted: DistractorRequest, rng: Random) -> Iterable[Candidate]:
        """Return the entities close to the right answer in the graph or in name, in random order."""
        uri = wanted.right.uri
        if uri not in self._near:
            self._near[uri] = list(dict.fromkeys([*self._in_graph(uri), *self._in_name(uri)]))
        return shuffled(self._near[uri], rng)

    def _in_name(self, uri: str) -> list[Candidate]:
        """Return the entities named most like an entity; only those of its types, if these are known."""
        types = self._types.of(uri)
        candidates = [self.side.pool.all[i] for i in self._labels.most_similar(self.side.pool.key(uri), _MAX_NEAR)]
        return [candidate for candidate in candidates if not types or types & self._types.of(candidate.entity.uri)]

    def _in_graph(self, uri: str) -> list[Candidate]:
        """Return the entities that share the most neighbours with an entity, nearest first."""
        shared: dict[str, float] = {}
        given = other_end(self.side.end)
        for between in spread_sample(self._neighbours.get(uri, ()), _MAX_NEIGHBOURS):
            others = self._neighbours[between]
            answers = frozenset(self.side.summary.partners(between, given))
            for other in spread_sample(others, _MAX_NEIGHBOURS):
                if other in self._candidates and other != uri and not {uri, other} <= answers:
                    shared[other] = shared.get(other, 0.0) + 1 / len(others)
        nearest = sorted(shared, key=lambda other: (-shared[other], other))
        return [self._candidates[other] for other in nearest[:_MAX_NEAR]]
