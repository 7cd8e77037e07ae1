"""Tables and plots of measures, shared by several reports on texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from factprobe.reports.document import Bar, Bars, Column, Figure, PlotRow, Row, Table


class Measure(NamedTuple):
    """Measure of a detector, or of a detector under one setting."""

    group: str
    """Group of items, or the setting that varies."""
    name: str
    """Name of the detector, or the value of the setting."""
    measure: str
    figure: Figure
    items: int


def measure_table(title: str, what: str, found: Iterable[Measure], heads: Mapping[str, str]) -> Table:
    """Return a table with a section for each group, a row for each name and a column for each measure of `heads`."""
    rows: dict[tuple[str, str], dict[str, Figure]] = {}
    for one in found:
        rows.setdefault((one.group, one.name), {})[one.measure] = one.figure
    lines = [Row([name], [cells.get(measure) for measure in heads], group) for (group, name), cells in rows.items()]
    return Table(title, [what], [*map(Column, heads.values())], lines)


def measure_plot(title: str, what: str, found: Iterable[tuple[str, str, Figure, int]]) -> Bars:
    """Return a plot of bars.

    Args:
        title: Title of the plot.
        what: Header of the labels.
        found: Label of the row, name in the legend, value, and number of items of each bar.
    """
    bars = list(found)
    legend = list(dict.fromkeys(series for _, series, _, _ in bars))
    rows = [
        PlotRow(
            label,
            f"{max(items for group, _, _, items in bars if group == label):,}",
            [Bar(legend.index(name), name, figure) for group, name, figure, _ in bars if group == label],
        )
        for label in dict.fromkeys(label for label, *_ in bars)
    ]
    return Bars(title, "", what, "Items", rows, legend)
