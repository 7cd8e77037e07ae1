"""Dates as graphs write them, and whether a fact held on a day."""

from __future__ import annotations

import re
from calendar import month_name, monthrange
from collections.abc import Iterable
from typing import NamedTuple

from factprobe.records import Period

_DATE = re.compile(r"(?P<year>[+-]?\d{1,6})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d))?)?(?:T[\d:.Z+-]*)?")
"""A year, a month or a day, as ISO 8601 and Wikidata have them; a month or day of 00 is not known."""


class Day(NamedTuple):
    """A day; month and day are 0 where they are not known."""

    year: int
    month: int = 0
    day: int = 0

    @property
    def last(self) -> Day:
        """The last day that it may be."""
        return Day(self.year, self.month or 12, self.day or 31)

    def __str__(self) -> str:
        """The day as people write it: 1 January 2024, 753 BC."""
        parts = [str(self.day)] if self.day and self.month else []
        year = str(self.year) if self.year >= 0 else f"{-self.year} BC"
        return " ".join([*parts, *([month_name[self.month]] if self.month else []), year])


def day_of(text: str) -> Day | None:
    """The day that a text gives; None where it gives none."""
    found = _DATE.fullmatch(text.strip())
    if found is None:
        return None
    day = Day(int(found["year"]), int(found["month"] or 0), int(found["day"] or 0))
    longest = monthrange(2000 + day.year % 400, day.month)[1] if 0 < day.month <= 12 else 31  # the calendar comes again
    return day if day.month <= 12 and day.day <= longest else None


def holds(periods: Iterable[Period], on: Day) -> bool:
    """Whether a fact with these periods held on a day.

    A year or month counts whole at both ends, so that what began or ended in it may hold on each of its days. A fact
    without periods holds at any time.
    """
    known = [(day_of(period.start), day_of(period.end)) for period in periods]
    return not known or any((start is None or start <= on) and (end is None or on <= end.last) for start, end in known)


def latest(periods: Iterable[Period]) -> Period:
    """The period that ends last, as one that is open does; of several such the one that starts last."""

    def ends(period: Period) -> tuple[bool, Day | tuple[()], Day | tuple[()]]:
        start, end = day_of(period.start), day_of(period.end)
        return end is None, end.last if end else (), start or ()

    return max(periods, key=ends, default=Period())
