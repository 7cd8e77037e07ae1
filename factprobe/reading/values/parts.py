"""Parts of one quantity: 5 feet 7 inches, 2 h 49 min."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from factprobe.reading.language import in_order, table
from factprobe.reading.values.units import whole_ratio
from factprobe.reading.values.value import Value

_BEFORE_PRIME = next(iter(table("unit_part")))
"""Unit of a number before a prime and another number."""
_PRIMES = str.maketrans({"′": "'", "″": '"', "’": "'", "”": '"', "“": '"'})
_BESIDE = re.compile(r"['\s]*|-")
_SIGN = re.compile(r"\s?([^\W\d_]+|[\"'′″’”])")
_LINKED = re.compile(rf"\s*,?\s*(?:(?:{'|'.join(in_order('link_and'))})\s+)?")


def join_parts(values: Sequence[Value], text: str) -> list[Value]:
    """Join values in a text that are parts of one quantity, in the unit of the last part."""
    result: list[Value] = []
    for value in values:
        joined = _joined(result[-1], value, text) if result else None
        if joined is None:
            result.append(value)
        else:
            result[-1] = joined
    return result


def _joined(large: Value, small: Value, text: str) -> Value | None:
    """Return two values as one quantity (5 ft 7); None if the second is no part of the first one's unit (1 m, 2 cm)."""
    gap = text[large.end : small.start].translate(_PRIMES)
    is_feet = gap.strip() == "'" and text[large.start - 1 : large.start] not in ("'", "‘")
    units = large.unit or (_BEFORE_PRIME if is_feet else "")
    is_beside = _BESIDE.fullmatch(gap) is not None
    if not units or not (is_beside or _LINKED.fullmatch(gap)) or large.number is None or small.number is None:
        return None
    sign = None if small.unit else _SIGN.match(text, small.end)
    for unit in units.split("|"):
        part, *names = table("unit_part").get(unit, ("",))
        if sign and sign[1].translate(_PRIMES) in names:
            unit_part, end = part, sign.end()
        else:
            is_short = small.unit in names or (is_beside and not small.unit)
            unit_part, end = part if is_short else small.unit, small.end
        ratio = max(whole_ratio(unit, one) for one in unit_part.split("|"))
        is_part = large.number % 1 == 0 <= small.number and (small.number < ratio or (is_beside and small.unit))
        if ratio > 1 and is_part and (is_beside or math.log10(ratio) % 1):
            number = large.number * ratio + math.copysign(small.number, large.number)
            return Value(large.start, end, number=number, unit=unit_part, step=small.step)
    return None
