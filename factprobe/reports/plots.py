"""What the plots of the web page are drawn from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from factprobe.question_types import question_types
from factprobe.records import Score, Verdict

_LABELLED_SHARE = 0.12


class Bar(NamedTuple):
    """What one model reached in one row of a plot."""

    series: int
    """Its place in the legend, which gives its colour."""
    name: str
    value: float | None
    low: float | None
    """The ends of its 95 % interval."""
    high: float | None
    questions: int


class VerdictShare(NamedTuple):
    """One verdict's part of a stacked bar; `start` and `width` are fractions of the whole bar."""

    verdict: Verdict
    questions: int
    start: float
    width: float
    labelled: bool
    """Whether its percentage fits in."""


class Stack(NamedTuple):
    """The verdicts that one model got."""

    name: str
    shares: tuple[VerdictShare, ...]


class PlotRow(NamedTuple):
    """One row of a plot: a graph, a relation or a question type with every model's bar."""

    label: str
    id: str
    """The relation's id, and its graph where there are several; empty where the label says it all."""
    questions: str
    """How many, or the least and the most where the models differ."""
    bars: tuple[Bar, ...]
    stacks: tuple[Stack, ...]


def plot_rows(
    scores: Iterable[Score], level: str, series: list[str], names: dict[tuple[str, str], str]
) -> list[PlotRow]:
    """A row for each graph, relation, question type or stratum, in the order of the scores.

    Args:
        scores: the rows of the table.
        level: which of them to plot.
        series: the names of the legend.
        names: those of each generator and model.
    """
    groups: dict[tuple[str, str], list[Score]] = {}
    for score in scores:
        if score.level == level and score.average == "micro":
            key = score.kg if level == "total" else getattr(score, level)
            groups.setdefault((score.kg, key), []).append(score)
    several = len({kg for kg, _ in groups}) > 1
    rows = []
    for (kg, key), members in groups.items():
        named = [(names[score.generator, score.model], score) for score in members]
        label = members[0].relation_label or key if level == "relation" else key
        ids = [key if key != label else "", kg if several and level == "relation" else ""]
        counts = sorted({score.questions for score in members})
        rows.append(
            PlotRow(
                label=label,
                id=" · ".join(filter(None, ids)),
                questions=f"{counts[0]:,}" + (f"–{counts[-1]:,}" if len(counts) > 1 else ""),
                bars=tuple(_bar(series.index(name), name, score) for name, score in named),
                stacks=tuple(Stack(name, _shares(score)) for name, score in named),
            )
        )
    return rows


def _bar(series: int, name: str, score: Score) -> Bar:
    return Bar(series, name, score.accuracy, score.accuracy_low, score.accuracy_high, score.questions)


def _shares(score: Score) -> tuple[VerdictShare, ...]:
    counts: dict[Verdict, int] = {
        "correct": score.correct,
        "incorrect": score.incorrect,
        "abstained": score.abstained,
        "unparsed": score.unparsed,
        "failed": score.failed,
    }
    whole, before, shares = sum(counts.values()), 0, []
    for verdict, count in counts.items():
        if count:
            shares.append(VerdictShare(verdict, count, before / whole, count / whole, count / whole >= _LABELLED_SHARE))
        before += count
    return tuple(shares)


def mean_error(row: PlotRow) -> float:
    """Puts the best known relation first and one without an accuracy last."""
    known = [bar.value for bar in row.bars if bar.value is not None]
    return 1 - sum(known) / len(known) if known else 2


def place_of_type(row: PlotRow) -> int:
    """Puts question types in the order of the vocabulary."""
    return [*question_types(), row.label].index(row.label)
