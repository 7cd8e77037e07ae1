"""Human judgments of replies, normalised to one word."""

from __future__ import annotations

from collections import Counter
from math import isnan
from typing import Any

from factprobe.inputs.record_values import plain, split_items
from factprobe.records import SIDES


def judgment_of(value: Any, separator: str) -> str:
    """Return a judgment: a word, a number in its shortest form, or empty if there is none.

    Of several people's judgments the majority counts; a tie is no judgment.

    Args:
        value: a word, a number, or a list with one for each person, possibly as text.
        separator: separator of the items in a text.
    """
    if value is None or (isinstance(value, str) and value in SIDES):  # fast path for most values
        return value or ""
    value = split_items(value, separator) if isinstance(value, str) else plain(value)
    if not isinstance(value, list | tuple):
        return _normalise_judgment(value)
    said = [one for one in map(_normalise_judgment, value) if one]
    unknown = [one for one in said if one.casefold() not in SIDES]
    if len(said) < 2 or unknown:
        return (unknown or said or [""])[0]
    [(first, most), *others] = Counter(SIDES[one.casefold()] for one in said).most_common()
    return "" if others and others[0][1] == most else first


def _normalise_judgment(value: Any) -> str:
    """Return the judgment of one person."""
    text = "" if value is None else str(value).strip()
    try:
        number = float(text)
    except ValueError:
        return text
    return "" if isnan(number) else f"{number:g}"
