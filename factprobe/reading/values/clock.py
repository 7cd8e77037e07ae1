"""Times of day: 20:15, 8.15 p.m., 20h15, noon, 08:30:00Z."""

from __future__ import annotations

import re

from msgspec import Struct

from factprobe.reading.language import phrases, table, vocabulary
from factprobe.reading.values.number_words import one_of

_MINUTE, _HOUR, _HALF, _DAY = 60, 3600, 43_200, 86_400
"""Seconds in a minute, an hour, half a day (the difference between a.m. and p.m.) and a day."""
_EARLY = 5
"""Hour from which a time "at night" is p.m.: 9 at night is 21:00, 3 at night is 03:00."""


class Clock(Struct, frozen=True, gc=False):
    """Time of day."""

    second: int
    """Seconds since midnight; if `is_open`, of the time as written on a 24-hour clock (8:15 is 08:15)."""
    step: int = _MINUTE
    """Precision in seconds."""
    zone: int | None = None
    """Offset from UTC in minutes; None if no time zone is given."""
    is_open: bool = False
    """True if the time may also be 12 hours later or earlier (8:15 without a.m. or p.m.)."""

    def answers(self, right: Clock) -> bool:
        """Return whether the time equals `right` at the precision of `right`, and is at least as precise.

        Both must be in the same time zone (see `in_zone`). `is_open` is ignored (see `readings`).
        """
        return self.step <= right.step and self.second // right.step == right.second // right.step

    def readings(self) -> tuple[Clock, ...]:
        """Return the times that may be meant: two if `is_open`, else one."""
        other = Clock((self.second + _HALF) % _DAY, self.step, self.zone)
        return (self, other) if self.is_open else (self,)

    def texts(self) -> list[str]:
        """Return the time on a 24-hour clock, first with its seconds if it has any: 20:17:40, 20:17."""
        minutes, second = divmod(self.second, _MINUTE)
        text = f"{minutes // 60:02}:{minutes % 60:02}"
        return [text] if self.step == _MINUTE else [f"{text}:{second:02}", text]

    def in_zone(self, zone: int | None) -> Clock:
        """Return the time in another zone; unchanged if either zone is None."""
        if self.zone is None or zone is None:
            return self
        return Clock((self.second + (zone - self.zone) * _MINUTE) % _DAY, self.step, zone, self.is_open)


_ZONES = {name: int(offset) for offset, names in table("zone").items() for name in names}
_NOON, _MIDNIGHT = one_of(vocabulary("noon")), one_of(vocabulary("midnight"))
_SIGN = rf"(?:{phrases('clock_sign')})(?!\w)"
_OF_DAY = rf"(?:(?P<c_am>{phrases('clock_am')})|(?P<c_pm>{phrases('clock_pm')})|(?P<c_night>{phrases('clock_night')}))"
_MARKED = rf"(?=\s*(?:{_SIGN}|(?:{phrases('clock_am')}|{phrases('clock_pm')}|{phrases('clock_night')})(?!\w)))"
CLOCK = rf"""(?<!:)(?:
    (?:12(?:[:.]00)?\s+)?(?:(?P<c_noon>{_NOON})|(?P<c_midnight>{_MIDNIGHT}))(?!\w)
  | (?P<c_hour>[01]?\d|2[0-4])(?:
      :(?P<c_minute>[0-5]\d)(?::(?P<c_second>[0-5]\d)(?:\.\d+)?)?(?![\d:])
    | \s?h\s?(?P<c_minute_of>[0-5]\d)(?!\d|\s?m)
    | [\s.-](?P<c_minute_said>[0-5]\d){_MARKED}
    | {_MARKED})
    (?:\s*{_SIGN}(?:\s(?P<c_minute_after>[0-5]\d)(?![\d.:]))?)?)
  (?:\s*{_OF_DAY}(?!\w))?
  (?:\s*\(?(?-i:(?P<c_zone>{one_of(_ZONES)}))(?!\w)(?:\s?(?P<c_from>[-+]\d{{1,2}}(?::?[0-5]\d)?)(?!\d))?\)?
    | \s?(?P<c_offset>(?(c_second)[-+]|\+)(?:0\d|1[0-4]):?[0-5]\d)(?!\d))?"""
"""Verbose pattern of a time of day, for matching without case; `clock_from` parses a match."""
_MINUTES = ("c_minute", "c_minute_of", "c_minute_said", "c_minute_after")
CLOCK_WORDS = vocabulary("noon", "midnight")
"""Words with which a time of day may begin, besides numbers."""


def clock_from(match: re.Match[str]) -> Clock:
    """Parse a match of a pattern that contains `CLOCK`."""
    zone = _zone(match)
    if match["c_noon"] or match["c_midnight"]:
        return Clock(_HALF if match["c_noon"] else 0, zone=zone)
    hour = int(match["c_hour"])
    minute = int(next((match[name] for name in _MINUTES if match[name]), "0"))
    is_marked = bool(match["c_am"] or match["c_pm"] or match["c_night"])
    is_late = match["c_pm"] or (match["c_night"] and hour % 12 >= _EARLY)
    if is_marked and hour <= 12:
        hour = hour % 12 + (12 if is_late else 0)
    second = int(match["c_second"] or 0)
    time = hour * _HOUR + minute * _MINUTE + second
    is_closed = is_marked or match["c_second"] or zone is not None or match[0].startswith("0")
    return Clock(time % _DAY, 1 if second else _MINUTE, zone, is_open=not is_closed and 0 < hour <= 12)


_ALONE = re.compile(CLOCK, re.VERBOSE | re.IGNORECASE)


def clock_of(text: str) -> Clock | None:
    """Parse a text that is only a time of day; return None for other texts."""
    match = _ALONE.fullmatch(text)
    return clock_from(match) if match else None


def _zone(match: re.Match[str]) -> int | None:
    """Return the offset from UTC in minutes; None if the text has none."""
    name, text = match["c_zone"], match["c_offset"] or match["c_from"] or ""
    if not (name or text):
        return None
    figures = text.replace(":", "").lstrip("+-")
    hours, minutes = (figures[:-2], figures[-2:]) if len(figures) > 2 else (figures, "")
    offset = int(hours or 0) * 60 + int(minutes or 0)
    return (_ZONES[name] if name else 0) + (-offset if text.startswith("-") else offset)
