"""Quantities, and their comparison across units."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from factprobe.reading.language import table

_EXPONENTS = dict(zip("nµmckMGT", (-9, -6, -3, -2, 3, 6, 9, 12), strict=True))
"""Power of ten of each metric prefix."""
_EITHER = "|"
"""Separator of the units that one name may denote; a pound is money or a weight."""
_TOLERANCE = 0.005
"""Maximum relative difference of equal quantities in units of different systems, since both are rounded."""
_EXACT = 1e-9
"""Maximum relative difference that is due to the arithmetic."""


class Quantity(NamedTuple):
    """Number with a unit, converted to a base unit."""

    kind: str
    """Base unit of the kind, such as `m`, with the direction of an angle; or the kind of a time of day."""
    amount: float
    """Amount in the base unit."""
    step: float = 0
    """Size of the last digit, in the base unit."""
    size: float = 1
    """Size of the original unit, in the base unit."""
    zero: float = 0
    """Zero point of the original unit, in the base unit: 273.15 for °C."""

    @property
    def reach(self) -> float:
        """Largest difference from a quantity that may equal this one, by `equals`."""
        return max(self.step / 2, _TOLERANCE * abs(self.amount))

    def equals(self, other: Quantity) -> bool:
        """Return whether two quantities are equal, up to rounding in the conversion.

        If the units have different zero points (°C, °F), they may differ by half a last digit. If neither unit is a
        multiple of the other (km, miles), they may differ by half of the smaller last digit or by 0.5 %. Others
        must be equal.
        """
        if self.kind != other.kind:
            return False
        rounding = _EXACT * max(abs(self.amount), abs(other.amount))
        large, small = sorted((self.size, other.size), reverse=True)
        if self.zero != other.zero:
            rounding = max(rounding, max(self.step, other.step) / 2)
        elif abs(large / small - round(large / small)) > _EXACT * large / small:
            rounding = max(rounding, min(self.step, other.step) / 2, _TOLERANCE * abs(self.amount))
        return abs(self.amount - other.amount) <= rounding


def quantities(number: float, unit: str, step: float = 1) -> Iterator[Quantity]:
    """Yield a number as a quantity in each unit that the name of its unit may denote.

    Args:
        number: Number, which must be finite.
        unit: Unit or units, from `unit_at`.
        step: Size of the number's last digit.
    """
    for unit_name in unit.split(_EITHER):
        kind, size, zero = dimension_of(unit_name)
        yield Quantity(kind, float(f"{number * size:.14g}") + zero, step * size, size, zero)


@lru_cache(maxsize=1 << 12)
def dimension_of(unit: str) -> tuple[str, float, float]:
    """Return the base unit, size and zero point of a unit: `m2`, 1e6 and 0 for km2; an unknown unit is its own base."""
    above, per, below = unit.rpartition("/")
    if per:
        (dimension, size, _), (divisor, by, _) = dimension_of(above), dimension_of(below)
        return f"{dimension}/{divisor}", size / by, 0.0
    if unit[1:] and unit[-1] in "23":
        dimension, size, _ = dimension_of(unit[:-1])
        return f"{dimension}{unit[-1]}", size ** int(unit[-1]), 0.0
    factor, *rest = table("unit_size").get(unit, ("",))
    if not factor and unit[1:] in table("unit_prefixed") and unit[0] in _EXPONENTS:
        factor, rest = f"1e{_EXPONENTS[unit[0]]}", [unit[1:]]
    if not factor:
        return unit, 1.0, 0.0
    dimension, size, _ = dimension_of(rest[0])
    return dimension, float(factor) * size, float(rest[1]) if rest[1:] else 0.0


def is_same_kind(one: str, other: str) -> bool:
    """Return whether two units may measure the same kind of quantity; a name may denote several units."""
    kinds = ({dimension_of(name)[0] for name in unit.split(_EITHER)} for unit in (one, other))
    return one == other or not set.isdisjoint(*kinds)


def whole_ratio(large: str, small: str) -> int:
    """Return how many of a small unit make a large one; 0 if that is no whole number, or the kinds differ."""
    (kind, size, _), (other_kind, by, _) = dimension_of(large), dimension_of(small)
    ratio = size / by if kind == other_kind else 0.0
    return round(ratio) if math.isclose(ratio, round(ratio), rel_tol=_EXACT) else 0
