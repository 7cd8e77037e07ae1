"""Mentions of values in a text: years, dates and numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from factprobe.reading.names.name_tables import NameMention, NameTable, find
from factprobe.reading.tokenisation.tokenised_text import Text
from factprobe.reading.values.units import is_same_kind, measure_in
from factprobe.reading.values.value import Value
from factprobe.reading.values.value_parsing import is_ordinal, values_in

_DASH = re.compile(r"\s*[–—]\s*|\s+-\s+")
_YEAR_LIMIT = 2200
"""Year from which a four-digit number is not taken for a year."""
_MAX_WORDS = 30
"""Maximum number of words of a mention; longer ones are ignored, so that the search takes linear time."""


def value_mentions(
    text: Text, right: Mapping[str, Sequence[Value]], given: NameTable | None = None, question: str = ""
) -> list[NameMention]:
    """Return the mentions of values in a text; `uris` are the right answers with this value, none for a wrong one.

    Wrong values of another kind or unit than the right ones, and wrong ordinals, are left out.

    Args:
        text: Reply, split into words.
        right: Values of the right answers by URI.
        given: Names of the entity that the question gives; values that overlap one of them are ignored.
        question: Text of the question, which may name the unit of the answer.
    """
    from bisect import bisect_left, bisect_right

    given_words = sorted(i for start, end, _ in find([given], text) for i in range(start, end)) if given else []
    wanted = [value for values in right.values() for value in values]
    years = all(value.year is not None and value.year < _YEAR_LIMIT for value in wanted)
    numbers = all(value.year is None and value.clock is None for value in wanted)
    times = all(value.clock is not None and value.day is None for value in wanted)
    measured = measure_in(question)
    right = {uri: [value.with_unit(measured) for value in own] for uri, own in right.items()}
    said = values_in(text.source)
    mentions = []
    for value in _with_dates(text, said) if any(date.clock and date.day for date in wanted) else said:
        start = bisect_right(text.starts, value.start) - 1
        start = bisect_left(text.starts, text.starts[start]) if start >= 0 else start  # 8,485 is two words
        end = max(bisect_left(text.starts, value.end), start + 1)
        measured_value = value.with_unit(measured)
        if end - start > _MAX_WORDS:
            continue
        is_life = value.until is not None and text.source[: value.start].endswith("(")  # Turing (1912 – 1954)
        ends = [measured_value, *(values_in(_DASH.sub(";", text.source[value.start : value.end])) if is_life else ())]
        uris = frozenset(
            uri for uri, own in right.items() if any(end.answers(one) or end.rounds(one) for end in ends for one in own)
        )
        other_unit = value.unit and measured and not is_same_kind(value.unit, measured)
        if (
            start < 0
            or bisect_left(given_words, start) < bisect_left(given_words, end)
            or other_unit
            or (not uris and ((years and value.year is None) or (times and value.clock is None)))
            or (not uris and numbers and value.is_year())  # 164,000 as of 2022
            or (not uris and is_ordinal(text.source[value.start : value.end]))
        ):
            continue
        mentions.append(NameMention(start, end, uris))
    return mentions


def _with_dates(text: Text, values: Sequence[Value]) -> list[Value]:
    """Return the values, with each time of day and the nearest date in its sentence joined into one value."""
    from bisect import bisect_right

    def sentence(value: Value) -> int:
        return text.sentences[max(bisect_right(text.starts, value.start) - 1, 0)]

    days = [value for value in values if value.day and not value.clock]
    by_start = {value.start: value for value in values}
    for value in values:
        near = [day for day in days if value.clock and not value.day and sentence(day) == sentence(value)]
        if near:
            day = min(near, key=lambda date: (date.start > value.start, abs(date.start - value.start)))
            by_start[value.start] = replace(day, start=value.start, end=value.end, clock=value.clock)
            by_start.pop(day.start, None)
    return list(by_start.values())
