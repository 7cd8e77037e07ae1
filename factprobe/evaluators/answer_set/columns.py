"""Tables with the answers in another column than the first."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from factprobe.text import normalise

_ROW = re.compile(r"^[ \t]*\|(.*)\|[ \t]*$", re.MULTILINE)
_FEW_BARS = 3
"""Maximal number of bars of a text without a table of several columns and rows."""


def with_answers_first(reply: str, names: Collection[str]) -> str:
    """Move the column with the most right answers to the front of each table row in a cleaned reply.

    Args:
        reply: Cleaned reply.
        names: Normalised names of the right answers.
    """
    if reply.count("|") <= _FEW_BARS:
        return reply
    rows = [row[1].split("|") for row in _ROW.finditer(reply)]
    width = len(rows[0]) if rows else 0
    if width < 2 or any(len(row) != width for row in rows):
        return reply
    counts = [sum(_says(row[column], names) for row in rows) for column in range(width)]
    best = counts.index(max(counts))
    return _ROW.sub(lambda row: _moved(row[1].split("|"), best), reply) if best else reply


def _says(cell: str, names: Collection[str]) -> bool:
    said = f" {normalise(cell)} "
    return any(f" {name} " in said for name in names)


def _moved(cells: Sequence[str], first: int) -> str:
    return "|".join(("", cells[first], *cells[:first], *cells[first + 1 :], ""))
