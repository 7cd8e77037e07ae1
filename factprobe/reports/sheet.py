"""A web page of tables and plots with a heading each, for what is no report on a graph; it needs nothing but itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from factprobe.metrics.intervals import Interval
from factprobe.records import VERDICTS
from factprobe.reports.agreement import NO_SPREAD
from factprobe.reports.html import environment
from factprobe.storage import whole_file


class SheetFigure(NamedTuple):
    """A cell of a table, or a bar of a plot."""

    value: float | None
    """None where it is not defined."""
    low: float | None = None
    """The ends of its 95 % interval."""
    high: float | None = None

    @classmethod
    def of(cls, interval: Interval | None) -> SheetFigure:
        """That of an interval."""
        return cls(None) if interval is None else cls(interval.estimate, interval.low, interval.high)


class Line(NamedTuple):
    """A row of a table or plot."""

    name: str
    items: str
    """How many it is of."""
    figures: Sequence[SheetFigure | str | None]
    """One for each head, or for each of the legend; None for an empty cell. A text is shown as it is."""


class Sheet(NamedTuple):
    """A table."""

    title: str
    note: str
    what: str
    """The head of the column of names."""
    heads: Sequence[str]
    lines: Sequence[Line]
    items: str = "Items"
    """The head of the second column."""
    words: bool = False
    """Whether its cells are words, which begin at the left."""


class Bars(NamedTuple):
    """A plot of bars with intervals, from 0 to 1, or from -1 where one is below 0."""

    title: str
    note: str
    what: str
    legend: Sequence[str]
    lines: Sequence[Line]

    @property
    def least(self) -> int:
        """Where its axis begins."""
        figures = [one for line in self.lines for one in line.figures if isinstance(one, SheetFigure)]
        return _least(value for one in figures for value in (one.value, one.low) if value is not None)


class Dot(NamedTuple):
    """A point of a plot."""

    across: float
    up: float
    low: float
    high: float
    share: float
    """Of all items, for its size."""
    told: str
    """What it is, in words."""


class Curve(NamedTuple):
    """A line of a plot."""

    name: str
    points: Sequence[tuple[float, float]]
    dots: Sequence[Dot] = ()
    """In its colour."""


class Square(NamedTuple):
    """A plot of curves or of points, both axes from 0 to 1, but the one upwards from -1 where a curve goes below 0."""

    title: str
    note: str
    bottom: str
    side: str
    curves: Sequence[Curve] = ()
    dots: Sequence[Dot] = ()
    diagonal: bool = False
    marks: Sequence[tuple[float, str]] = ()
    """Places on the bottom axis and what they are called; by default it is one of percent."""

    @property
    def least(self) -> int:
        """Where the axis upwards begins."""
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
    """Writes the page; the same parts give the same bytes.

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
