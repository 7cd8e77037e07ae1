"""Comparison of models as tables for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from factprobe.metrics.comparison import SETTLED, Comparison
from factprobe.metrics.scores import ALL
from factprobe.metrics.statistics.intervals import Interval
from factprobe.reports.terminal import fitted
from factprobe.reports.vocabulary import GRAPH, ReportVocabulary
from factprobe.text import format_count

_FIGURES = (
    *("better", "questions", "accuracy", "difference", "Holm p"),
    *("needed", "McNemar p", "bootstrap"),
)
_MARKS = {"first": "better\n", "second": "\nbetter", "tied": "no difference\nshown"}
_MOST_PAIRS = 6
"""Pairs below the scores of replies."""
_LEGEND = f"needed: questions that would show a difference of {100 * SETTLED:g} points"


def comparison_table(rows: Sequence[Comparison], words: ReportVocabulary = GRAPH) -> str:
    """Format the comparison, two lines for each pair, by question type."""
    sections: list[list[list[str]]] = []
    for question_type, group in groupby(rows, key=lambda row: row.question_type):
        first, *others = ([_cells(row)] for row in group)
        sections += [[[question_type], *first], *others]
    table = fitted(words.put("Models two by two (rates in %, 95% intervals)"), "", _FIGURES, sections)
    corrected = "\n".join(corrected_line(row) for row in rows if row.corrected is not None)
    return "\n\n".join(filter(None, [f"{table}\n{_LEGEND}", corrected]))


def corrected_line(row: Comparison) -> str:
    """Return the difference as people would judge it, in one line."""
    assert row.corrected is not None
    found = f"{points(row.corrected.estimate)} points ({_range(row.corrected)})"
    labels = f"corrected by {row.labels_first:,} and {row.labels_second:,} human labels"
    return f"{row.question_type}: {row.first} less {row.second} is {found} as people would judge, {labels}"


def first_pairs(rows: Sequence[Comparison], words: ReportVocabulary) -> str:
    """Format the comparison over all question types, for as many pairs as fit a screen."""
    rows = [row for row in rows if row.question_type == ALL]
    left_out = f"\n{format_count(len(rows) - _MOST_PAIRS, 'more pair')}: comparison.csv" if rows[_MOST_PAIRS:] else ""
    return comparison_table(rows[:_MOST_PAIRS], words) + left_out if rows else ""


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
