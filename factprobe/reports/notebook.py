"""Tables as HTML for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from factprobe.metrics.comparison import Comparison
from factprobe.metrics.statistics.intervals import Interval
from factprobe.records import VERDICTS, Score
from factprobe.reports.comparison import p_value, points

MOST_ROWS = 200
"""Rows of replies in a notebook."""


def html_table(heads: Sequence[str], rows: Iterable[Sequence[object]], caption: str = "") -> str:
    """Format a table; floats have three decimals, and what is None is empty."""
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    body = "".join(f"<tr>{''.join(f'<td>{_cell(value)}</td>' for value in row)}</tr>" for row in rows)
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def score_html(rows: Iterable[Score]) -> str:
    """Format the totals and question types, with accuracies and their 95 % intervals."""
    levels = ("total", "question_type")
    shown = [row for row in rows if row.level in levels and row.average == "micro"]
    cells = (
        [row.model, row.question_type or "all", row.questions, _rate(row), *(getattr(row, name) for name in VERDICTS)]
        for row in sorted(shown, key=lambda row: levels.index(row.level))
    )
    return html_table(["model", "question type", "questions", "accuracy (95% interval)", *VERDICTS], cells)


def comparison_html(rows: Iterable[Comparison]) -> str:
    """Format pairs of models."""
    heads = ["question type", "first", "second", "better", "questions", "accuracy, first", "accuracy, second"]
    cells = (
        [
            *(row.question_type, row.first, row.second, row.better, row.questions),
            *(f"{100 * rate:.1f}%" for rate in (row.accuracy_first, row.accuracy_second)),
            f"{points(row.difference.estimate)} ({points(row.difference.low)} to {points(row.difference.high)})",
            p_value(row.p_corrected),
        ]
        for row in rows
    )
    return html_table([*heads, "difference in points (95% interval)", "p, Holm"], cells)


def _rate(row: Score) -> str:
    if row.accuracy is None or row.accuracy_low is None or row.accuracy_high is None:
        return ""
    return f"{100 * row.accuracy:.1f}% ({100 * row.accuracy_low:.1f} to {100 * row.accuracy_high:.1f})"


def _cell(value: object) -> str:
    match value:
        case None:
            return ""
        case float():
            return f"{value:.3f}"
        case Interval():
            return f"{value.estimate:.3f} ({value.low:.3f} to {value.high:.3f})"
        case tuple() | list():
            return escape(", ".join(map(str, value)))
    return escape(str(value))
