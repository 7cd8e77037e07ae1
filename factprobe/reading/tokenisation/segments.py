"""Segments of a tokenised text, such as clauses and sentences."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import lru_cache

from factprobe.reading.tokenisation.tokens import Words

CLAUSE_END = re.compile(r"[,;:.!?()\[\]\n…—、。，；：！？।]|\s[-–]\s")
SENTENCE_END = re.compile(r"[.!?\n。！？।]")


def bounds_of(words: Words, start: int, end: int, parts: re.Pattern[str]) -> tuple[int, int]:
    """Return the span, in words, of the segment around a mention; `parts` matches the marks between segments."""
    starts = starts_of_parts(words, parts)
    next_start = bisect_left(starts, end)
    return starts[bisect_right(starts, start) - 1], starts[next_start] if next_start < len(starts) else len(words)


@lru_cache(maxsize=8)
def starts_of_parts(words: Words, parts: re.Pattern[str]) -> list[int]:
    """Return the indices of the first words of all segments of a text, such as clauses or sentences.

    Cached, since it is needed for each mention in a text. `parts` matches the marks between segments.
    """
    source, gaps = words.source, enumerate(zip(words.ends, words.starts[1:], strict=False), 1)
    return [0, *[i for i, (start, end) in gaps if source[start:end] != " " and parts.search(source, start, end)]]
