"""Comparison of models as tables for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from factprobe.metrics.comparison import SETTLED, Comparison
from factprobe.metrics.statistics.intervals import Interval
from factprobe.reports.terminal import fitted

_FIGURES = (
    *("better", "asked", "accuracy", "difference", "Holm p"),
    *(f"to settle {100 * SETTLED:g}%", "McNemar p", "bootstrap"),
)
_MARKS = {"first": "better\n", "second": "\nbetter", "tied": "tied\ntied"}


def comparison_table(rows: Sequence[Comparison]) -> str:
    """Format the comparison, two lines for each pair, by question type."""
    sections: list[list[list[str]]] = []
    for question_type, group in groupby(rows, key=lambda row: row.question_type):
        first, *others = ([_cells(row)] for row in group)
        sections += [[[question_type], *first], *others]
    return fitted("Models two by two (rates in %, 95% intervals)", "", _FIGURES, sections)


def _cells(row: Comparison) -> list[str]:
    return [
        f"  {row.first}\n  {row.second}",
        _MARKS[row.verdict],
        f"{row.questions:,}",
        f"{100 * row.accuracy_first:.1f}\n{100 * row.accuracy_second:.1f}",
        f"{points(row.difference.estimate)}\n{_range(row.difference)}",
        p_value(row.p_corrected),
        f"{row.needed.questions:,}",
        p_value(row.p_exact),
        f"\n{_range(row.bootstrap)}",
    ]


def _range(interval: Interval) -> str:
    return f"{points(interval.low)} to {points(interval.high)}"


def points(difference: float) -> str:
    """Format a difference of two rates in percentage points, with its sign."""
    return f"{100 * difference:+z.1f}"


def p_value(value: float) -> str:
    """Format a p-value."""
    return "<0.001" if value < 0.001 else f"{value:.3f}"
