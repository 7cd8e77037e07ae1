"""Tables of the agreement of raters, and of accuracy corrected by human labels."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from factprobe.metrics.agreement import people
from factprobe.metrics.agreement.raters import MEASURES, Agreement
from factprobe.metrics.base import group_rows
from factprobe.metrics.breakdowns.base import BreakdownTable
from factprobe.metrics.corrected import MIN_LABELS, CorrectedScore
from factprobe.reports.document import Block, Cell, Column, Figure, Pair, Paragraph, Row, Table, Unit
from factprobe.reports.terminal import plain_text

_IN_PERCENT = {"accuracy", "precision", "recall"}
"""Measures shown in percent."""


def agreement_table(rows: Iterable[Agreement]) -> str:
    """Format the agreement of raters as text, with a line for each group of raters and level of consensus."""
    groups = group_rows(rows, lambda row: (row.raters, row.consensus))
    columns = [Column("consensus"), Column("items"), *map(Column, MEASURES.values())]
    lines = [Row([raters], [level, *_make_cells(rows, MEASURES)]) for (raters, level), rows in groups.items()]
    return plain_text([Table("agreement (95% intervals)", ["raters"], columns, lines)])


def people_table(rows: Iterable[Agreement]) -> str:
    """Format the agreement of grades with human labels as text, with a line for each system."""
    return plain_text([agreement_with_people(rows)])


def agreement_with_people(rows: Iterable[Agreement]) -> Table:
    """Return the table of the agreement of grades with human labels, with a line for each system."""
    groups = group_rows(rows, lambda row: (row.raters,))
    lines = [Row(system, [*_make_cells(rows, people.MEASURES, _IN_PERCENT)]) for system, rows in groups.items()]
    columns = [*map(Column, ("replies", *people.MEASURES.values()))]
    return Table("agreement with people (rates in %, 95% intervals)", ["system"], columns, lines)


def corrected_of(tables: Iterable[BreakdownTable]) -> list[CorrectedScore]:
    """Return the rows of corrected accuracy in the breakdowns."""
    return [row for table in tables for row in table.rows if isinstance(row, CorrectedScore)]


def corrected_table(rows: Sequence[CorrectedScore]) -> str:
    """Format the accuracy corrected by human labels, a line for each system.

    For systems without enough labels, a sentence gives the accuracy expected from the grader's probabilities, and the
    half-width of the interval that some numbers of labels would give.
    """
    several = len({row.generator for row in rows}) > 1
    names = {id(row): f"{row.model} · {row.generator}" if several else row.model for row in rows}
    lines = []
    for row in (row for row in rows if row.corrected is not None):
        labels = f"{row.labels:,} of {row.replies:,}"
        lines.append(Row([names[id(row)]], [labels, Figure.of(row.accuracy), Figure.of(row.corrected)]))
    title = "accuracy as people would judge it (rates in %, 95% intervals)"
    heads = map(Column, ("labels", "by the grades", "corrected"))
    blocks: list[Block] = [Table(title, ["system"], [*heads], lines)]
    few = ", ".join(f"{names[id(row)]} {row.labels}" for row in rows if row.labels and row.corrected is None)
    if few:
        blocks.append(Paragraph(f"too few labels for a correction, which takes {MIN_LABELS} of a system: {few}"))
    unlabelled = [row for row in rows if row.corrected is None and row.half_widths]
    return plain_text([*blocks, *([_expected_accuracy(unlabelled, names)] if unlabelled else [])])


def _expected_accuracy(rows: Sequence[CorrectedScore], names: Mapping[int, str]) -> Paragraph:
    expected = ", ".join(f"{names[id(row)]} {row.expected:.1%}" for row in rows)
    widest = max(rows, key=lambda row: max(row.half_widths.values()))
    widths = {labels: width for labels, width in widest.half_widths.items() if labels >= MIN_LABELS and width >= 0.005}
    text = f"accuracy expected from the grader's probabilities: {expected}"
    least = {f"{100 * width:.0f}": labels for labels, width in sorted(widths.items(), reverse=True)}
    if least:
        gains = ", ".join(f"{labels:,} give ±{points} points" for points, labels in reversed(least.items()))
        text += f"; people's labels of some replies would correct it: {gains}"
        text += ", and more hardly narrow that, since there are few questions" * (len(least) < len(widths))
    return Paragraph(text)


def _make_cells(rows: Sequence[Agreement], measures: Iterable[str], rates: Container[str] = ()) -> Iterator[Cell]:
    """Yield the number of items (and of all, if some were left out), then the measures; those in `rates` in percent."""
    by_measure = {row.measure: row for row in rows}
    most = max(rows, key=lambda row: row.items)
    yield Pair(f"{most.items:,}", f"of {most.items + most.left_out:,}") if most.left_out else most.items
    for measure in measures:
        unit: Unit = "percent" if measure in rates else "decimal"
        yield Figure.of(by_measure[measure], unit) if measure in by_measure else None
