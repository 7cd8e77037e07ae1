"""What the tables for a terminal share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from factprobe.progress import printable

if TYPE_CHECKING:
    from rich.table import Table

WIDTH = 118
"""Characters of a line."""


_NAME_WIDTH = 26


def shortened(name: str) -> str:
    """A name that fits a column; a long one without its middle: names of models often differ only in their ends."""
    left, right = (_NAME_WIDTH - 1) // 2, _NAME_WIDTH // 2
    return name if len(name) <= _NAME_WIDTH else f"{name[:left]}…{name[-right:]}"


def new_table(title: str, names: Sequence[str], figures: Sequence[str], width: int = _NAME_WIDTH) -> Table:
    """An empty table.

    Args:
        title: stands above it.
        names: the heads of the first columns, which hold names and are cut at `width`.
        figures: the heads of the others.
        width: how many characters of a name are shown.
    """
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    table = Table(title=escape(title), box=box.SIMPLE_HEAD, title_justify="left", padding=(0, 1, 0, 0))
    for head in names:
        table.add_column(head, overflow="ellipsis", no_wrap=True, max_width=width)
    for head in figures:
        table.add_column(head, justify="right", no_wrap=True)
    return table


def printed(tables: Iterable[Table]) -> str:
    """Tables as text, the same in every terminal."""
    from rich.console import Console

    console = Console(width=WIDTH, color_system=None)
    with console.capture() as capture:
        for table in tables:
            console.print(table)
    return printable("\n".join(line.rstrip() for line in capture.get().split("\n")).strip())
