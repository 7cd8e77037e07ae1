"""Tables for a terminal, no wider than it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from shutil import get_terminal_size
from textwrap import fill

from factprobe.progress import printable

WIDTH = 100
"""Characters of a line if the output is no terminal."""
_LEAST_ROOM = 18
"""Fewest characters that are shown of a long name."""
_GAP = 2
"""Characters between two columns."""
_UNBOUNDED = 100_000
"""Width for drawing a table that already fits."""


def fitted(
    title: str,
    name: str,
    figures: Sequence[str],
    sections: Iterable[Sequence[Sequence[str]]],
    short: Mapping[str, str] | None = None,
    *,
    compact: bool = False,
) -> str:
    """Format a table, no wider than the terminal.

    The names have the room that the figures leave them, and a long one loses its middle; no figure is ever cut. Where
    names have too little room, the heads are `short`, and then columns are left out from the right, which a line below
    says.

    Args:
        title: stands above it.
        name: the head of the column of names.
        figures: the heads of the others.
        sections: the rows, a name and its figures each, in groups; a name alone is a heading. A cell may have lines.
        short: shorter heads of columns.
        compact: leave out the empty line below the title, and the line on columns without room.
    """
    groups = [[[printable(cell) for cell in row] for row in section] for section in sections]
    rows = [row for group in groups for row in group]
    longest = _width([name, *(row[0] for row in rows)])
    widths = [_width(["", *(row[at] for row in rows if len(row) > at)]) for at in range(1, len(figures) + 1)]
    heads, enough = list(figures), min(longest, _LEAST_ROOM)
    if short and _room(heads, widths) < enough:
        heads = [short.get(head, head) for head in heads]
    while _room(heads, widths) < enough and len(heads) > 1:
        heads.pop()
    text = _render(title, name, heads, groups, max(1, min(longest, _room(heads, widths))))
    if compact:
        return text.replace("\n\n", "\n", 1)
    if len(heads) == len(figures):
        return text
    left_out = fill(f"no room for: {', '.join(figures[len(heads) :])}", line_width())
    return f"{text}\n\n{left_out}"


def line_width() -> int:
    """Return the characters of a line."""
    return get_terminal_size((WIDTH, 0)).columns


def _room(heads: Sequence[str], widths: Sequence[int]) -> int:
    """Return the room that columns of these widths, or as wide as their headers, leave for names."""
    taken = sum(max(_width([head]), width) + _GAP for head, width in zip(heads, widths, strict=False))
    return line_width() - 1 - _GAP - taken


def _render(
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
            names = "\n".join(_shorten(part, longest) for part in label.split("\n"))
            table.add_row(*map(Text, [names, *cells[: len(heads)]]), end_section=i == len(group) - 1)
    console = Console(width=_UNBOUNDED, color_system=None)
    with console.capture() as capture:
        console.print(table)
    return "\n".join(line.rstrip() for line in capture.get().split("\n")).strip()


def _width(cells: Iterable[str]) -> int:
    """Return the width of the widest value."""
    from rich.cells import cell_len

    return max(cell_len(line) for cell in cells for line in cell.split("\n"))


def _shorten(name: str, width: int) -> str:
    """Shorten a name in its middle: names of models often differ only in their ends."""
    left, right = (width - 1) // 2, width // 2
    return name if len(name) <= width else f"{name[:left]}…{name[len(name) - right :]}"
