"""Document model of reports: headings, paragraphs, tables and plots, independent of the output format.

A report builds a document once. `terminal.py` writes it as text, `markdown.py` as Markdown, `html.py` as a web page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import floor
from typing import Any, Literal, NamedTuple

from factprobe.metrics.base import group_rows
from factprobe.metrics.statistics.intervals import EstimateRecord, Interval
from factprobe.records import Verdict

NO_SPREAD = "no spread"
"""Text in place of an interval of a decimal whose ends are equal; with few items, it would look too precise."""

Unit = Literal["percent", "decimal", "points", "p-value"]


class Figure(NamedTuple):
    """Number with its 95 % interval, to be shown in the given unit."""

    value: float | None
    low: float | None = None
    """Lower end of the interval; None if there is no interval."""
    high: float | None = None
    unit: Unit = "percent"

    @classmethod
    def of(cls, interval: Interval | EstimateRecord | None, unit: Unit = "percent") -> Figure:
        """Return the figure of an estimate with its interval; for None, a figure without a value."""
        return cls(None, unit=unit) if interval is None else cls(interval.estimate, interval.low, interval.high, unit)

    @property
    def in_line(self) -> str:
        """Number and interval as text in one line."""
        return f"{self.text} ({self.ends()})" if self.ends() else self.text

    @property
    def text(self) -> str:
        """Number as text, without the sign `%`; `–` if there is none."""
        return "–" if self.value is None else self._format_number(self.value)

    def ends(self, digits: int = 3) -> str:
        """Return the interval as text, decimals with `digits` places; empty if there is no interval."""
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
    """Two values in one cell, shown one below the other."""

    first: str | Figure
    second: str | Figure


class Badge(NamedTuple):
    """Short text, such as a verdict on a claim, in the colour and with the mark of a verdict on replies."""

    text: str
    verdict: Verdict


Cell = str | int | Figure | Pair | Badge | None
"""Content of a cell; None leaves it empty."""


def cell_text(cell: Cell, between: str, figure: Callable[[Figure], str]) -> str:
    """Format a cell; `between` separates the values of a pair, and `figure` formats figures."""
    match cell:
        case Figure():
            return figure(cell)
        case Pair():
            return between.join(cell_text(part, between, figure) for part in cell)
        case Badge():
            return cell.text
        case int():
            return f"{cell:,}"
    return cell or ""


class Column(NamedTuple):
    """Column of a table; `short` is a shorter header for narrow terminals."""

    head: str
    short: str = ""
    is_main: bool = False
    """True for the most important column, which a page emphasises."""
    is_minor: bool = False
    """True if a page shows the column only on request."""


class Row(NamedTuple):
    """Row of a table: names, then figures; rows with the same `section` are shown together under this heading."""

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
    """Explanation of one or two sentences, which only the page shows."""
    file: str = ""
    """Name of the file with all rows, for a page that shows only the first ones."""
    level: str = ""
    """Level of the score table that is shown, such as `question_type`; empty for other tables."""
    is_stacked: bool = False
    """True if the names of a row are shown one below the other."""
    is_words: bool = False
    """True if the cells have words instead of figures."""

    def sections(self, most: int | None = None) -> Iterable[tuple[str, list[Row]]]:
        """Return each section's heading, maybe empty, with its rows; with `most`, only of the first `most` rows."""
        return group_rows(self.rows[:most], lambda row: row.section).items()


class Bar(NamedTuple):
    """Bar of one series (such as a model) in one row of a plot."""

    series: int
    """Index of the series in the legend, which determines the colour."""
    name: str
    figure: Figure
    questions: int | None = None
    chance: float | None = None
    """Value expected from guessing, drawn as a dashed line; None for no line."""


class PlotRow(NamedTuple):
    """Row of a plot: a group of items, with a bar for each series."""

    label: str
    questions: str
    """Number of items as text, or the lowest and highest number if the series differ."""
    bars: Sequence[Bar]
    id: str = ""
    """Id of the group, shown if the label does not identify it; else empty."""
    stacks: Sequence[tuple[str, Mapping[Verdict, int]]] = ()
    """Name of each series, with its number of replies by verdict."""


class Bars(NamedTuple):
    """Plot of bars with intervals, or of stacked verdicts. The axis starts at 0, or at -1 if a value is negative."""

    title: str
    note: str
    row_header: str
    """Header of the column with the labels of the rows."""
    count_header: str
    """Header of the column with the numbers of items."""
    rows: Sequence[PlotRow]
    legend: Sequence[str] = ()
    is_wide: bool = False
    is_stacked: bool = False
    """True if the plot shows verdicts."""
    is_split: bool = False
    """True if each series has a panel of its own, side by side."""
    file: str = ""

    @property
    def axis_start(self) -> int:
        """Start of the axis: -1 if a value or the lower end of an interval is negative, else 0."""
        figures = [bar.figure for row in self.rows for bar in row.bars]
        return -1 if any((value or 0) < 0 for figure in figures for value in (figure.value, figure.low)) else 0


class Dot(NamedTuple):
    """Point of a plot."""

    across: float
    up: float
    description: str
    """Description of the point, shown on hover."""
    share: float = 0.0
    """Share of all items that the point stands for; it determines the size."""
    low: float | None = None
    high: float | None = None


class Curve(NamedTuple):
    """Line, points, or both, in one colour, with a name in the legend."""

    name: str
    points: Sequence[tuple[float, float]]
    dots: Sequence[Dot] = ()
    series: int | None = None
    """Index of the colour; by default the index of the curve in the plot."""


class CurvePlot(NamedTuple):
    """Square plot of curves. Both axes go from 0 to 1; the vertical one starts lower if a value is negative."""

    title: str
    note: str
    bottom: str
    side: str
    curves: Sequence[Curve]
    has_diagonal: bool = False
    marks: Sequence[tuple[float, str]] = ()
    """Ticks of the horizontal axis, as position and label; by default percentages."""

    @property
    def axis_start(self) -> float:
        """Start of the vertical axis: 0, or the multiple of 0.5 at or below the lowest negative value."""
        values = [up for curve in self.curves for _, up in curve.points]
        values += [dot.up if dot.low is None else dot.low for curve in self.curves for dot in curve.dots]
        return min(floor(2 * min(values, default=0)) / 2, 0)


class Heading(NamedTuple):
    """Heading of a section; all blocks up to the next heading belong to it."""

    text: str
    id: str = ""
    """Anchor on the page; by default derived from the text."""

    @property
    def anchor(self) -> str:
        """Anchor of the section on the page."""
        return self.id or self.text.lower().replace(" ", "-")


class Paragraph(NamedTuple):
    """Paragraph of text; with `is_note`, only the page shows it."""

    text: str
    is_note: bool = False


class Remark(NamedTuple):
    """Line of a list, shown after its `lead` in bold."""

    text: str
    lead: str = ""


class Part(NamedTuple):
    """Block that only the page shows, rendered by the macro `template` of `parts.html.j2`."""

    template: str
    data: Any = None


class Details(NamedTuple):
    """Blocks that only the page shows, folded under a summary and a note."""

    summary: str
    blocks: Sequence[Any]
    note: str = ""


Block = Heading | Paragraph | Remark | Table | Bars | CurvePlot | Part | Details


class Document(NamedTuple):
    """Whole report; `of` names its subject, such as a graph."""

    title: str
    of: str
    totals: Sequence[tuple[str, int]] = ()
    """Names and values of the counts below the title."""
    blocks: Sequence[Block] = ()
    """Content; blocks before the first heading are below the totals."""

    @property
    def parts(self) -> list[tuple[Heading, list[Block]]]:
        """Sections: headings with their blocks. The first has an empty heading and the blocks before any heading."""
        parts: list[tuple[Heading, list[Block]]] = [(Heading(""), [])]
        for block in self.blocks:
            if isinstance(block, Heading):
                parts.append((block, []))
            else:
                parts[-1][1].append(block)
        return parts
