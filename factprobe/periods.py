"""Dates in graphs, and the validity of facts on a day."""

from __future__ import annotations

import re
from calendar import month_name, monthrange
from collections.abc import Iterable
from typing import NamedTuple

from factprobe.records import Period

_DATE = re.compile(r"(?P<year>[+-]?\d{1,6})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d))?)?(?:T[\d:.Z+-]*|Z|[+-]\d\d:\d\d)?")
"""Pattern of a date in the notation of ISO 8601, XML Schema or Wikidata; a month or day of 00 is unknown."""


class Day(NamedTuple):
    """Day, month or year; the month and the day are 0 if unknown."""

    year: int
    month: int = 0
    day: int = 0

    @property
    def last(self) -> Day:
        """Last possible day of the month or year; the day itself if it is known."""
        return Day(self.year, self.month or 12, self.day or 31)

    def __str__(self) -> str:
        """Return the date in words: "1 January 2024", "753 BC"."""
        parts = [str(self.day)] if self.day and self.month else []
        year = str(self.year) if self.year >= 0 else f"{-self.year} BC"
        return " ".join([*parts, *([month_name[self.month]] if self.month else []), year])


def parse_day(text: str) -> Day | None:
    """Parse a date; return None if the text is not a date."""
    match = _DATE.fullmatch(text.strip())
    if match is None:
        return None
    day = Day(int(match["year"]), int(match["month"] or 0), int(match["day"] or 0))
    longest = (
        monthrange(2000 + day.year % 400, day.month)[1] if 0 < day.month <= 12 else 31
    )  # the calendar repeats every 400 years
    return day if day.month <= 12 and day.day <= longest else None


def holds(periods: Iterable[Period], on: Day) -> bool:
    """Return whether a fact with these periods was true on a day.

    If a period begins or ends in a year or month without a day, the whole year or month counts as part of the period. A
    fact without periods is always true.
    """
    ends = [(parse_day(period.start), parse_day(period.end)) for period in periods]
    return not ends or any((start is None or start <= on) and (end is None or on <= end.last) for start, end in ends)


def latest_period(periods: Iterable[Period]) -> Period:
    """Return the period that ends last (an open end is last), then starts last; an empty period if there are none."""

    def ends(period: Period) -> tuple[bool, Day | tuple[()], Day | tuple[()]]:
        start, end = parse_day(period.start), parse_day(period.end)
        return end is None, end.last if end else (), start or ()

    return max(periods, key=ends, default=Period())
