"""The agreement of raters as a table for a terminal."""

from __future__ import annotations

from collections.abc import Iterable

from factprobe.metrics.raters import MEASURES, Agreement
from factprobe.reports.terminal import fitted


def agreement_table(rows: Iterable[Agreement]) -> str:
    """The agreement as text: a line for each group of raters and level of consensus, the intervals below."""
    groups: dict[tuple[str, str], dict[str, Agreement]] = {}
    for row in rows:
        groups.setdefault((row.raters, row.consensus), {})[row.measure] = row
    lines = [
        [
            *(raters, consensus, f"{max(row.items for row in found.values()):,}"),
            *(_cell(found[measure]) if measure in found else "" for measure in MEASURES),
        ]
        for (raters, consensus), found in groups.items()
    ]
    return fitted("agreement (95% intervals)", "raters", ["consensus", "items", *MEASURES.values()], [lines])


def _cell(row: Agreement) -> str:
    if row.estimate is None or row.low is None or row.high is None:
        return "–"
    return f"{row.estimate:.3f}\n{_short(row.low)} to {_short(row.high)}"


def _short(value: float) -> str:
    """Two decimals without the leading zero."""
    return f"{value:.2f}".replace("0.", ".", 1) if abs(value) < 0.995 else f"{value:.2f}"
