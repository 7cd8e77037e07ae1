"""Random samples of streams."""

from __future__ import annotations

from random import Random
from typing import Generic, TypeVar

T = TypeVar("T")


class Reservoir(Generic[T]):
    """Uniform random sample of a stream, with up to `size` items (Vitter 1985, algorithm R)."""

    def __init__(self, size: int, rng: Random) -> None:
        self._size, self._rng = size, rng
        self.items: list[T] = []
        """Items of the sample, in no particular order."""
        self.seen = 0
        """Number of items of the stream so far."""

    def add(self, item: T) -> bool:
        """Add an item of the stream, and return whether it enters the sample."""
        self.seen += 1
        if len(self.items) < self._size:
            self.items.append(item)
            return True
        if self._size and (place := self._rng.randrange(self.seen)) < self._size:
            self.items[place] = item
            return True
        return False

    def draw(self, count: int) -> list[T]:
        """Return `count` random items of the sample, or all if there are fewer."""
        return self._rng.sample(self.items, min(count, len(self.items)))
