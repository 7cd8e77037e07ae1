"""Labels that are numbers or dates: equal values in other forms, and dates that cover each other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

_OF_PROGRAMS = re.compile(r"[+-]?(?:\d+\.?\d*[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)")
"""Numbers in the notation of programs: 1.0E3, .5."""


class SameValues:
    """Entities of one side with the same number or date, or dates that cover each other."""

    def __init__(self) -> None:
        self._names: dict[str, tuple[str, ...]] = {}
        self._same: dict[str, list[str]] = {}
        self._finer: dict[str, list[str]] = {}

    @property
    def are_any(self) -> bool:
        """Return whether one of them is a value."""
        return bool(self._names)

    def add(self, uri: str, label: str) -> None:
        """Add one entity."""
        if names := value_names(label):
            self._names[uri] = names
            self._same.setdefault(names[0], []).append(uri)
            for name in names[1:]:
                self._finer.setdefault(name, []).append(uri)

    def same(self, uri: str) -> Sequence[str]:
        """Return the entities with the same value, itself included; empty if it is no value."""
        names = self._names.get(uri)
        return self._same[names[0]] if names else ()

    def finer(self, uri: str) -> Sequence[str]:
        """Return the entities whose date is more precise, or whose number may be the same."""
        names = self._names.get(uri)
        return self._finer.get(names[0], ()) if names else ()

    def coarser(self, uri: str) -> Iterator[str]:
        """Return the entities whose date covers this one, or may."""
        for name in self._names.get(uri, ())[1:]:
            yield from self._same.get(name, ())


def value_names(label: str) -> tuple[str, ...]:
    """Return the value of a label under a name that no label normalises to; empty for other labels.

    Behind it stands what else it may be, or says too: the month and the year of a day, a number whose dot parts
    thousands. Two labels cannot both be options where the first of the one is any of the other's.
    """
    first = label[:1]
    if first.isdigit() or not first.isalnum():  # -5, .5, $5
        return (f"={label.lstrip('0') or '0'}",) if label.isdecimal() and label.isascii() else _names(label.strip())
    return _names(label.strip()) if label[-1:].isdigit() and _opens_with_month(label) else ()


def _names(label: str) -> tuple[str, ...]:
    from factprobe.periods import parse_day
    from factprobe.reading.values import value_of

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
    exact = str(int(number)) if number.is_integer() else repr(number)
    return f"={exact} {unit}".rstrip()


def _of_date(year: int | str | None, month: int | None, day: int | None) -> tuple[str, ...]:
    """Return a date with the coarser ones that contain it, the finest first."""
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
