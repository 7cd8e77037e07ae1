"""Parse compound quantities and times of day: 5 ft 7 in, 2 h 30 min, 41°24′N, 6 p.m."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from factprobe.reading.language import in_order, phrases, table
from factprobe.reading.values.value_parsing import NUMBER_WORDS
from factprobe.text import fold

_ANGLE, _TIME, _CLOCK_TIME = "angle", "time", "clock"
_SIXTY = 60


def _units(sizes: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Return the size of each unit, in the smallest unit of its kind."""
    return {name: int(size) for size, names in sizes.items() for name in names}


_KINDS = {
    "length": _units(table("compound_length")),
    _TIME: _units(table("compound_time")),
    _ANGLE: _units(table("compound_angle")),
    "mass": _units(table("compound_mass")),
}
"""Units of each kind of quantity."""
_PART = re.compile(r"(\d+(?:\.\d+)?)[\s-]*([^\W\d_]+|['\"°])?\.?")
_CLOCK = re.compile(r"(\d{1,2})(?::(\d{2}))?(?::(\d{2}))?\s*(?:([ap])\.?\s?m\b\.?)?")
_DIRECTION = re.compile(rf"\b(?:{phrases('direction')})\s*$")
_BETWEEN = re.compile(rf"[\s,]*(?:(?:{'|'.join(in_order('link_and'))})\b)?\s*")

Quantity = tuple[str, float]
"""Kind (with the direction of an angle), and amount in the smallest unit."""


def quantities_of(text: str) -> frozenset[Quantity]:
    """Parse a text that is only a compound quantity or a time, and return all readings (2:05 may be 2 min 5 s).

    The set is empty for any other text, and for a quantity of one unit. A time of day is in minutes; without a.m. or
    p.m. it has both readings.
    """
    return _quantities_of(text) if len(text) <= _LONGEST else frozenset()


@lru_cache(maxsize=1 << 14)
def _quantities_of(text: str) -> frozenset[Quantity]:
    if not any(map(str.isdigit, text)) and _first_word(text) not in NUMBER_WORDS:
        return frozenset()
    plain = fold(unicodedata.normalize("NFKC", text.translate(_PRIMES))).strip(" .!")
    plain = re.sub(r"[a-z]+", lambda word: str(NUMBER_WORDS.get(word[0], word[0])), plain)
    parts = _parts(plain)
    found = {(kind, size) for kind, units in _KINDS.items() if (size := _size(parts, units)) is not None}
    if direction := _DIRECTION.search(plain):
        size = _size(_parts(plain[: direction.start()].strip()), _KINDS[_ANGLE])
        found |= {(f"{_ANGLE} {direction[0][0]}", size)} if size is not None else set()
    return frozenset(found | _clock(plain))


def _first_word(text: str) -> str:
    return text[:_LONGEST_NUMBER].lower().replace("-", " ").partition(" ")[0]


_LONGEST = 100
"""Maximal length in characters of a quantity."""
_LONGEST_NUMBER = 12
"""Maximal length of a number word."""
_PRIMES = str.maketrans({"′": "'", "″": '"', "’": "'", "”": '"', "º": "°"})


def _parts(text: str) -> list[tuple[float, str]]:
    """Split a text into numbers with units; return an empty list if it contains anything else."""
    found: list[tuple[float, str]] = []
    at = 0
    while at < len(text):
        part = _PART.match(text, at)
        if part is None:
            return []
        found.append((float(part[1]), part[2] or ""))
        between = _BETWEEN.match(text, part.end())
        assert between is not None, "it matches an empty text"
        at = between.end()
        at += text.startswith("-", at)
    return found


def _size(parts: list[tuple[float, str]], units: dict[str, int]) -> float | None:
    """Sum parts of descending units in the smallest unit; return None if they do not fit."""
    if len(parts) < 2:
        return None
    sizes = [units.get(unit) for _, unit in parts]
    if sizes[-1] is None and not parts[-1][1] and sizes[-2]:
        sizes[-1] = max((size for size in units.values() if size < (sizes[-2] or 0)), default=None)
    if None in sizes or any((one or 0) <= (other or 0) for one, other in pairwise(sizes)):
        return None
    return sum(number * (size or 0) for (number, _), size in zip(parts, sizes, strict=True))


def _clock(text: str) -> set[Quantity]:
    """Parse figures with colons or a.m.: a time of day in minutes, or a duration in seconds."""
    found = _CLOCK.fullmatch(text)
    if found is None or not (found[2] or found[4]):
        return set()
    first, second, third = (int(part or 0) for part in found.group(1, 2, 3))
    if max(second, third) >= _SIXTY:
        return set()
    if found[4]:
        return {(_CLOCK_TIME, first % 12 * 60 + second + (720 if found[4] == "p" else 0))}
    if found[3]:
        return {(_TIME, first * 3600 + second * 60 + third)}
    hours = {first, first % 12, first % 12 + 12} if 0 < first <= 12 else {first}
    readings = {(_CLOCK_TIME, hour * 60 + second) for hour in hours if hour <= 24}
    return readings | {(_TIME, first * 60 + second), (_TIME, first * 3600 + second * 60)}
