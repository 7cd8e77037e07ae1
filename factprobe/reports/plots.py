"""Data of the plots of the web page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import floor
from typing import NamedTuple

from factprobe.metrics import metrics
from factprobe.metrics.penalty import MOST_PENALTY, Crossing, PenaltyLine, crossings, penalty_lines
from factprobe.metrics.scores import ALL
from factprobe.question_types import question_types
from factprobe.records import VERDICTS, Score, Verdict

_LABELLED_SHARE = 0.18
"""Least share of a bar that has room for a percentage where two plots are side by side."""


class Bar(NamedTuple):
    """Value of one model in one row of a plot."""

    series: int
    """Index in the legend, which gives the colour."""
    name: str
    value: float | None
    low: float | None
    """Lower end of its 95% interval."""
    high: float | None
    questions: int


class VerdictShare(NamedTuple):
    """One verdict's part of a stacked bar; `start` and `width` are fractions of the whole bar."""

    verdict: Verdict
    questions: int
    start: float
    width: float
    labelled: bool
    """True if its percentage fits in."""


class Stack(NamedTuple):
    """Verdicts of one model."""

    name: str
    shares: tuple[VerdictShare, ...]


class PlotRow(NamedTuple):
    """A row of a plot: a graph, a relation or a question type with every model's bar."""

    label: str
    id: str
    """Id of the relation, with its graph if there are several; empty if the label says it all."""
    questions: str
    """Number of questions, or the least and the most if models differ."""
    bars: tuple[Bar, ...]
    stacks: tuple[Stack, ...]


class Plot(NamedTuple):
    """Definition of a plot: rows, metric and scores."""

    title: str
    what: str
    """Header of the column of names."""
    note: str
    """Explanation in a sentence below the title."""
    level: str
    """Level of the score table; `total` shows a bar for each graph."""
    metric: str = "accuracy"
    order: Callable[[PlotRow], float] | None = None
    """Sort key of the rows; by default the order of the table."""
    verdicts: bool = False
    """True for stacked shares of all verdicts in place of a metric."""
    wide: bool = False
    """True if it takes the width of the page."""


PLOTS: list[list[Plot]] = []
"""Plots of the page from top to bottom; those in one list are side by side."""


class PriceLine(NamedTuple):
    """Accuracy, hallucination rate and penalised scores of one model."""

    series: int
    name: str
    line: PenaltyLine
    end: float
    """Score at `MOST_PENALTY`."""


class PricePlots(NamedTuple):
    """Accuracy against hallucination rate, and the score against the penalty, of several models."""

    lines: tuple[PriceLine, ...]
    crossings: tuple[Crossing, ...]
    least: float
    """Lower end of the axis of scores."""
    marks: tuple[tuple[float, str], ...]
    """Marks of the axis of penalties: place in [0, 1] and text."""


def model_plot(totals: Sequence[Score], series: list[str], names: Mapping[tuple[str, str], str]) -> PlottedRows | None:
    """Return the plot of each model's accuracy over all questions, in the given order; None for no model.

    Args:
        totals: the row of each generator and model over all questions.
        series: the names of the legend.
        names: the name of each generator and model.
    """
    shown = metrics.get("accuracy")("accuracy")
    rows = []
    for score in totals:
        name = names[score.generator, score.model]
        bar = Bar(series.index(name), name, *shown.of(score), score.questions)
        rows.append(PlotRow(name, "", f"{score.questions:,}", (bar,), ()))
    return (
        PlottedRows(Plot("Accuracy by model", "Model", "Correct / all that got a reply.", "total", wide=True), rows)
        if rows
        else None
    )


def price_plots(rows: Iterable[Score], names: Mapping[tuple[str, str], str]) -> PricePlots | None:
    """Return the plots of what a wrong reply costs; None for fewer than two models.

    Args:
        rows: the score table.
        names: name of each generator and model in the legend.
    """
    lines = penalty_lines(rows)
    if len(lines) < 2:
        return None
    series = list(names.values())
    drawn = [(names[line.generator, line.model], line) for line in lines]
    found = tuple(PriceLine(series.index(name), name, line, line.score(MOST_PENALTY)) for name, line in drawn)
    least = min(floor(2 * min(line.end for line in found)) / 2, 0.0)
    marks = tuple((at / 4, f"{MOST_PENALTY * at / 4:g}") for at in range(5))
    return PricePlots(found, tuple(crossings(lines)), least, marks)


class PlottedRows(NamedTuple):
    """A plot with its rows."""

    plot: Plot
    rows: list[PlotRow]


def drawn(scores: Iterable[Score], series: list[str], names: dict[tuple[str, str], str]) -> list[list[PlottedRows]]:
    """Return the plots of the page that have data, in order.

    Args:
        scores: the rows of the table.
        series: the names of the legend.
        names: those of each generator and model.
    """
    table = list(scores)
    several = len({score.kg for score in table} - {ALL}) > 1
    places = []
    for beside in PLOTS:
        found = [PlottedRows(plot, _rows(plot, table, several, series, names)) for plot in beside]
        places.append([one for one in found if one.rows])
    return [beside for beside in places if beside]


def _rows(
    plot: Plot, table: Iterable[Score], several: bool, series: list[str], names: dict[tuple[str, str], str]
) -> list[PlotRow]:
    """Return a plot's rows; plots by graph or relation use each graph's, others those over all graphs."""
    if plot.level == "total":
        wanted = [score for score in table if several and score.kg != ALL]
    elif plot.level == "relation":
        wanted = list(table)
    else:
        wanted = [score for score in table if not several or score.kg == ALL]
    rows = plot_rows(wanted, plot.level, series, names, plot.metric)
    return rows if plot.order is None else sorted(rows, key=plot.order)


def plot_rows(
    scores: Iterable[Score], level: str, series: list[str], names: dict[tuple[str, str], str], metric: str = "accuracy"
) -> list[PlotRow]:
    """Return a row for each graph, relation, question type or stratum, in the order of the scores.

    Args:
        scores: the rows of the table.
        level: which of them to plot.
        series: the names of the legend.
        names: those of each generator and model.
        metric: what the bars show.
    """
    shown = metrics.get(metric)(metric)
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
                bars=tuple(Bar(series.index(name), name, *shown.of(score), score.questions) for name, score in named),
                stacks=tuple(Stack(name, _shares(score)) for name, score in named),
            )
        )
    return rows


def _shares(score: Score) -> tuple[VerdictShare, ...]:
    counts: dict[Verdict, int] = {verdict: getattr(score, verdict) for verdict in VERDICTS}
    whole, before, shares = sum(counts.values()), 0, []
    for verdict, count in counts.items():
        if count:
            shares.append(VerdictShare(verdict, count, before / whole, count / whole, count / whole >= _LABELLED_SHARE))
        before += count
    return tuple(shares)


def mean_error(row: PlotRow) -> float:
    """Return a sort key that puts the best known relation first and one without an accuracy last."""
    known = [bar.value for bar in row.bars if bar.value is not None]
    return 1 - sum(known) / len(known) if known else 2


def place_of_type(row: PlotRow) -> int:
    """Return a sort key for question types in their usual order."""
    return [*question_types(), row.label].index(row.label)


PLOTS += [
    [
        Plot(
            "Accuracy by question type",
            "Question type",
            "Correct / all that got a reply.",
            "question_type",
            order=place_of_type,
        ),
        Plot(
            "Verdicts by question type",
            "Question type",
            "Share of all that was graded, the failed included.",
            "question_type",
            order=place_of_type,
            verdicts=True,
        ),
    ],
    [
        Plot(
            "Accuracy by popularity",
            "Subject",
            "Each holds a third of the facts.",
            "popularity",
        ),
        Plot(
            "Accuracy by number of right answers",
            "Right answers",
            "Of the questions whose answer is written.",
            "answer_set_size",
        ),
    ],
    [
        Plot(
            "Accuracy by relation type",
            "Relation type",
            "By how many objects a subject has, and the other way round.",
            "relation_type",
        ),
        Plot("Accuracy by graph", "Graph", "Correct / all that got a reply, over all question types.", "total"),
    ],
    [
        Plot(
            "Accuracy by relation",
            "Relation",
            "Correct / all that got a reply, over all question types; the best known relation first.",
            "relation",
            order=mean_error,
            wide=True,
        )
    ],
]
