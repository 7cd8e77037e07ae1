"""An event loop whose time passes at once: nothing waits."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


_TURN = 1e-8
"""Seconds that a turn of the loop takes; without any, what waits for less than a float can tell would wait for ever."""


class _Skipping(selectors.DefaultSelector):
    """Where the loop would wait, its clock is put forward."""

    now = 0.0

    def select(self, timeout: float | None = None) -> Any:
        found = super().select(0)
        self.now += _TURN + (0 if found or timeout is None else timeout)
        return found


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._skipping = _Skipping()
        super().__init__(self._skipping)

    def time(self) -> float:
        return self._skipping.now


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine that waits for nothing but time."""
    with asyncio.Runner(loop_factory=_Loop) as runner:
        return runner.run(coroutine)


def now() -> float:
    """The time of the loop that runs, in seconds since its start."""
    return asyncio.get_running_loop().time()
