"""Models compared two by two: the rows of comparison.csv, and the table for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import asdict

from factprobe.metrics.comparison import Pair, compare
from factprobe.metrics.intervals import Interval
from factprobe.metrics.scores import ALL
from factprobe.question_types import QUESTION_TYPES
from factprobe.records import Grade, subject_of
from factprobe.reports.terminal import new_table, printed

if TYPE_CHECKING:
    from rich.table import Table

SETTLED = 0.02
"""The difference of two accuracies for which the questions are counted that would settle it."""


class Comparison(Pair, frozen=True, kw_only=True):
    """Two models on the questions of one type, or of all types."""

    question_type: str
    accuracy_first: float
    """Of the questions that count for the pair, in [0, 1]."""
    accuracy_second: float
    failed: int
    """Questions left out because one of the two gave no reply."""
    one_only: int
    """Questions left out because one of the two has no grade of them."""

    @property
    def better(self) -> str:
        """The better model's name, or `tied`."""
        return {"first": self.first, "second": self.second}.get(self.verdict, self.verdict)


def comparisons(graded: Mapping[str, Mapping[str, Grade]], seed: int = 0) -> list[Comparison]:
    """Every pair of models, by question type and in total; Holm's correction goes over the pairs of each of these.

    Args:
        graded: for each model its grades by question id.
        seed: for the bootstrap.

    Returns:
        A row for each pair and question type that has questions which both answered.
    """
    rows: list[Comparison] = []
    for question_type in (*QUESTION_TYPES, ALL):
        wanted = {
            model: {name: grade for name, grade in grades.items() if question_type in (grade.question_type, ALL)}
            for model, grades in graded.items()
        }
        names = list(dict.fromkeys(name for grades in wanted.values() for name in grades))
        outcomes = {model: [_outcome(grades.get(name)) for name in names] for model, grades in wanted.items()}
        pairs = compare(outcomes, np.random.default_rng(seed), [subject_of(name) for name in names], settle=SETTLED)
        rows += [_row(pair, question_type, wanted[pair.first], wanted[pair.second]) for pair in pairs]
    return rows


def _outcome(grade: Grade | None) -> bool | None:
    return None if grade is None or grade.verdict == "failed" else grade.verdict == "correct"


def _row(pair: Pair, question_type: str, first: Mapping[str, Grade], second: Mapping[str, Grade]) -> Comparison:
    common = first.keys() & second.keys()
    return Comparison(
        **asdict(pair),
        question_type=question_type,
        accuracy_first=(pair.both + pair.only_first) / pair.questions,
        accuracy_second=(pair.both + pair.only_second) / pair.questions,
        failed=len(common) - pair.questions,
        one_only=len(first) + len(second) - 2 * len(common),
    )


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
            f"{escape(row.first)}\n{escape(row.second)}",
            escape(row.better),
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
