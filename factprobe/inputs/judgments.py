"""What people say of a reply, by one word whoever wrote it."""

from __future__ import annotations

from collections import Counter
from math import isnan
from typing import Any

from factprobe.inputs.values import items_of, plain
from factprobe.records import SIDES


def judgment_of(value: Any, separator: str) -> str:
    """A judgment: a word, a number as short as it can be written, or empty where there is none.

    Of several people's that of the majority is taken; where as many say one thing as the other, there is none.

    Args:
        value: a word, a number, or a list of them, one a person; a list may also be a text.
        separator: what stands between the items of a text.
    """
    if value is None or (isinstance(value, str) and value in SIDES):  # as nearly all are
        return value or ""
    value = items_of(value, separator) if isinstance(value, str) else plain(value)
    if not isinstance(value, list | tuple):
        return _said(value)
    said = [one for one in map(_said, value) if one]
    strange = [one for one in said if one.casefold() not in SIDES]
    if len(said) < 2 or strange:
        return (strange or said or [""])[0]
    [(first, most), *others] = Counter(SIDES[one.casefold()] for one in said).most_common()
    return "" if others and others[0][1] == most else first


def _said(value: Any) -> str:
    """What one person says."""
    text = "" if value is None else str(value).strip()
    try:
        number = float(text)
    except ValueError:
        return text
    return "" if isnan(number) else f"{number:g}"
