"""Measure how processing time grows with the length of the input."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time


def grows_linearly(run: Callable[[int], object], length: int) -> bool:
    """Return whether eight times the length takes less than 24 times as long.

    Quadratic time takes 64 times as long. Times under 5 ms count as 5 ms, and the best of three tries decides, because
    other processes may slow one of them down.
    """

    def seconds(size: int) -> float:
        start = process_time()
        run(size)
        return process_time() - start

    run(length)
    return any(seconds(8 * length) < 24 * max(seconds(length), 0.005) for _ in range(3))
