"""Strategy for wrong answers that are about as popular as the right one."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate
from random import Random
from typing import ClassVar, NamedTuple

from factprobe.generators.negatives.base import CandidateEnd, DistractorRequest, Negatives
from factprobe.generators.sampling.distractors import Candidate, shuffled
from factprobe.records import Entity

_MIN_GROUP = 16
"""Minimum number of entities in a group."""
_WEIGHTED_DRAWS = 16
"""Number of draws by popularity, after which all members of the group are equally likely."""


class _Group(NamedTuple):
    """Entities of similar popularity."""

    name: str
    members: Sequence[Candidate]
    sums: Sequence[int]
    """Cumulative popularity of the members; empty if all are equally popular."""


class Popular(Negatives):
    """Strategy that draws entities about as popular as the right answer, more popular ones more often.

    The entities are ranked by popularity and divided into groups; a group of 16 or more ends where the popularity falls
    below half that of its first member. The groups are the same for all questions, and an entity is a wrong answer
    about as often as it is a right one, so that popularity does not show which option is right.
    """

    wider: ClassVar[str | None] = "typed"

    def __init__(self, side: CandidateEnd) -> None:
        super().__init__(side)
        degrees = {candidate.entity.uri: side.popularity(candidate.entity) for candidate in side.pool.all}
        ranked = sorted(side.pool.all, key=lambda candidate: -degrees[candidate.entity.uri])
        self._groups: list[_Group] = []
        self._floors: list[int] = []
        """Popularity of the last member of each group, with a minus sign, so that they ascend."""
        self._places: dict[str, int] = {}
        """Index of each member within its group."""
        for members in _groups(ranked, [degrees[candidate.entity.uri] for candidate in ranked]):
            weights = [degrees[candidate.entity.uri] for candidate in members]
            sums = [] if weights[0] == weights[-1] else list(accumulate(weights))
            self._groups.append(_Group(f"popular {len(self._groups)}", members, sums))
            self._floors.append(-weights[-1])
            self._places.update((candidate.entity.uri, place) for place, candidate in enumerate(members))

    def candidates(self, wanted: DistractorRequest, rng: Random) -> Iterator[Candidate]:
        """Yield entities that are about as popular as the right answer, drawn at random."""
        if not self._groups:
            return
        place = bisect_left(self._floors, -self.side.popularity(wanted.right))
        name, members, sums = self._groups[min(place, len(self._groups) - 1)]
        if sums:
            yield from self._by_popularity(wanted.right, members, sums, rng)
        yield from shuffled(self.side.pool.candidates_for(members, name, wanted.key, wanted.true), rng)

    def _by_popularity(
        self, right: Entity, members: Sequence[Candidate], sums: Sequence[int], rng: Random
    ) -> Iterator[Candidate]:
        """Yield members of a group, drawn by popularity; never the right answer, which may dominate the group."""
        place = self._places.get(right.uri)
        own = 0 if place is None else self.side.popularity(right)
        before = 0 if place is None else sums[place] - own
        for _ in range(_WEIGHTED_DRAWS):
            number = 1 + int(rng.random() * (sums[-1] - own))
            yield members[bisect_left(sums, number + own if number > before else number)]


def _groups(ranked: Sequence[Candidate], degrees: Sequence[int]) -> Iterator[Sequence[Candidate]]:
    """Yield groups of entities of similar popularity, from ranked ones; equally popular ones are in one group."""
    if not ranked:
        return
    starts = [0]
    for i in range(1, len(ranked)):
        is_lower = 2 * degrees[i] < degrees[starts[-1]] and degrees[i] < degrees[i - 1]
        if is_lower and i - starts[-1] >= _MIN_GROUP:
            starts.append(i)
    if len(starts) > 1 and len(ranked) - starts[-1] < _MIN_GROUP:
        starts.pop()
    for start, stop in zip(starts, [*starts[1:], len(ranked)], strict=True):
        yield ranked[start:stop]
