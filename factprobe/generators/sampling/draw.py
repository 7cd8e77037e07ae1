"""Stratified sample of facts over all relations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from heapq import heappush, heapreplace
from random import Random
from typing import TypeVar

from factprobe.generators.base import Ends

Stratum = tuple[str, ...]
"""Properties that the facts of a stratum have in common, such as relation and popularity of the subject."""
K = TypeVar("K", bound=Hashable)
F = TypeVar("F", bound=Ends)


class FactSample:
    """Sample of facts, drawn in two passes over the relations: `add` for each, `close`, then `select` for each.

    Each fact gets a random number, and in each stratum the facts with the smallest numbers are drawn (bottom-k
    sampling: Cohen and Kaplan 2007, PODC). Thus a larger sample with the same seed contains a smaller one, and a draw
    does not depend on other relations. Equally many facts are drawn from all strata that have enough. Only the drawn
    numbers are kept in memory.
    """

    def __init__(self, size: int, seed: int, stratum_of: Callable[[str, str, Ends], Stratum]) -> None:
        self._size = size
        self._seed = seed
        self._stratum_of = stratum_of
        self._smallest: dict[Stratum, list[float]] = {}
        self._last: dict[Stratum, float] = {}
        self.facts: Counter[Stratum] = Counter()
        """Number of facts in each stratum."""
        self.sample_sizes: dict[Stratum, int] = {}
        """Number of facts drawn from each stratum."""

    def add(self, relation: str, relation_type: str, facts: Iterable[Ends]) -> None:
        """Add the facts of a relation in the first pass."""
        for _, stratum, number in self._with_random_number(relation, relation_type, facts):
            self.facts[stratum] += 1
            smallest = self._smallest.setdefault(stratum, [])  # negated, so that the heap begins with the largest
            if len(smallest) < self._size:
                heappush(smallest, -number)
            elif -number > smallest[0]:
                heapreplace(smallest, -number)

    def close(self) -> None:
        """End the first pass, and determine which facts are drawn."""
        self.sample_sizes = split_evenly(self.facts, self._size)
        for stratum, share in self.sample_sizes.items():
            numbers = sorted(self._smallest[stratum], reverse=True)
            self._last[stratum] = -numbers[share - 1] if share else -1.0
        self._smallest.clear()

    def select(self, relation: str, relation_type: str, facts: Iterable[F]) -> Iterator[F]:
        """Yield the drawn facts of a relation in the second pass, over the same facts as in the first."""
        for fact, stratum, number in self._with_random_number(relation, relation_type, facts):
            if number <= self._last.get(stratum, -1.0):
                yield fact

    def _with_random_number(
        self, relation: str, relation_type: str, facts: Iterable[F]
    ) -> Iterator[tuple[F, Stratum, float]]:
        rng = Random(f"{self._seed}:{relation}:sample")
        for fact in facts:
            yield fact, self._stratum_of(relation, relation_type, fact), rng.random()


def split_evenly(sizes: Mapping[K, int], total: int) -> dict[K, int]:
    """Return how many to draw from each stratum; small strata give all, and the others share the rest evenly."""
    shares = dict.fromkeys(sizes, 0)
    smallest_first = sorted(sizes, key=sizes.__getitem__)
    for number, name in enumerate(smallest_first):
        shares[name] = min(sizes[name], total // (len(smallest_first) - number))
        total -= shares[name]
    return shares
