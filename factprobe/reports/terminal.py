"""Writer of reports as text that is no wider than the terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from io import StringIO
from shutil import get_terminal_size
from textwrap import fill

from factprobe.progress import printable
from factprobe.reports.document import Block, Figure, Paragraph, Remark, Row, Table, cell_text

WIDTH = 100
"""Characters in a line if the width of the terminal is unknown."""
_MIN_NAME_WIDTH = 18
_COLUMN_GAP = 2
_UNBOUNDED_WIDTH = 100_000


def plain_text(blocks: Iterable[Block], *, is_compact: bool = False) -> str:
    """Return the tables, paragraphs and remarks of a report as text; other blocks are omitted.

    With `is_compact`, tables have no empty line below the title, and no line on omitted columns.
    """
    text, was_remark = "", False
    for block in blocks:
        is_remark, body = isinstance(block, Remark), ""
        match block:
            case Table(rows=[_, *_]):
                body = _table_text(block, is_compact=is_compact)
            case Remark():
                body = f"{block.lead}: {block.text}" if block.lead else block.text
            case Paragraph(is_note=False):
                body = block.text
        if body:
            text += ("\n" if was_remark and is_remark else "\n\n" if text else "") + body
            was_remark = is_remark
    return text


def line_width() -> int:
    """Return the width of the terminal in characters."""
    return get_terminal_size((WIDTH, 0)).columns


def _table_text(table: Table, *, is_compact: bool) -> str:
    """Format a table.

    Figures are never cut. Names get the rest of the line, and are shortened in the middle if they are longer. If there
    is too little room for names, short headers are used; if it is still too little, columns are omitted from the right,
    and a line below the table names them.
    """
    groups = [_section_lines(table, section, rows) for section, rows in table.sections()]
    rows = [row for group in groups for row in group]
    columns, name = list(table.columns), " · ".join(filter(None, table.names))
    longest = _widest_line([name, *(row[0] for row in rows)])
    widths = [_widest_line(["", *(row[at] for row in rows if len(row) > at)]) for at in range(1, len(columns) + 1)]
    heads, enough = [column.head for column in columns], min(longest, _MIN_NAME_WIDTH)
    if _width_for_names(heads, widths) < enough:
        heads = [column.short or column.head for column in columns]
    while _width_for_names(heads, widths) < enough and len(heads) > 1:
        heads.pop()
    text = _render_table(table.title, name, heads, groups, max(1, min(longest, _width_for_names(heads, widths))))
    if is_compact:
        return text.replace("\n\n", "\n", 1)
    if len(heads) == len(columns):
        return text
    names = ", ".join(column.head for column in columns[len(heads) :])
    left_out = fill(f"a wider terminal also shows: {names}", line_width())
    return f"{text}\n\n{left_out}"


def _section_lines(table: Table, section: str, rows: Iterable[Row]) -> list[list[str]]:
    """Return the lines of a section: its heading, if any, then the names and figures of its rows."""
    indent, between = "  " if section else "", "\n" if table.is_stacked else " · "
    lines = [[section]] if section else []
    for row in rows:
        names = between.join(filter(None, row.names)).split("\n")
        cells = (cell_text(cell, "\n", _format_figure) for cell in row.cells)
        lines.append(["\n".join(indent + name for name in names), *cells])
    return [[printable(cell) for cell in line] for line in lines]


def _format_figure(figure: Figure) -> str:
    """Format a figure with its interval below it; intervals of decimals are short (`.52 to .61`)."""
    ends = re.sub(r"\b0\.", ".", figure.ends(2)) if figure.unit == "decimal" else figure.ends()
    return f"{figure.text}\n{ends}" if ends else figure.text


def _width_for_names(heads: Sequence[str], widths: Sequence[int]) -> int:
    """Return the number of characters left for names, given the headers and widths of the other columns."""
    used_width = sum(max(_widest_line([head]), width) + _COLUMN_GAP for head, width in zip(heads, widths, strict=False))
    return line_width() - 1 - _COLUMN_GAP - used_width


def _render_table(
    title: str, name: str, heads: Sequence[str], groups: Iterable[Sequence[Sequence[str]]], longest: int
) -> str:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title), box=box.SIMPLE_HEAD, title_justify="left", padding=(0, 1, 0, 0))
    table.add_column(Text(name), no_wrap=True, overflow="ellipsis", min_width=longest, max_width=longest)
    for head in heads:
        table.add_column(Text(head), justify="right", no_wrap=True)
    for group in groups:
        for i, (label, *cells) in enumerate(group):
            names = "\n".join(_shorten_name(part, longest) for part in label.split("\n"))
            table.add_row(*map(Text, [names, *cells[: len(heads)]]), end_section=i == len(group) - 1)
    output = StringIO()
    Console(file=output, width=_UNBOUNDED_WIDTH, color_system=None).print(table)
    return "\n".join(line.rstrip() for line in output.getvalue().split("\n")).strip()


def _widest_line(cells: Iterable[str]) -> int:
    from rich.cells import cell_len

    return max(cell_len(line) for cell in cells for line in cell.split("\n"))


def _shorten_name(name: str, width: int) -> str:
    """Shorten a name in the middle, since names of models often differ at their ends."""
    left, right = (width - 1) // 2, width // 2
    return name if len(name) <= width else f"{name[:left]}…{name[len(name) - right :]}"
