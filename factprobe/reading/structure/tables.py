"""Markdown tables in replies."""

from __future__ import annotations

import re

from factprobe.reading.tokenisation.tokens import Words, common_keys

_TABLE = re.compile(
    r"^(?P<head>[^\n|]*\|[^\n]*)\n[ \t]*\|?[ \t]*:?-+:?[ \t]*\|[-|: \t]*\n(?P<rows>(?:[^\n]*\|[^\n]*(?:\n|\Z))+)",
    re.MULTILINE,
)
"""Pattern of a Markdown table with a header row."""


def with_asked_cells(text: str, asked: frozenset[str], *, keeps_rows: bool) -> str:
    """Replace each Markdown table in which a cell repeats the question by the cells of its other columns, a row a line.

    If the question names some of these columns, only their cells are kept. Other tables are unchanged.

    Args:
        text: Reply.
        asked: Stems of the words of the question.
        keeps_rows: True to keep rows without a cell of the question.
    """
    content = asked - common_keys()

    def kept_cells(match: re.Match[str]) -> str:
        head, rows = _cells(match["head"]), [*map(_cells, match["rows"].strip().split("\n"))]
        keys = [[frozenset(Words(cell).keys) for cell in row] for row in rows]
        is_asked = [[cell <= asked and bool(cell & content) for cell in row] for row in keys]
        if not any(map(any, is_asked)):
            return match[0]
        columns = [i for i in range(len(head)) if not any(i < len(row) and row[i] for row in is_asked)]
        columns = [i for i in columns if not content.isdisjoint(Words(head[i]).keys)] or columns
        rows_left = [row for row, cells in zip(rows, is_asked, strict=True) if keeps_rows or any(cells)]
        return "\n".join(", ".join(row[i] for i in columns if i < len(row)) for row in rows_left) + "\n"

    return _TABLE.sub(kept_cells, text).strip() if "|" in text else text


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]
