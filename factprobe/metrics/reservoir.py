"""A random sample of what comes one by one."""

from __future__ import annotations

from random import Random
from typing import Generic, TypeVar

T = TypeVar("T")


class Reservoir(Generic[T]):
    """Up to so many of the things that it is given, each with the same chance (Vitter 1985, algorithm R).

    Args:
        size: how many are kept.
        rng: the only source of chance.
    """

    def __init__(self, size: int, rng: Random) -> None:
        self._size, self._rng = size, rng
        self.kept: list[T] = []
        """The sample, in no order."""
        self.seen = 0
        """How many were given."""

    def add(self, thing: T) -> bool:
        """Takes one more, or not; whether it did, which the next ones may undo."""
        self.seen += 1
        if len(self.kept) < self._size:
            self.kept.append(thing)
            return True
        if self._size and (place := self._rng.randrange(self.seen)) < self._size:
            self.kept[place] = thing
            return True
        return False

    def some(self, share: int) -> list[T]:
        """As many of them, or all."""
        return self._rng.sample(self.kept, min(share, len(self.kept)))
