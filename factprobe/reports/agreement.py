"""Agreement of raters as a table for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from factprobe.metrics.agreement import people
from factprobe.metrics.agreement.detection import Measured
from factprobe.metrics.agreement.raters import MEASURES, Agreement
from factprobe.metrics.agreement.spans import SpanMeasured
from factprobe.metrics.corrected import HALF_WIDTH, CorrectedScore
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


def corrected_table(rows: Sequence[CorrectedScore]) -> str:
    """Format the accuracy as people would judge it: a line for each system with labels, else how many would help."""
    labelled = [row for row in rows if row.estimate is not None]
    table = ""
    if labelled:
        lines = [
            [row.system, f"{row.labels:,} of {row.replies:,}", *map(interval_cell, _both(row))] for row in labelled
        ]
        heads = ["labels", "by the grades", "corrected"]
        table = fitted("accuracy as people would judge it (95% intervals)", "system", heads, [lines])
    needed = [row.labels_needed for row in rows if row.estimate is None and row.labels_needed is not None]
    if not needed:
        return table
    expected = ", ".join(f"{row.system} {row.expected:.1%}" for row in rows if row.estimate is None)
    line = (
        f"accuracy expected from the grader's probabilities: {expected}; human labels of {max(needed):,} replies of a "
        f"system would give it within {HALF_WIDTH:.0%} (column human)"
    )
    return f"{table}\n\n{line}" if table else line


def _both(row: CorrectedScore) -> tuple[Interval, Interval]:
    assert row.estimate is not None
    assert row.lower is not None
    assert row.upper is not None
    return row.accuracy, Interval(row.estimate, row.lower, row.upper)


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
