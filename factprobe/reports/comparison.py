"""The comparison of models as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from factprobe.metrics.comparison import SETTLED, Comparison
from factprobe.metrics.intervals import Interval
from factprobe.reports.terminal import new_table, printed, shortened

if TYPE_CHECKING:
    from rich.table import Table


def comparison_table(rows: Sequence[Comparison]) -> str:
    """The comparison as text, a table for each question type, two lines a pair."""
    groups = groupby(rows, key=lambda row: row.question_type)
    return printed(_table(question_type, group) for question_type, group in groups)


def _table(question_type: str, rows: Iterable[Comparison]) -> Table:
    from rich.markup import escape

    title = f"{question_type} questions (rates in %, 95 % intervals)"
    figures = ("asked", "accuracy", "difference", "bootstrap", "McNemar p", "Holm p", f"to settle {100 * SETTLED:g} %")
    table = new_table(title, ["", "better"], figures)
    for row in rows:
        table.add_row(
            f"{escape(shortened(row.first))}\n{escape(shortened(row.second))}",
            escape(shortened(row.better)),
            f"{row.questions:,}",
            f"{100 * row.accuracy_first:.1f}\n{100 * row.accuracy_second:.1f}",
            f"{100 * row.difference.estimate:+.1f}\n{_range(row.difference)}",
            f"\n{_range(row.bootstrap)}",
            p_value(row.p_exact),
            p_value(row.p_corrected),
            f"{row.needed.questions:,}",
            end_section=True,
        )
    return table


def _range(interval: Interval) -> str:
    return f"{100 * interval.low:+.1f} to {100 * interval.high:+.1f}"


def p_value(value: float) -> str:
    """A p-value as people read it."""
    return "<0.001" if value < 0.001 else f"{value:.3f}"
