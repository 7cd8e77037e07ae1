"""Mentions of values in a text: years, dates and numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from factprobe.reading.names.name_tables import NameMention, NameTable, find
from factprobe.reading.tokenisation.tokenised_text import Text
from factprobe.reading.values.units import measure_in, same_unit
from factprobe.reading.values.value import Value
from factprobe.reading.values.value_parsing import is_ordinal, values_in

_DASH = re.compile(r"\s*[–—]\s*|\s+-\s+")
_YEARS = 2200
"""Four-figure number from which on numbers are not read as years."""
_MOST_WORDS = 30
"""Maximum number of words without a blank between them in which values are searched, so that this takes linear time."""


def typed_mentions(
    text: Text, right: Mapping[str, Sequence[Value]], given: NameTable | None = None, question: str = ""
) -> list[NameMention]:
    """Return the mentions of values in a text; right ones have the URIs of their answers.

    Args:
        text: Reply in words.
        right: Right values by URI.
        given: Names of the entity that the question gives, in which values are ignored.
        question: Question, which may name a unit.
    """
    from bisect import bisect_left, bisect_right

    passed = sorted(i for start, end, _ in find([given], text) for i in range(start, end)) if given else []
    years = all(value.year is not None and value.year < _YEARS for values in right.values() for value in values)
    measured = measure_in(question)
    found = []
    for value in values_in(text.source):
        start = bisect_right(text.starts, value.start) - 1
        start = bisect_left(text.starts, text.starts[start]) if start >= 0 else start  # 8,485 is two words
        end = max(bisect_left(text.starts, value.end), start + 1)
        told = value if value.unit or not measured or value.number is None else replace(value, unit=measured)
        if end - start > _MOST_WORDS:
            continue
        is_life = value.until is not None and text.source[: value.start].endswith("(")  # Turing (1912 – 1954)
        ends = [told, *(values_in(_DASH.sub(";", text.source[value.start : value.end])) if is_life else ())]
        uris = frozenset(uri for uri, own in right.items() if any(end.answers(one) for end in ends for one in own))
        other_unit = value.unit and measured and not same_unit(value.unit, measured)
        if (
            start < 0
            or bisect_left(passed, start) < bisect_left(passed, end)
            or other_unit
            or (not uris and ((years and value.year is None) or is_ordinal(text.source[value.start : value.end])))
        ):
            continue
        found.append(NameMention(start, end, uris))
    return found
