"""Document of a report: headings, paragraphs, tables and plots, which every writer reads.

A report builds a document once. `terminal.py` writes it as text, `markdown.py` as Markdown, `html.py` as a web page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import floor
from typing import Any, Literal, NamedTuple

from factprobe.metrics.statistics.intervals import Interval
from factprobe.records import Verdict

NO_SPREAD = "no spread"
"""Placeholder for an interval without width, which says little on few items."""

Unit = Literal["percent", "decimal", "points", "p-value"]


class Figure(NamedTuple):
    """A number with its 95% interval."""

    value: float | None
    """None if undefined."""
    low: float | None = None
    """Lower end of the interval; None without one."""
    high: float | None = None
    unit: Unit = "percent"

    @classmethod
    def of(cls, interval: Interval | None, unit: Unit = "percent") -> Figure:
        """Make a figure of an interval."""
        return cls(None, unit=unit) if interval is None else cls(interval.estimate, interval.low, interval.high, unit)

    @property
    def in_line(self) -> str:
        """Return the number and its interval in one line."""
        return f"{self.text} ({self.ends()})" if self.ends() else self.text

    @property
    def text(self) -> str:
        """Return the number in words, percentages without their sign."""
        return "–" if self.value is None else self._number(self.value)

    def ends(self, digits: int = 3) -> str:
        """Return the interval in words, decimals with so many digits; empty without one."""
        if self.value is None or self.low is None or self.high is None:
            return ""
        if self.unit == "decimal" and not self.low < self.high:
            return NO_SPREAD
        dash = "–" if self.unit == "percent" and self.low >= 0 else " to "
        return f"{self._number(self.low, digits)}{dash}{self._number(self.high, digits)}"

    def _number(self, value: float, digits: int = 3) -> str:
        match self.unit:
            case "percent":
                return f"{100 * value:z.1f}"
            case "decimal":
                return f"{value:z.{digits}f}"
            case "points":
                return f"{100 * value:+z.1f}"
        return "<0.001" if value < 0.001 else f"{value:.3f}"


class Pair(NamedTuple):
    """Two values, one below the other."""

    first: str | Figure
    second: str | Figure


Cell = str | int | Figure | Pair | None
"""Content of a cell; None leaves it empty."""


def cell_text(cell: Cell, between: str, figure: Callable[[Figure], str]) -> str:
    """Format a cell."""
    match cell:
        case Figure():
            return figure(cell)
        case Pair():
            return between.join(cell_text(one, between, figure) for one in cell)
        case int():
            return f"{cell:,}"
    return cell or ""


class Column(NamedTuple):
    """A column of figures or words."""

    head: str
    short: str = ""
    """Header where a terminal is narrow."""
    is_main: bool = False
    is_minor: bool = False
    """True if a page shows it only on request; `is_main` is true for the most important column."""


class Row(NamedTuple):
    """A row of a table."""

    names: Sequence[str]
    """One name for each column of names."""
    cells: Sequence[Cell]
    section: str = ""
    """Heading above it and the other rows that have the same one."""
    is_minor: bool = False
    """True if a page shows it only on request."""


class Table(NamedTuple):
    """A table: columns of names, then of figures."""

    title: str
    names: Sequence[str]
    columns: Sequence[Column]
    rows: Sequence[Row]
    note: str = ""
    """Explanation on the page, in a sentence or two."""
    file: str = ""
    """File with all rows, if there are more than a page shows."""
    level: str = ""
    """Level of the score table that it shows."""
    is_stacked: bool = False
    """True if a row's further names stand below the first one."""
    is_words: bool = False
    """True if its cells are words."""

    def sections(self, most: int | None = None) -> Iterable[tuple[str, list[Row]]]:
        """Return each heading, empty for none, with its rows; of the first `most` rows alone."""
        sections: dict[str, list[Row]] = {}
        for row in self.rows[:most]:
            sections.setdefault(row.section, []).append(row)
        return sections.items()


class Bar(NamedTuple):
    """Value of one series in one row of a plot."""

    series: int
    """Index in the legend, which gives the colour."""
    name: str
    figure: Figure
    questions: int | None = None
    """Number of items; None if the row tells it."""
    chance: float | None = None
    """Value that guessing has, which a dashed line marks; None for no line."""


class PlotRow(NamedTuple):
    """A row of a plot: a group of items with the bar of every series."""

    label: str
    questions: str
    """Number of items, or the least and the most if the series differ."""
    bars: Sequence[Bar]
    id: str = ""
    """Id of the group, where the label is not enough."""
    stacks: Sequence[tuple[str, Mapping[Verdict, int]]] = ()
    """Name and number of replies by verdict, of every series."""


class Bars(NamedTuple):
    """A plot of bars with intervals, or of stacked verdicts; from 0 to 1, or from -1 if a value is negative."""

    title: str
    note: str
    what: str
    """Header of the labels."""
    counted: str
    """Header of the numbers of items."""
    rows: Sequence[PlotRow]
    legend: Sequence[str] = ()
    is_wide: bool = False
    """True if it takes the width of the page."""
    is_stacked: bool = False
    """True if it shows verdicts."""
    is_split: bool = False
    """True if every series has a panel of its own, side by side."""
    file: str = ""
    """File with all rows, if there are more than a page shows."""

    @property
    def least(self) -> int:
        """Return the start of its axis."""
        figures = [bar.figure for row in self.rows for bar in row.bars]
        return -1 if any((value or 0) < 0 for one in figures for value in (one.value, one.low)) else 0


class Dot(NamedTuple):
    """A point of a plot."""

    across: float
    up: float
    told: str
    """Description in words."""
    share: float = 0.0
    """Share of all items, for its size."""
    low: float | None = None
    """Lower end of its interval; None without one."""
    high: float | None = None


class Curve(NamedTuple):
    """A line of a plot, points, or both, in one colour, with its name in the legend."""

    name: str
    points: Sequence[tuple[float, float]]
    dots: Sequence[Dot] = ()
    series: int | None = None
    """Index of its colour; by default its index in the plot."""


class Square(NamedTuple):
    """A plot of curves; both axes go from 0 to 1, the vertical one from below 0 if a curve does."""

    title: str
    note: str
    bottom: str
    side: str
    curves: Sequence[Curve]
    has_diagonal: bool = False
    marks: Sequence[tuple[float, str]] = ()
    """Positions on the horizontal axis with labels; by default percentages."""

    @property
    def least(self) -> float:
        """Return the start of the vertical axis."""
        values = [up for curve in self.curves for _, up in curve.points]
        values += [dot.up if dot.low is None else dot.low for curve in self.curves for dot in curve.dots]
        return min(floor(2 * min(values, default=0)) / 2, 0)


class Heading(NamedTuple):
    """Heading of a section, which has all blocks up to the next one."""

    text: str
    id: str = ""
    """Anchor on the page; by default made of the text."""

    @property
    def anchor(self) -> str:
        """Return the anchor on the page."""
        return self.id or self.text.lower().replace(" ", "-")


class Paragraph(NamedTuple):
    """Text that every writer shows, but notes, which explain the page alone."""

    text: str
    is_note: bool = False


class Remark(NamedTuple):
    """A line of a list, with what it is about in bold before it."""

    text: str
    lead: str = ""


class Part(NamedTuple):
    """Part that only a page has, by a macro of `parts.html.j2`."""

    template: str
    data: Any = None


class Details(NamedTuple):
    """Blocks that only a page has, folded below a summary and a note on it."""

    summary: str
    blocks: Sequence[Any]
    note: str = ""


Block = Heading | Paragraph | Remark | Table | Bars | Square | Part | Details


class Document(NamedTuple):
    """A whole report."""

    title: str
    of: str
    """What it is about."""
    totals: Sequence[tuple[str, int]] = ()
    """Names and values below the title."""
    blocks: Sequence[Block] = ()
    """Blocks before the first heading stand below the counts."""

    @property
    def parts(self) -> list[tuple[Heading, list[Block]]]:
        """Return the sections: each heading with its blocks; the first has an empty heading."""
        parts: list[tuple[Heading, list[Block]]] = [(Heading(""), [])]
        for block in self.blocks:
            if isinstance(block, Heading):
                parts.append((block, []))
            else:
                parts[-1][1].append(block)
        return parts
