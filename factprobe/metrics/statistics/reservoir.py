"""Random samples of streams."""

from __future__ import annotations

from random import Random
from typing import Generic, TypeVar

T = TypeVar("T")


class Reservoir(Generic[T]):
    """Sample of a given size, each item with the same probability (Vitter 1985, algorithm R).

    Args:
        size: how many are kept.
        rng: the only source of chance.
    """

    def __init__(self, size: int, rng: Random) -> None:
        self._size, self._rng = size, rng
        self.kept: list[T] = []
        """The sample, in no order."""
        self.seen = 0
        """Number of items seen."""

    def add(self, thing: T) -> bool:
        """Offer one item; return whether it is kept for now."""
        self.seen += 1
        if len(self.kept) < self._size:
            self.kept.append(thing)
            return True
        if self._size and (place := self._rng.randrange(self.seen)) < self._size:
            self.kept[place] = thing
            return True
        return False

    def some(self, share: int) -> list[T]:
        """Return as many items of the sample, or all."""
        return self._rng.sample(self.kept, min(share, len(self.kept)))
