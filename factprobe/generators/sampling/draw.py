"""Samples of facts over all relations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from heapq import heappush, heapreplace
from typing import TypeVar

from factprobe.generators.base import Ends

Stratum = tuple[str, ...]
"""Common properties of the facts of a stratum: relation, its type, popularity of the subject."""
K = TypeVar("K", bound=Hashable)
F = TypeVar("F", bound=Ends)


class Draw:
    """A sample of facts, drawn in two passes over the relations; memory is needed for the sampled indices only.

    Each fact gets a random number, and those with the smallest of their stratum are drawn (bottom-k sampling: Cohen and
    Kaplan 2007, PODC). So a larger sample of the same seed holds the smaller one, and a fact's number depends on its
    relation alone, not on what other relations there are.

    Args:
        size: how many facts to draw, as evenly from the strata as they have facts.
        seed: of the numbers.
        stratum_of: the stratum of a fact, given its relation, the relation's type and the fact.
    """

    def __init__(self, size: int, seed: int, stratum_of: Callable[[str, str, Ends], Stratum]) -> None:
        self._size = size
        self._seed = seed
        self._stratum_of = stratum_of
        self._smallest: dict[Stratum, list[float]] = {}
        self._last: dict[Stratum, float] = {}
        self.facts: Counter[Stratum] = Counter()
        """Number of facts in each stratum."""
        self.drawn: dict[Stratum, int] = {}
        """Number of facts drawn from each."""

    def add(self, relation: str, relation_type: str, facts: Iterable[Ends]) -> None:
        """Count the facts of one more relation: the first pass."""
        for _, stratum, number in self._numbered(relation, relation_type, facts):
            self.facts[stratum] += 1
            smallest = self._smallest.setdefault(stratum, [])  # a heap of their opposites: the largest comes first
            if len(smallest) < self._size:
                heappush(smallest, -number)
            elif -number > smallest[0]:
                heapreplace(smallest, -number)

    def close(self) -> None:
        """Draw, once all relations are counted."""
        self.drawn = evenly(self.facts, self._size)
        for stratum, share in self.drawn.items():
            numbers = sorted(self._smallest[stratum], reverse=True)
            self._last[stratum] = -numbers[share - 1] if share else -1.0
        self._smallest.clear()

    def picked(self, relation: str, relation_type: str, facts: Iterable[F]) -> Iterator[F]:
        """Return the drawn facts of a relation, in order: the second pass, over the same facts."""
        for fact, stratum, number in self._numbered(relation, relation_type, facts):
            if number <= self._last.get(stratum, -1.0):
                yield fact

    def _numbered(self, relation: str, relation_type: str, facts: Iterable[F]) -> Iterator[tuple[F, Stratum, float]]:
        from random import Random

        rng = Random(f"{self._seed}:{relation}:sample")
        for fact in facts:
            yield fact, self._stratum_of(relation, relation_type, fact), rng.random()


def evenly(sizes: Mapping[K, int], total: int) -> dict[K, int]:
    """Split a total evenly; strata with too few give all, and the others the rest.

    Args:
        sizes: how much each has.
        total: how much is wanted; all there is, where that is less.
    """
    shares = dict.fromkeys(sizes, 0)
    smallest_first = sorted(sizes, key=sizes.__getitem__)
    for number, name in enumerate(smallest_first):
        shares[name] = min(sizes[name], total // (len(smallest_first) - number))
        total -= shares[name]
    return shares
