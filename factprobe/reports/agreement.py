"""Agreement of raters as a table for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from factprobe.metrics.agreement import people
from factprobe.metrics.agreement.detection import Measured
from factprobe.metrics.agreement.raters import MEASURES, Agreement
from factprobe.metrics.agreement.spans import SpanMeasured
from factprobe.metrics.breakdowns.base import Table
from factprobe.metrics.corrected import LEAST, CorrectedScore
from factprobe.metrics.statistics.intervals import Interval
from factprobe.reports.terminal import fitted

NO_SPREAD = "no spread"
"""Placeholder for an interval without width, which says little on few items."""


def agreement_table(rows: Iterable[Agreement]) -> str:
    """Format the agreement as text: a line for each group of raters and level of consensus, intervals below."""
    groups: dict[tuple[str, str], list[Agreement]] = {}
    for row in rows:
        groups.setdefault((row.raters, row.consensus), []).append(row)
    lines = [[raters, level, *_cells(found, MEASURES)] for (raters, level), found in groups.items()]
    return fitted("agreement (95% intervals)", "raters", ["consensus", "items", *MEASURES.values()], [lines])


def people_table(rows: Iterable[Agreement]) -> str:
    """Format the agreement of grades with people: a line for each system."""
    lines = [[system, *_cells(found, people.MEASURES)] for system, found in by_raters(rows).items()]
    return fitted("agreement with people (95% intervals)", "system", ["items", *people.MEASURES.values()], [lines])


def corrected_of(tables: Iterable[Table]) -> list[CorrectedScore]:
    """Return the corrected scores among the tables beside the scores."""
    return [row for table in tables for row in table.rows if isinstance(row, CorrectedScore)]


def corrected_table(rows: Sequence[CorrectedScore]) -> str:
    """Format the accuracy as people would judge it: a line for each system with labels, else how many would help."""
    several = len({row.generator for row in rows}) > 1
    names = {id(row): f"{row.model} · {row.generator}" if several else row.model for row in rows}
    labelled = [row for row in rows if row.corrected is not None]
    table = ""
    if labelled:
        lines = [
            [names[id(row)], f"{row.labels:,} of {row.replies:,}", *map(interval_cell, (row.accuracy, row.corrected))]
            for row in labelled
        ]
        heads = ["labels", "by the grades", "corrected"]
        table = fitted("accuracy as people would judge it (95% intervals)", "system", heads, [lines])
    few = ", ".join(f"{names[id(row)]} {row.labels}" for row in rows if row.labels and row.corrected is None)
    too_few = few and f"too few labels for a correction, which takes {LEAST} of a system: {few}"
    line = _expected_line([row for row in rows if row.corrected is None and row.half_widths], names)
    return "\n\n".join(filter(None, [table, too_few, line]))


def _expected_line(rows: Sequence[CorrectedScore], names: Mapping[int, str]) -> str:
    """Return the accuracy to expect of systems with few labels, and what labels would give."""
    if not rows:
        return ""
    expected = ", ".join(f"{names[id(row)]} {row.expected:.1%}" for row in rows)
    most = max(rows, key=lambda row: row.replies)
    widths = ", ".join(f"{labels:,} give ±{100 * width:.0f} points" for labels, width in most.half_widths.items())
    return f"accuracy expected from the grader's probabilities: {expected}; human labels would correct it: {widths}"


def by_raters(rows: Iterable[Agreement]) -> dict[str, list[Agreement]]:
    """Group the rows by raters."""
    groups: dict[str, list[Agreement]] = {}
    for row in rows:
        groups.setdefault(row.raters, []).append(row)
    return groups


def _cells(rows: Sequence[Agreement], measures: Iterable[str]) -> Iterator[str]:
    """Yield the number of items, with the total if some are left out, and each measure."""
    found = {row.measure: row for row in rows}
    most = max(rows, key=lambda row: row.items)
    yield f"{most.items:,}\nof {most.items + most.left_out:,}" if most.left_out else f"{most.items:,}"
    yield from (cell(found[measure]) if measure in found else "" for measure in measures)


def cell(row: Agreement | Measured | SpanMeasured) -> str:
    """Format a figure with its interval on a second line."""
    if row.estimate is None or row.low is None or row.high is None:
        return "–"
    return interval_cell(Interval(row.estimate, row.low, row.high))


def interval_cell(interval: Interval | None) -> str:
    """Format an interval like `cell`."""
    if interval is None:
        return "–"
    ends = f"{_short(interval.low)} to {_short(interval.high)}" if interval.has_spread else NO_SPREAD
    return f"{interval.estimate:z.3f}\n{ends}"


def _short(value: float) -> str:
    """Format two decimals without the leading zero."""
    return f"{value:z.2f}".replace("0.", ".", 1) if abs(value) < 0.995 else f"{value:.2f}"
