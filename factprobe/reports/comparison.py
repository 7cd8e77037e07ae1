"""Report on the comparison of models: a table of pairs, and differences corrected by human labels."""

from __future__ import annotations

from collections.abc import Sequence

from factprobe.collection.vocabulary import GRAPH, ReportVocabulary
from factprobe.metrics.comparison import DETECTABLE_DIFFERENCE, Comparison
from factprobe.metrics.strata import ALL
from factprobe.question_types import type_label
from factprobe.reports.document import Block, Cell, Column, Figure, Pair, Paragraph, Remark, Row, Table
from factprobe.reports.terminal import plain_text
from factprobe.text import format_count

_VERDICT_CELLS = {"first": Pair("better", ""), "second": Pair("", "better"), "tied": Pair("no difference", "shown")}
_MAX_PAIRS = 6
"""Maximum number of pairs in the terminal, below the scores of replies from files."""
_LEGEND = f"needed: questions that would show a difference of {100 * DETECTABLE_DIFFERENCE:g} points"
_MIN_QUESTIONS = 30
"""Minimum number of common questions of a pair for a figure in the column `needed`."""
_ALPHA = 0.05
_HEADS = ("better", "questions", "accuracy", "difference", "Holm p", "needed", "McNemar p", "bootstrap")


def comparison_table(rows: Sequence[Comparison], words: ReportVocabulary = GRAPH) -> str:
    """Format the comparison as text, with two lines for each pair and question type."""
    return plain_text(comparison_blocks([("", row) for row in rows], words))


def comparison_blocks(rows: Sequence[tuple[str, Comparison]], words: ReportVocabulary = GRAPH) -> list[Block]:
    """Return the table of pairs, its legend, and the differences corrected by human labels.

    `rows` have the name of the graph, or an empty text if there is one graph.
    """
    corrected = [_corrected_remark(row) for _, row in rows if row.corrected is not None]
    legend = [Paragraph(_LEGEND)] if any(row.questions >= _MIN_QUESTIONS for _, row in rows) else []
    if any(_seems_to_differ(row) for _, row in rows):
        text = (
            "Holm p decides what is better; McNemar p takes all questions as independent, and the bootstrap interval "
            f"is too narrow with few groups of {words.alike}, so that either may seem to show a difference."
        )
        legend.append(Paragraph(text))
    return [pair_table(rows, words), *legend, *corrected]


def pair_table(rows: Sequence[tuple[str, Comparison]], words: ReportVocabulary = GRAPH) -> Table:
    """Return the table of pairs by question type and graph, without the column `needed` if no pair has it."""
    title = words.put("Models in pairs (rates in %, 95% intervals)")
    heads = [head for head in _HEADS if head != "needed" or any(row.questions >= _MIN_QUESTIONS for _, row in rows)]
    lines = []
    for kg, row in rows:
        cells = dict(zip(_HEADS, _comparison_cells(row), strict=True))
        section = " · ".join(filter(None, (type_label(row.question_type), kg)))
        lines.append(Row([row.first, row.second], [cells[head] for head in heads], section))
    columns = [Column(head, is_main=head == "difference") for head in heads]
    return Table(title, ["first", "second"], columns, lines, file="comparison.csv", is_stacked=True)


def _seems_to_differ(row: Comparison) -> bool:
    """Return whether the bootstrap interval or the p-value without clusters shows a difference in a tied pair."""
    excludes_zero = row.bootstrap.low > 0 or row.bootstrap.high < 0
    return row.verdict == "tied" and (excludes_zero or row.p_exact < _ALPHA)


def _corrected_remark(row: Comparison) -> Remark:
    figure = Figure.of(row.corrected, "points")
    text = f"accuracy of {row.first} minus that of {row.second}: {figure.text} points (95% interval {figure.ends()})"
    labels = f"corrected by {row.labels_first:,} human labels of {row.first} and {row.labels_second:,} of {row.second}"
    return Remark(f"difference as people would judge, {text}, {labels}", type_label(row.question_type))


def first_pairs(rows: Sequence[Comparison], words: ReportVocabulary) -> str:
    """Format the comparison over all question types of the first few pairs; empty without pairs."""
    rows = [row for row in rows if row.question_type == ALL]
    left_out = f"\n{format_count(len(rows) - _MAX_PAIRS, 'more pair')}: comparison.csv" if rows[_MAX_PAIRS:] else ""
    return comparison_table(rows[:_MAX_PAIRS], words) + left_out if rows else ""


def _comparison_cells(row: Comparison) -> Sequence[Cell]:
    return (
        _VERDICT_CELLS[row.verdict],
        row.questions,
        Pair(Figure(row.accuracy_first), Figure(row.accuracy_second)),
        Figure.of(row.difference, "points"),
        Figure(row.p_corrected, unit="p-value"),
        row.needed.questions if row.questions >= _MIN_QUESTIONS else None,
        Figure(row.p_exact, unit="p-value"),
        Figure.of(row.bootstrap, "points").ends(),
    )
