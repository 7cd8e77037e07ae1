"""Self-contained web page of tables and plots with headings, for reports without a graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from factprobe.metrics.statistics.intervals import Interval
from factprobe.records import VERDICTS
from factprobe.reports.agreement import NO_SPREAD
from factprobe.reports.html import environment
from factprobe.storage import whole_file


class SheetFigure(NamedTuple):
    """A cell of a table, or a bar of a plot."""

    value: float | None
    """None if undefined."""
    low: float | None = None
    """Lower end of its 95 % interval."""
    high: float | None = None

    @classmethod
    def of(cls, interval: Interval | None) -> SheetFigure:
        """Make a figure of an interval."""
        return cls(None) if interval is None else cls(interval.estimate, interval.low, interval.high)


class Line(NamedTuple):
    """A row of a table or plot."""

    name: str
    items: str
    """Number of items."""
    figures: Sequence[SheetFigure | str | None]
    """One figure for each header or entry of the legend; None for an empty cell. A text is shown as it is."""


class Sheet(NamedTuple):
    """A table."""

    title: str
    note: str
    what: str
    """Header of the column of names."""
    heads: Sequence[str]
    lines: Sequence[Line]
    items: str = "Items"
    """Header of the second column."""
    words: bool = False
    """True if its cells are words, which are left-aligned."""


class Bars(NamedTuple):
    """A plot of bars with intervals, from 0 to 1, or from -1 if a value is negative."""

    title: str
    note: str
    what: str
    legend: Sequence[str]
    lines: Sequence[Line]

    @property
    def least(self) -> int:
        """Return the start of its axis."""
        figures = [one for line in self.lines for one in line.figures if isinstance(one, SheetFigure)]
        return _least(value for one in figures for value in (one.value, one.low) if value is not None)


class Dot(NamedTuple):
    """A point of a plot."""

    across: float
    up: float
    low: float
    high: float
    share: float
    """Share of all items, for its size."""
    told: str
    """Description in words."""


class Curve(NamedTuple):
    """A line of a plot."""

    name: str
    points: Sequence[tuple[float, float]]
    dots: Sequence[Dot] = ()
    """Points in its colour."""


class Square(NamedTuple):
    """A plot of curves or points; both axes go from 0 to 1, the vertical one from -1 if a curve is negative."""

    title: str
    note: str
    bottom: str
    side: str
    curves: Sequence[Curve] = ()
    dots: Sequence[Dot] = ()
    diagonal: bool = False
    marks: Sequence[tuple[float, str]] = ()
    """Positions on the horizontal axis with labels; by default percentages."""

    @property
    def least(self) -> int:
        """Return the start of the vertical axis."""
        points = (up for curve in self.curves for _, up in curve.points)
        return _least([*points, *(dot.low for curve in self.curves for dot in curve.dots)])


def _least(values: Iterable[float]) -> int:
    return -1 if min(values, default=0) < 0 else 0


class Section(NamedTuple):
    """A section of the page."""

    title: str
    note: str
    tables: Sequence[Sheet] = ()
    bars: Sequence[Bars] = ()
    squares: Sequence[Square] = ()
    remarks: Sequence[str] = ()
    """Sentences, one below the other."""


def write_sheet(path: Path, title: str, of: str, counts: Sequence[tuple[str, str]], parts: Sequence[Section]) -> None:
    """Write the page; the same parts give the same bytes.

    Args:
        path: where it goes.
        title: the heading.
        of: what it is about, beside that.
        counts: names and values that stand below it.
        parts: its sections.
    """
    page = environment().get_template("sheet.html.j2")
    text = page.render(title=title, of=of, counts=counts, parts=parts, verdicts=VERDICTS, no_spread=NO_SPREAD)
    with whole_file(path) as file:
        file.write(text.encode())
