"""Units of measurement and currencies after a number, by symbol and name, and comparison of quantities across units."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from factprobe.reading.language import phrases, table, vocabulary

_EITHER = "|"
"""Separator of the units that an ambiguous name may denote; a pound is money or a weight."""
_EXPONENTS = dict(zip("nµmckMGT", (-9, -6, -3, -2, 3, 6, 9, 12), strict=True))
"""Power of ten of each metric prefix."""
_TOLERANCE = 0.005
"""Maximum relative difference of equal quantities in units of different systems, since both are rounded."""
_EXACT = 1e-9
"""Maximum relative difference that is due to the arithmetic."""
_LONGEST = 3
"""Maximum number of words of a unit's name."""
_AT_END, _END = (
    {name: unit for unit, names in table("unit_at_end").items() for name in names},
    re.compile(r"\.?\s*(?:$|[,;:)])"),
)
"""Units by names that denote a unit only at the end of a clause, and the pattern of the end of a clause."""
_GIVEN = "".join(rf"(?<!\b{word}\s)" for word in sorted(vocabulary("unit_per", "unit_each")))
_MEASURE = re.compile(rf"(?<![^\W_])(?<!\d[\s-]){_GIVEN}(?:°\s?[CF]\b|[^\W\d_]{{2,}})", re.IGNORECASE)
"""Pattern of a word in a question at which the name of the unit asked for may begin.

After a number ("60 meters", "$12 an hour") it would be the unit of what is given.
"""


def _unit_names() -> Iterator[tuple[str, str]]:
    """Yield the symbols and names of units, each with its unit."""
    for unit, names in (table("unit") | table("currency")).items():
        yield from ((name, unit) for name in (unit, *names))
    for unit, names in table("unit_prefixed").items():
        signs = [name for name in (unit, *names) if name == unit or len(name) <= 2 or not name.islower()]
        yield from ((name, unit) for name in (unit, *names))
        for prefix, words in table("unit_prefix").items():
            short = [word for word in (prefix, *words) if len(word) <= 2]
            yield from ((f"{one}{sign}", f"{prefix}{unit}") for one in short for sign in signs)
            long = [word for word in words if len(word) > 2]
            yield from ((f"{one}{name}", f"{prefix}{unit}") for one in long for name in names if name not in signs)


def _by_name(names: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the unit of each name; of an ambiguous name, all its units, joined by `|`."""
    found: dict[str, dict[str, None]] = {}
    for name, unit in names:
        found.setdefault(name, {})[unit] = None
    return {name: _EITHER.join(units) for name, units in found.items()}


UNITS = _by_name(_unit_names())
"""Unit by symbol or name; case matters, since mW is not MW."""
_FOLDED = _by_name((name.lower(), unit) for name, unit in UNITS.items() if len(name) > 1)
"""Unit by symbol or name in lower case."""
MONEY = "|".join(
    sorted(
        (re.escape(name) for sign, names in table("currency").items() for name in (sign, *names) if not name.islower()),
        key=lambda name: -len(name),
    )
)
"""Pattern of currency symbols before a sum, as the alternatives of a regular expression."""
_LEFT_OUT = vocabulary("unit_left_out")
_POWERS = {
    **dict.fromkeys(vocabulary("unit_square", "unit_squared"), "2"),
    **dict.fromkeys(vocabulary("unit_cubic", "unit_cubed"), "3"),
    **{"²": "2", "³": "3"},
}
_ENDS_IN_SIGN = "|".join(re.escape(name) for name in UNITS if name[0].isalpha() and not name[-1].isalnum())
"""Pattern of symbols that end in a character other than a letter, such as US$."""
_FACTOR = re.compile(
    rf"""(?:(?P<before>{"|".join(vocabulary("unit_square", "unit_cubic"))})\b\.?[-\s]+)?
    (?:(?P<sign>°\s?[CF]\b|{_ENDS_IN_SIGN}|[^\w\s.,;:!?()'"/*^+-])
    |(?P<words>[^\W\d_²³¹]+(?:[-\s][^\W\d_²³¹]+){{0,{_LONGEST - 1}}}))
    """,
    re.VERBOSE,
)
_RAISED = "|".join(vocabulary("unit_squared", "unit_cubed"))
_POWER = re.compile(rf"\^?\{{?(?P<figure>[23](?!\.?\d)|[²³])\}}?|\s(?P<word>{_RAISED})\b")
_PER = re.compile(rf"\s*/\s*|\s+(?:{phrases('unit_per')})\s+")


def unit_at(text: str, start: int) -> tuple[str, int]:
    """Return the unit that begins at an index of a text, and the index after it; the unit is empty if there is none."""
    at = start
    while at < len(text) and at - start < 2 and (text[at].isspace() or text[at] == "-"):
        at += 1
    unit, end = _factor(text, at)
    while unit and (per := _PER.match(text, end)):
        below, behind = _factor(text, per.end())
        if not below or text[behind : behind + 1].isdigit():  # $500 / $1,200
            break
        unit, end = f"{unit}/{below}", behind
    return (unit, end) if unit else ("", start)


def same_unit(one: str, other: str) -> bool:
    """Return whether two units may be the same, as an ambiguous name may denote either."""
    return one == other or not {*one.split(_EITHER)}.isdisjoint(other.split(_EITHER))


def may_be_left_out(unit: str) -> bool:
    """Return whether the unit may be omitted after a number."""
    return not unit or not _LEFT_OUT.isdisjoint(unit.split(_EITHER))


@lru_cache(maxsize=1 << 12)
def measure_in(question: str) -> str:
    """Return the unit that a question asks for; empty if it names none."""
    units = (unit_at(question, word.start())[0] for word in _MEASURE.finditer(question))
    return next((unit for unit in units if unit), "")


def _factor(text: str, start: int) -> tuple[str, int]:
    """Return a unit with its power (s^2), and the index after it; the unit is empty if there is none."""
    match = _FACTOR.match(text, start)
    unit, end = _unit(match) if match else ("", start)
    if not match or not unit:
        return "", start
    power = _POWERS.get((match["before"] or "").lower(), "")
    raised = None if power else _POWER.match(text, end)
    if raised is None:
        return unit + power, end
    figure = raised["figure"] or raised["word"]
    return unit + _POWERS.get(figure, figure), raised.end()


def _unit(match: re.Match[str]) -> tuple[str, int]:
    """Return the unit that a symbol or the first words (as many as possible) denote, and the index after it."""
    if match["sign"]:
        return UNITS.get(match["sign"].replace(" ", ""), ""), match.end("sign")
    words = match["words"]
    ends = [i for i, letter in enumerate(words) if letter in " -\t\n\u00a0"]
    for end in [len(words), *reversed(ends)]:
        name = " ".join(words[:end].replace("-", " ").split())
        if name in _AT_END and _END.match(match.string, match.start("words") + end):
            return _AT_END[name], match.start("words") + end
        if unit := UNITS.get(name) or _FOLDED.get(name.lower(), ""):
            return unit, match.start("words") + end
    return "", match.start()


class Quantity(NamedTuple):
    """Number with a unit, converted to a base unit."""

    kind: str
    """Base unit of the kind, such as `m`."""
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
    """Yield a finite number as a quantity in each unit from `unit_at`; `step` is the size of its last digit."""
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
