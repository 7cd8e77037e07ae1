"""Texts that are only a quantity: 5 ft 7 in, 170 cm, 41°24′N, P3Y, 1:30 (a duration)."""

from __future__ import annotations

import re
from functools import lru_cache

from factprobe.reading.language import phrases
from factprobe.reading.values.quantity import Quantity, quantities
from factprobe.reading.values.value_parsing import value_of, without_lead
from factprobe.text import compose, fold

_SECOND, _ANGLE = "s", "°"
_WITH_COLONS = re.compile(r"(\d{1,2}):([0-5]\d)(?::([0-5]\d))?")
_DURATION = re.compile(r"P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?")
"""Pattern of a duration in ISO 8601, as XML Schema writes it: P3Y, PT90M."""
_DURATION_UNITS = ("years", "months", "days", "hours", "minutes", "seconds")
_DIRECTION = re.compile(rf"\s*\b(?:{phrases('direction')})\s*$")
_LONGEST = 100
"""Maximum length in characters of a quantity."""


def quantities_of(text: str) -> frozenset[Quantity]:
    """Parse a text that is only a quantity, and return all its readings (2:05 may be 2 min 5 s or 2 h 5 min).

    The set is empty for any other text.
    """
    return _quantities_of(text) if len(text) <= _LONGEST else frozenset()


@lru_cache(maxsize=1 << 14)
def _quantities_of(text: str) -> frozenset[Quantity]:
    text = without_lead(text)
    text = duration_in_words(text) or text
    plain = fold(compose(text)).strip(" .!")
    readings = _amounts(text) | _durations(plain)
    if direction := _DIRECTION.search(plain):
        angles = (angle for angle in _amounts(text[: direction.start()]) if angle.kind == _ANGLE)
        readings |= {angle._replace(kind=f"{_ANGLE} {direction[0].strip()[0]}") for angle in angles}
    return frozenset(readings)


def _amounts(text: str) -> set[Quantity]:
    """Return the quantities that a number with a unit may be."""
    value = value_of(text.strip(" .!"))
    readings = value.readings() if value else ()
    return {quantity for number, unit, step in readings if unit for quantity in quantities(number, unit, step)}


def has_other_unit(text: str, name: str) -> bool:
    """Return whether a text and a name are values with different units (5 mW and 5 MW)."""
    if text == name or not any(map(str.isdigit, name)):
        return False
    right, value = value_of(name), value_of(text)
    return right is not None and value is not None and bool(right.unit and value.unit) and value.has_other_unit(right)


def is_same_quantity(text: str, name: str) -> bool:
    """Return whether two texts are the same quantity, without rounding."""
    left, right = ({(value.kind, round(value.amount, 6)) for value in quantities_of(label)} for label in (text, name))
    return not left.isdisjoint(right)


def duration_in_words(text: str) -> str:
    """Return a duration of XML Schema (PT90M) in words, without zeros; empty for zero and for any other text."""
    match = _DURATION.fullmatch(text)
    parts = zip(match.groups(), _DURATION_UNITS, strict=True) if match else ()
    numbers = ((f"{float(number):.15g}", unit) for number, unit in parts if number and float(number))
    return " ".join(f"{number} {unit[:-1] if number == '1' else unit}" for number, unit in numbers)


def _durations(text: str) -> set[Quantity]:
    """Parse figures with colons as durations in seconds; empty for other texts."""
    match = _WITH_COLONS.fullmatch(text)
    if match is None:
        return set()
    first, second, third = (int(part or 0) for part in match.groups())
    amounts = [first * 3600 + second * 60 + third] if match[3] else [first * 60 + second, first * 3600 + second * 60]
    return {Quantity(_SECOND, amount) for amount in amounts}
