"""Values that may be missing."""

from __future__ import annotations

from typing import TypeVar

from factprobe.metrics.statistics.intervals import Interval

T = TypeVar("T")


def not_none(value: T | None) -> T:
    """Return a value that is there."""
    assert value is not None
    return value


def estimate(interval: Interval | None) -> float | None:
    """Return the estimate of an interval; None if there is none."""
    return None if interval is None else interval.estimate
