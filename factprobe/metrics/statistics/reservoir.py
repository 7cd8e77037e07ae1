"""Random samples of streams."""

from __future__ import annotations

from random import Random
from typing import Generic, TypeVar

T = TypeVar("T")


class Reservoir(Generic[T]):
    """Uniform random sample of a stream, with up to `size` items (Vitter 1985, algorithm R)."""

    def __init__(self, size: int, rng: Random) -> None:
        self._size, self._rng = size, rng
        self.kept: list[T] = []
        """Items of the sample, in no particular order."""
        self.seen = 0
        """Number of items of the stream so far."""

    def add(self, thing: T) -> bool:
        """Add an item of the stream, and return whether it enters the sample."""
        self.seen += 1
        if len(self.kept) < self._size:
            self.kept.append(thing)
            return True
        if self._size and (place := self._rng.randrange(self.seen)) < self._size:
            self.kept[place] = thing
            return True
        return False

    def some(self, share: int) -> list[T]:
        """Return `share` random items of the sample, or all if there are fewer."""
        return self._rng.sample(self.kept, min(share, len(self.kept)))
