"""Times of day: 20:15, 8.15 p.m., 20h15, noon, 08:30:00."""

from __future__ import annotations

import re

from msgspec import Struct

from factprobe.reading.language import phrases, vocabulary
from factprobe.reading.values.number_words import one_of

_MINUTE, _HOUR, _HALF, _DAY = 60, 3600, 43_200, 86_400
"""Seconds in a minute, an hour, half a day (the difference between a.m. and p.m.) and a day."""


class Clock(Struct, frozen=True, gc=False):
    """Time of day, without its time zone."""

    second: int
    """Seconds since midnight; if `is_open`, of the time as written on a 24-hour clock (8:15 is 08:15)."""
    step: int = _MINUTE
    """Precision in seconds."""
    is_open: bool = False
    """True if the time may also be 12 hours later or earlier (8:15 without a.m. or p.m.)."""

    def answers(self, right: Clock) -> bool:
        """Return whether the time equals `right` at its precision, and is at least as precise; see `readings`."""
        return self.step <= right.step and self.second // right.step == right.second // right.step

    def readings(self) -> tuple[Clock, ...]:
        """Return the times that may be meant: two if `is_open`, else one."""
        return (self, Clock((self.second + _HALF) % _DAY, self.step)) if self.is_open else (self,)

    def texts(self) -> list[str]:
        """Return the time on a 24-hour clock, first with its seconds if it has any: 20:17:40, 20:17."""
        minutes, second = divmod(self.second, _MINUTE)
        text = f"{minutes // 60:02}:{minutes % 60:02}"
        return [text] if self.step == _MINUTE else [f"{text}:{second:02}", text]


_SIGN = rf"(?:{phrases('clock_sign')})(?!\w)"
_OF_DAY = rf"(?:(?P<c_am>{phrases('clock_am')})|(?P<c_pm>{phrases('clock_pm')}))"
_MARKED = rf"(?=\s*(?:{_SIGN}|(?:{phrases('clock_am')}|{phrases('clock_pm')})(?!\w)))"
CLOCK = rf"""(?<!:)(?:
    (?:12(?:[:.]00)?\s+)?(?:(?P<c_noon>{one_of(vocabulary("noon"))})|(?:{one_of(vocabulary("midnight"))}))(?!\w)
  | (?P<c_hour>[01]?\d|2[0-4])(?:
      :(?P<c_minute>[0-5]\d)(?::(?P<c_second>[0-5]\d)(?:\.\d+)?)?(?![\d:])
    | \s?h\s?(?P<c_minute_of>[0-5]\d)(?!\d|\s?m)
    | [\s.-](?P<c_minute_said>[0-5]\d){_MARKED}
    | {_MARKED})(?:\s*{_SIGN})?)
  (?:\s*{_OF_DAY}(?!\w))?
  (?P<c_zone>\s?(?-i:Z|[A-Z]{{2,3}}[TC])(?!\w)|(?<=:\d\d)[-+]\d\d:\d\d)?"""
"""Verbose pattern of a time of day, for matching without case; `clock_from` parses a match."""
_MINUTES = ("c_minute", "c_minute_of", "c_minute_said")
CLOCK_WORDS = vocabulary("noon", "midnight")
"""Words with which a time of day may begin, besides numbers."""


def clock_from(match: re.Match[str]) -> Clock:
    """Parse a match of a pattern that contains `CLOCK`."""
    if not match["c_hour"]:
        return Clock(_HALF if match["c_noon"] else 0)
    hour, is_marked = int(match["c_hour"]), bool(match["c_am"] or match["c_pm"])
    minute = int(next((match[name] for name in _MINUTES if match[name]), "0"))
    if is_marked and hour <= 12:
        hour = hour % 12 + (12 if match["c_pm"] else 0)
    second = int(match["c_second"] or 0)
    is_closed = is_marked or match["c_second"] or match["c_zone"] or match[0].startswith("0")
    time = hour * _HOUR + minute * _MINUTE + second
    return Clock(time % _DAY, 1 if second else _MINUTE, is_open=not is_closed and 0 < hour <= 12)


_ALONE = re.compile(CLOCK, re.VERBOSE | re.IGNORECASE)


def clock_of(text: str) -> Clock | None:
    """Parse a text that is only a time of day; return None for other texts."""
    match = _ALONE.fullmatch(text)
    return clock_from(match) if match else None
