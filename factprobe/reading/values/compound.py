"""Quantities and times of day, and their comparison across units: 5 ft 7 in, 170 cm, 41°24′N, 6 p.m."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from factprobe.reading.language import in_order, phrases, table
from factprobe.reading.values.number_words import NUMBER_WORDS
from factprobe.reading.values.value_parsing import without_lead
from factprobe.text import fold

_ANGLE, _TIME = "angle", "time"
_CLOCK_TIME, _HALVES = "clock", ("a", "p")
"""Kinds of times of day: by 24 hours, and the kinds that a time without a.m. or p.m. shares with one that has them."""
_SIXTY = 60


def _sizes(units: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """Return the size of each unit relative to the others of its kind."""
    return {name: float(size) for size, names in units.items() for name in names}


_KINDS = {
    "length": _sizes(table("compound_length")),
    _TIME: _sizes(table("compound_time")),
    "calendar": _sizes(table("compound_calendar")),
    _ANGLE: _sizes(table("compound_angle")),
    "mass": _sizes(table("compound_mass")),
}
"""Units of each kind of quantity."""
_EXPONENTS = dict(zip("nµmckMGT", (-9, -6, -3, -2, 3, 6, 9, 12), strict=True))
"""Power of ten of each metric prefix."""
_PART = re.compile(r"((?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?)[\s-]*([^\W\d_]+|['\"°])?\.?")
_CLOCK = re.compile(r"(\d{1,2})(?::(\d{2}))?(?::(\d{2}))?\s*(?:([ap])\.?\s?m\b\.?)?")
_DURATION = re.compile(r"P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?")
"""Pattern of a duration in ISO 8601, as XML Schema writes it: P3Y, PT90M."""
_DURATION_UNITS = ("years", "months", "days", "hours", "minutes", "seconds")
_DIRECTION = re.compile(rf"\b(?:{phrases('direction')})\s*$")
_BETWEEN = re.compile(rf"[\s,]*(?:(?:{'|'.join(in_order('link_and'))})\b)?\s*")

_TOLERANCE = 0.005
"""Maximum relative difference of equal quantities in different units, since both are rounded."""


class Quantity(NamedTuple):
    """Amount of a kind of quantity."""

    kind: str
    """Kind, with the direction of an angle."""
    amount: float
    step: float = 0
    """Size of the last digit."""
    units: tuple[float, ...] = ()
    """Sizes of the units in which it is given."""

    def equals(self, other: Quantity) -> bool:
        """Return whether two quantities are the same, apart from rounding if they have other units."""
        rounding = min(self.step, other.step) / 2
        if self.units != other.units:
            rounding = max(rounding, _TOLERANCE * abs(self.amount))
        return self.kind == other.kind and abs(self.amount - other.amount) <= rounding


@lru_cache(maxsize=1 << 12)
def dimension_of(unit: str) -> tuple[str, float]:
    """Return the dimension and the size of a unit (`length2` and 1e6 for km2); other units are their own dimension."""
    above, per, below = unit.rpartition("/")
    if per:
        (dimension, size), (divisor, by) = dimension_of(above), dimension_of(below)
        return f"{dimension}/{divisor}", size / by
    if unit[1:] and unit[-1] in "23":
        dimension, size = dimension_of(unit[:-1])
        return f"{dimension}{unit[-1]}", size ** int(unit[-1])
    factor, base = table("unit_size").get(unit, ("", ""))
    if not base and unit[1:] in table("unit_prefixed") and unit[0] in _EXPONENTS:
        factor, base = f"1e{_EXPONENTS[unit[0]]}", unit[1:]
    if base:
        dimension, size = dimension_of(base)
        return dimension, float(factor) * size
    return next(((kind, units[unit]) for kind, units in _KINDS.items() if unit in units), (unit, 1.0))


def quantities_of(text: str) -> frozenset[Quantity]:
    """Parse a text that is only a quantity or a time, and return all its readings (2:05 may be 2 min 5 s).

    The set is empty for any other text. A time of day is in minutes; 8:30 may be a.m. or p.m., and 08:30 is a.m.
    """
    return _quantities_of(text) if len(text) <= _LONGEST else frozenset()


@lru_cache(maxsize=1 << 14)
def _quantities_of(text: str) -> frozenset[Quantity]:
    text = without_lead(text)
    text = duration_in_words(text) or text
    if not any(map(str.isdigit, text)) and _first_word(text) not in NUMBER_WORDS:
        return frozenset()
    plain = fold(unicodedata.normalize("NFKC", text.translate(_PRIMES))).strip(" .!")
    plain = re.sub(r"[a-z]+", lambda word: str(NUMBER_WORDS.get(word[0], word[0])), plain)
    parts = _parts(plain)
    found = {quantity for kind in _KINDS if (quantity := _sum(parts, kind)) is not None}
    if direction := _DIRECTION.search(plain):
        angle = _sum(_parts(plain[: direction.start()].strip()), _ANGLE)
        found |= {angle._replace(kind=f"{_ANGLE} {direction[0][0]}")} if angle else set()
    return frozenset(found | _clock(plain))


def is_same_quantity(text: str, name: str) -> bool:
    """Return whether two texts are the same quantity or time of day by 24 hours, without rounding."""
    said, right = ({(one.kind, round(one.amount, 6)) for one in quantities_of(one)} for one in (text, name))
    return any(kind not in _HALVES for kind, _ in said & right)


def duration_in_words(text: str) -> str:
    """Return a duration of XML Schema in words, without its zeros; empty for a duration of zero and any other text."""
    found = _DURATION.fullmatch(text)
    parts = zip(found.groups(), _DURATION_UNITS, strict=True) if found else ()
    numbers = ((f"{float(number):.15g}", unit) for number, unit in parts if number and float(number))
    return " ".join(f"{number} {unit[:-1] if number == '1' else unit}" for number, unit in numbers)


def _first_word(text: str) -> str:
    return text[:_LONGEST_NUMBER].lower().replace("-", " ").partition(" ")[0]


_LONGEST = 100
"""Maximum length in characters of a quantity."""
_LONGEST_NUMBER = 12
"""Maximum length of a number word."""
_PRIMES = str.maketrans({"′": "'", "″": '"', "’": "'", "”": '"', "º": "°"})


def _parts(text: str) -> list[tuple[str, str]]:
    """Split a text into numbers with units; return an empty list if it contains anything else."""
    found: list[tuple[str, str]] = []
    at = 0
    while at < len(text):
        part = _PART.match(text, at)
        if part is None:
            return []
        found.append((part[1].replace(",", ""), part[2] or ""))
        between = _BETWEEN.match(text, part.end())
        assert between is not None, "it matches an empty text"
        at = between.end()
        at += text.startswith("-", at)
    return found


def _sum(parts: list[tuple[str, str]], kind: str) -> Quantity | None:
    """Sum parts of descending units, of which the last may lack its unit (5 ft 7); return None if they do not fit."""
    units = _KINDS[kind]
    sizes = [units.get(unit, 0.0) for _, unit in parts]
    if len(parts) > 1 and not parts[-1][1]:
        parts_of = (size for size in units.values() if size < sizes[-2] and (sizes[-2] / size + 1e-6) % 1 < 2e-6)
        sizes[-1] = max(parts_of, default=0.0)
    if not parts or 0.0 in sizes or any(one <= other for one, other in pairwise(sizes)):
        return None
    amount = sum(float(number) * size for (number, _), size in zip(parts, sizes, strict=True))
    step = sizes[-1] / 10 ** len(parts[-1][0].partition(".")[2])
    return Quantity(kind, amount, step, tuple(sizes))


def _clock(text: str) -> set[Quantity]:
    """Parse figures with colons or a.m. as a time of day in minutes, or as a duration in seconds."""
    found = _CLOCK.fullmatch(text)
    if found is None or not (found[2] or found[4]):
        return set()
    first, second, third = (int(part or 0) for part in found.group(1, 2, 3))
    if max(second, third) >= _SIXTY:
        return set()
    if found[4]:
        time = first % 12 * 60 + second + 720 * _HALVES.index(found[4])
        return {Quantity(kind, time) for kind in (_CLOCK_TIME, found[4])}
    if found[3]:
        return {Quantity(_TIME, first * 3600 + second * 60 + third)}
    times = {Quantity(_CLOCK_TIME, first * 60 + second)} if first <= 24 else set()
    if 0 < first <= 12 and found[1][0] != "0":
        times |= {Quantity(half, first % 12 * 60 + second + 720 * i) for i, half in enumerate(_HALVES)}
    return times | {Quantity(_TIME, first * 60 + second), Quantity(_TIME, first * 3600 + second * 60)}
