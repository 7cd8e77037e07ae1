"""Document of a report: headings, paragraphs, tables and plots, in a form that every writer reads.

A report builds a document once. `terminal.py` writes it as text, `markdown.py` as Markdown, `html.py` as a web page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import floor
from typing import Any, Literal, NamedTuple

from factprobe.metrics.base import group_rows
from factprobe.metrics.statistics.intervals import Estimated, Interval
from factprobe.records import Verdict

NO_SPREAD = "no spread"
"""Text in place of an interval whose ends are equal, which would seem precise although there are few items."""

Unit = Literal["percent", "decimal", "points", "p-value"]


class Figure(NamedTuple):
    """Number with its 95% interval."""

    value: float | None
    low: float | None = None
    """Lower end of the interval; None if there is no interval."""
    high: float | None = None
    unit: Unit = "percent"

    @classmethod
    def of(cls, interval: Interval | Estimated | None, unit: Unit = "percent") -> Figure:
        """Return the figure of an estimate; an undefined one for None."""
        return cls(None, unit=unit) if interval is None else cls(interval.estimate, interval.low, interval.high, unit)

    @property
    def in_line(self) -> str:
        """Number and interval in one line."""
        return f"{self.text} ({self.ends()})" if self.ends() else self.text

    @property
    def text(self) -> str:
        """Number as text; a percentage has no sign."""
        return "–" if self.value is None else self._format_number(self.value)

    def ends(self, digits: int = 3) -> str:
        """Return the interval as text, decimals with `digits` digits; empty if there is no interval."""
        if self.value is None or self.low is None or self.high is None:
            return ""
        if self.unit == "decimal" and not self.low < self.high:
            return NO_SPREAD
        dash = "–" if self.unit == "percent" and self.low >= 0 else " to "
        return f"{self._format_number(self.low, digits)}{dash}{self._format_number(self.high, digits)}"

    def _format_number(self, value: float, digits: int = 3) -> str:
        match self.unit:
            case "percent":
                return f"{100 * value:z.1f}"
            case "decimal":
                return f"{value:z.{digits}f}"
            case "points":
                return f"{100 * value:+z.1f}"
        return "<0.001" if value < 0.001 else f"{value:.3f}"


class Pair(NamedTuple):
    """Two values, the second of which is shown below the first."""

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
    """Column of figures or words."""

    head: str
    short: str = ""
    is_main: bool = False
    is_minor: bool = False
    """True if a page shows the column only on request; `is_main` is true for the most important column."""


class Row(NamedTuple):
    """Row of a table."""

    names: Sequence[str]
    cells: Sequence[Cell]
    section: str = ""
    is_minor: bool = False
    """True if a page shows the row only on request."""


class Table(NamedTuple):
    """Table: columns of names, then columns of figures."""

    title: str
    names: Sequence[str]
    columns: Sequence[Column]
    rows: Sequence[Row]
    note: str = ""
    """Explanation on the page, in one or two sentences."""
    file: str = ""
    """Name of the file with all rows, if the page may not have all of them."""
    level: str = ""
    """Level of the score table that the table shows."""
    is_stacked: bool = False
    """True if the further names of a row are below the first one."""
    is_words: bool = False
    """True if the cells are words."""

    def sections(self, most: int | None = None) -> Iterable[tuple[str, list[Row]]]:
        """Return each section's heading, which may be empty, with its rows; only for the first `most` rows if given."""
        return group_rows(self.rows[:most], lambda row: row.section).items()


class Bar(NamedTuple):
    """Value of one series in one row of a plot."""

    series: int
    """Index in the legend, which gives the colour."""
    name: str
    figure: Figure
    questions: int | None = None
    chance: float | None = None
    """Value expected from guessing, marked by a dashed line; None for no line."""


class PlotRow(NamedTuple):
    """Row of a plot: a group of items with a bar for every series."""

    label: str
    questions: str
    """Number of items; the lowest and the highest number if the series differ."""
    bars: Sequence[Bar]
    id: str = ""
    """Id of the group, if the label does not identify it."""
    stacks: Sequence[tuple[str, Mapping[Verdict, int]]] = ()
    """For every series its name and its number of replies by verdict."""


class Bars(NamedTuple):
    """Plot of bars with intervals, or of stacked verdicts, from 0 to 1, or from -1 if a value is negative."""

    title: str
    note: str
    what: str
    counted: str
    """Header of the numbers of items."""
    rows: Sequence[PlotRow]
    legend: Sequence[str] = ()
    is_wide: bool = False
    is_stacked: bool = False
    """True if the plot shows verdicts."""
    is_split: bool = False
    """True if every series has its own panel, side by side."""
    file: str = ""

    @property
    def least(self) -> int:
        """Start of the axis, -1 or 0."""
        figures = [bar.figure for row in self.rows for bar in row.bars]
        return -1 if any((value or 0) < 0 for one in figures for value in (one.value, one.low)) else 0


class Dot(NamedTuple):
    """Point of a plot."""

    across: float
    up: float
    told: str
    """Description of the point in words."""
    share: float = 0.0
    """Share of all items, which determines the point's size."""
    low: float | None = None
    high: float | None = None


class Curve(NamedTuple):
    """Line of a plot, points, or both, in one colour, with a name in the legend."""

    name: str
    points: Sequence[tuple[float, float]]
    dots: Sequence[Dot] = ()
    series: int | None = None
    """Index of the colour; by default the index of the curve in the plot."""


class Square(NamedTuple):
    """Plot of curves; both axes go from 0 to 1, the vertical one from below 0 if a curve does."""

    title: str
    note: str
    bottom: str
    side: str
    curves: Sequence[Curve]
    has_diagonal: bool = False
    marks: Sequence[tuple[float, str]] = ()
    """Positions on the horizontal axis with their labels; by default percentages."""

    @property
    def least(self) -> float:
        """Start of the vertical axis."""
        values = [up for curve in self.curves for _, up in curve.points]
        values += [dot.up if dot.low is None else dot.low for curve in self.curves for dot in curve.dots]
        return min(floor(2 * min(values, default=0)) / 2, 0)


class Heading(NamedTuple):
    """Heading of a section, which has all blocks up to the next heading."""

    text: str
    id: str = ""
    """Anchor on the page; by default derived from the text."""

    @property
    def anchor(self) -> str:
        """Anchor of the section on the page."""
        return self.id or self.text.lower().replace(" ", "-")


class Paragraph(NamedTuple):
    """Paragraph of text; if it is a note, only the page shows it."""

    text: str
    is_note: bool = False


class Remark(NamedTuple):
    """Line of a list, which begins with its subject in bold."""

    text: str
    lead: str = ""


class Part(NamedTuple):
    """Part that only the page has, produced by a macro of `parts.html.j2`."""

    template: str
    data: Any = None


class Details(NamedTuple):
    """Blocks that only the page has, folded below a summary and a note."""

    summary: str
    blocks: Sequence[Any]
    note: str = ""


Block = Heading | Paragraph | Remark | Table | Bars | Square | Part | Details


class Document(NamedTuple):
    """Whole report."""

    title: str
    of: str
    totals: Sequence[tuple[str, int]] = ()
    """Names and values of the numbers below the title."""
    blocks: Sequence[Block] = ()
    """Blocks; those before the first heading are below the totals."""

    @property
    def parts(self) -> list[tuple[Heading, list[Block]]]:
        """Sections: each heading with its blocks; the first heading is empty."""
        parts: list[tuple[Heading, list[Block]]] = [(Heading(""), [])]
        for block in self.blocks:
            if isinstance(block, Heading):
                parts.append((block, []))
            else:
                parts[-1][1].append(block)
        return parts
