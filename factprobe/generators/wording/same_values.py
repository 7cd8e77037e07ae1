"""Comparison of labels that are numbers or dates: equal values, and dates that cover more precise ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

_OF_PROGRAMS = re.compile(r"[+-]?(?:\d+\.?\d*[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)")
"""Number in the notation of programs: 1.0E3, .5."""


class SameValues:
    """Entities of one end of a relation by the numbers and dates that are their labels."""

    def __init__(self) -> None:
        self._names: dict[str, tuple[str, ...]] = {}
        self._same: dict[str, list[str]] = {}
        self._finer: dict[str, list[str]] = {}

    @property
    def has_values(self) -> bool:
        """Return whether any label is a value."""
        return bool(self._names)

    def add(self, uri: str, names: tuple[str, ...]) -> None:
        """Add one entity with the `value_names` of its label."""
        if names:
            self._names[uri] = names
            self._same.setdefault(names[0], []).append(uri)
            for name in names[1:]:
                self._finer.setdefault(name, []).append(uri)

    def same(self, uri: str) -> Sequence[str]:
        """Return the entities with the same value, including the given one; empty if its label is not a value."""
        names = self._names.get(uri)
        return self._same[names[0]] if names else ()

    def finer(self, uri: str) -> Sequence[str]:
        """Return the entities with a more precise date that this one covers, or with a number that may be the same."""
        names = self._names.get(uri)
        return self._finer.get(names[0], ()) if names else ()

    def coarser(self, uri: str) -> Iterator[str]:
        """Yield the entities with a less precise date that covers this one, or with a number that may be the same."""
        for name in self._names.get(uri, ())[1:]:
            yield from self._same.get(name, ())


def value_names(label: str) -> tuple[str, ...]:
    """Return keys of the value of a label, in a form that no normalised label has; empty for labels without a value.

    The first key is the value. Further keys are values that it includes or may mean: month and year of a day, or the
    other reading of a dot as thousands separator. Two labels cannot both be options of a question if the first key of
    one is among the keys of the other.
    """
    first = label[:1]
    if first.isdigit() or not first.isalnum():  # -5, .5, $5
        return (f"={label.lstrip('0') or '0'}",) if label.isdecimal() and label.isascii() else _names(label.strip())
    return _names(label.strip()) if label[-1:].isdigit() and _opens_with_month(label) else ()


def _names(label: str) -> tuple[str, ...]:
    from factprobe.periods import parse_day
    from factprobe.reading.values.value_parsing import value_of

    if day := parse_day(label):
        return _of_date(day.year, day.month, day.day)
    if _OF_PROGRAMS.fullmatch(label):
        return (_of_number(float(label)),)
    value = value_of(label)
    if value is None:
        return ()
    if value.number is None:
        years = value.year if value.until is None else f"{value.year}/{value.until}"
        other = _of_date(years, value.day, value.month) if value.swapped else ()
        return tuple(dict.fromkeys([*_of_date(years, value.month, value.day), *other]))
    thousands = () if value.thousands is None else (_of_number(value.thousands, value.unit),)
    return (_of_number(value.number, value.unit), *thousands)


def _of_number(number: float, unit: str = "") -> str:
    exact = str(int(number)) if number % 1 == 0 else repr(number)
    return f"={exact} {unit}".rstrip()


def _of_date(year: int | str | None, month: int | None, day: int | None) -> tuple[str, ...]:
    """Return the keys of a date and of the less precise dates that cover it, the most precise first."""
    parts = [f"={'' if year is None else year}"]
    parts += [f"{parts[0]}-{month}"] if month else []
    parts += [f"{parts[-1]}-{day}"] if month and day else []
    return tuple(reversed(parts if year is not None else parts[-1:]))


def _opens_with_month(label: str) -> bool:
    return label.split(" ", 1)[0].casefold().rstrip(".") in _months()


@cache
def _months() -> frozenset[str]:
    from factprobe.reading.language import table

    return frozenset(name for names in table("month").values() for name in names)
