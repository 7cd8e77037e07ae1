"""Date, time of day, number or span of years, and its comparison with another one."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from itertools import product

from msgspec import Struct
from msgspec.structs import replace

from factprobe.reading.language import phrases, table
from factprobe.reading.values.clock import Clock
from factprobe.reading.values.units import Quantity, dimension_of, may_be_left_out, quantities, same_unit

_ROUNDING = Decimal("0.5")
"""Largest distance of a number from the one that it rounds, in units of its last figure."""
_CLOSE = 0.005
"""Maximum relative error of a rounded number that counts as an answer."""
_MANY = 1000
"""Minimum of a number, or of the size of its last digit, for which rounding to one digit is likely (not 20 for 15)."""


CENTURY = next(filter(re.compile(phrases("century")).fullmatch, table("unit")))
"""Unit of a hundred years, by which a number may name a century."""


class Value(Struct, frozen=True, gc=False):
    """Date or time of any precision, number, or span of years.

    Years BC are negative, and there is no year 0: -44 is 44 BC, as in Wikidata's `-0044-03-15` (in ISO 8601, that year
    is -0043).
    """

    start: int
    """Span in the text, in characters; the end is exclusive."""
    end: int
    year: int | None = None
    month: int | None = None
    day: int | None = None
    number: float | None = None
    until: int | None = None
    """Last year of a span."""
    is_period: bool = False
    """True if the span is a decade or century, so that any date in it is an answer."""
    unit: str = ""
    step: float = 1
    """Size of the last digit of the number; 0 for a fraction, which is exact."""
    other: tuple[float, str] | None = None
    """Other number and unit that may be meant: 7874 for 7.874, 300 kelvins for 300K, 350 millions for 350m."""
    swapped: bool = False
    """True if day and month are ambiguous (03/04/1920)."""
    clock: Clock | None = None
    """Time of day, alone or of the day."""

    def is_number(self) -> bool:
        """Return whether the value is neither a date nor a time."""
        return self.year is None and self.month is None and self.clock is None

    @property
    def _possible_year(self) -> float | None:
        """Year of the value, or its number if it may be a year: below 100 and without a unit (-753, 79); else None."""
        return self.number if self.year is None and (self.number or 0) < 100 and not self.unit else self.year

    def with_unit(self, unit: str) -> Value:
        """Return the value with a unit if it is a number without one; in centuries, as the span of the years."""
        if self.unit or self.number is None or not unit:
            return self
        if unit != CENTURY or self.number not in range(1, 100):
            return replace(self, unit=unit)
        first = 100 * (int(self.number) - 1)
        return Value(self.start, self.end, first, until=first + 99, is_period=True)

    def quantities(self) -> list[Quantity]:
        """Return the quantities that a number with a unit, or a duration in figures (2:05), may be."""
        if self.clock and not self.day and (self.clock.is_open or self.clock.step == 1):
            sizes = (1,) if self.clock.step == 1 else (1, 60)
            return [Quantity("s", self.clock.second / size) for size in sizes]
        return [*quantities(self.number, self.unit, self.step)] if self.unit and self.number is not None else []

    def is_as_much(self, other: Value) -> bool:
        """Return whether two values are equal quantities, also in different units."""
        return any(one.equals(two) for one, two in product(self.quantities(), other.quantities()))

    def has_other_unit(self, right: Value) -> bool:
        """Return whether the unit differs from the right value's, or is missing though it must be given."""
        is_same = same_unit(self.unit, right.unit) if self.unit and right.unit else may_be_left_out(right.unit)
        return not is_same

    def times(self) -> list[Value]:
        """Return the value with each time of day that it may mean; two if a.m. or p.m. is missing."""
        return [replace(self, clock=reading) for reading in self.clock.readings()] if self.clock else [self]

    def answers(self, right: Value) -> bool:
        """Return whether the value matches the right one; a date or time must be at least as exact.

        A time without a.m. or p.m. is read on a 24-hour clock.
        """
        if right.clock is not None:
            if self.clock is None or not self.clock.answers(right.clock):
                return False
            if right.day is None:
                return True
        return self._answers(right)

    def is_same(self, right: Value) -> bool:
        """Return whether the value may mean the right one, and is as exact."""
        pairs = product(self.times(), right.times())
        return any(one.answers(two) and (two.number is not None or two.answers(one)) for one, two in pairs)

    def _answers(self, right: Value) -> bool:
        """Return whether the value matches the right one, apart from the time of day."""
        if right.is_period and self.year is not None:
            first, last = right.year or 0, right.until or 0
            return first <= self.year and (self.year if self.until is None else self.until) <= last
        if (right.until is not None or self.until is not None) and not (self.month and right.month):
            return (self.year, self.until) == (right.year, right.until)
        if right.number is not None and self.number is not None and right.month is None:
            return (self.year or 0) >= 0 and _is_as_much(self, right)
        is_yearly = right.year is None and right.day is not None  # no year, as in 31 October for Halloween
        if not is_yearly and (right._possible_year is None or self._possible_year != right._possible_year):
            return False
        if right.day is None:
            return right.month in (None, self.month)
        plain = (self.month, self.day) == (right.month, right.day)
        return plain or ((self.swapped or right.swapped) and (self.day, self.month) == (right.month, right.day))

    def _in_unit_of(self, other: Value) -> Value:
        """Return a quantity in the unit of another one of its kind: 8.848 km for 8848 m; other values unchanged."""
        if self.number is None or not self.unit or not other.unit or same_unit(self.unit, other.unit):
            return self
        (kind, size, zero), (other_kind, other_size, other_zero) = map(dimension_of, (self.unit, other.unit))
        if (kind, zero) != (other_kind, other_zero):
            return self
        ratio = size / other_size
        return replace(self, number=self.number * ratio, unit=other.unit, step=float(f"{self.step * ratio:.12g}"))

    def rounds(self, other: Value) -> bool:
        """Return whether one of two numbers is the other rounded to fewer digits, as people round an answer.

        A number that is less exact than the other may be half a percent from it (381,000 for 380,793), and has at least
        a decimal in a quantity below 1,000 (42.2 km for 42.195 km). One that is more exact than the other needs no unit
        if the other has three digits or is in thousands (2.71828 for 2.718).
        """
        other = other._in_unit_of(self)
        one, two = self.number or 0, other.number or 0
        if self.step < other.step and other._distance(self) < _ROUNDING:
            return other._figures > 2 or other.step >= _MANY
        is_exact = abs(two) >= _MANY or (self.unit != "" and self.step < 1)
        return is_exact and abs(one - two) <= _CLOSE * abs(two) and self._distance(other) <= _ROUNDING

    def is_rounded(self, other: Value) -> bool:
        """Return whether the number is another one rounded to fewer digits, but at least two, without final zeros."""
        return self._figures > 1 and self._distance(other) <= _ROUNDING

    def is_near(self, other: Value) -> bool:
        """Return whether another number has more digits, and differs by at most one in the last digit of this one."""
        return (self._figures > 1 or (self.number or 0) >= _MANY) and self._distance(other) <= 1

    @property
    def _figures(self) -> int:
        return len(_decimal(self.number or 0).as_tuple().digits)

    def _distance(self, other: Value) -> Decimal:
        """Return the distance to a number with more digits, in units of the last digit; infinite for other values."""
        other = other._in_unit_of(self)
        numbers = self.number, other.number
        if not all(numbers) or not all(map(math.isfinite, filter(None, numbers))):
            return Decimal("inf")
        short, long = _decimal(self.number or 0), _decimal(other.number or 0)
        last = int(short.as_tuple().exponent)
        if (self.year and other.year) or self.has_other_unit(other) or last <= int(long.as_tuple().exponent):
            return Decimal("inf")
        return abs(short - long).scaleb(-last)

    def may_be(self, other: Value) -> bool:
        """Return whether one of two values may be a less exact form of the other, or both have the same number."""
        pairs = product(self.times(), other.times())
        if any(one.answers(two) or two.answers(one) for one, two in pairs):
            return True
        is_number = self.year is None and other.year is None and self.number is not None
        return is_number and self.number == other.number


def _decimal(number: float) -> Decimal:
    return Decimal(f"{number:.12g}").normalize()


def _is_as_much(one: Value, right: Value) -> bool:
    """Return whether a number with its unit is the right one, or an equal quantity in another unit."""
    if one.other and _is_as_much(replace(one, number=one.other[0], unit=one.other[1], other=None), right):
        return True
    is_same = one.number == right.number and not one.has_other_unit(right)
    return is_same or (one.unit != right.unit and one.is_as_much(right))
