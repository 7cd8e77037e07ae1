"""Mentions of values in a text: years, dates and numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from factprobe.reading.names.name_tables import NameMention, NameTable, find
from factprobe.reading.tokenisation.tokenised_text import Text
from factprobe.reading.values.units import is_same_kind, measure_in
from factprobe.reading.values.value import Value
from factprobe.reading.values.value_parsing import values_in

_DASH = re.compile(r"\s*[–—]\s*|\s+-\s+")
_YEAR_LIMIT = 2200
"""Year from which a four-digit number is not taken for a year."""
_MAX_WORDS = 30
"""Maximum number of words of a mention; longer ones are ignored, so that the search takes linear time."""


def value_mentions(
    text: Text, right: Mapping[str, Sequence[Value]], given: NameTable | None = None, question: str = ""
) -> list[NameMention]:
    """Return the mentions of values in a text; `uris` are the right answers with this value, none for a wrong one.

    Wrong values of another kind or unit than the right ones are left out.

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
    mentions = []
    for value in values_in(text.source):
        start = bisect_right(text.ends, value.start)
        end = max(bisect_left(text.starts, value.end), start + 1)
        measured_value = value.with_unit(measured)
        if end - start > _MAX_WORDS:
            continue
        is_life = value.until is not None and text.source[: value.start].endswith("(")  # Turing (1912 – 1954)
        ends = [measured_value, *(values_in(_DASH.sub(";", text.source[value.start : value.end])) if is_life else ())]
        uris = frozenset(
            uri for uri, own in right.items() if any(end.answers(one) or end.rounds(one) for end in ends for one in own)
        )
        is_other_unit = value.unit and measured and not is_same_kind(value.unit, measured)
        is_year = value.year is not None and value.month is None and value.until is None
        is_other_kind = (years and value.year is None) or (times and value.clock is None)
        is_other_kind = is_other_kind or (numbers and is_year)  # 164,000 as of 2022
        is_given = bisect_left(given_words, start) < bisect_left(given_words, end)
        if start >= 0 and (uris or not is_other_kind) and not (is_given or is_other_unit):
            mentions.append(NameMention(start, end, uris))
    return mentions
