"""Plots of the score table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from factprobe.collection.vocabulary import ReportVocabulary
from factprobe.metrics import metrics
from factprobe.metrics.base import group_rows
from factprobe.metrics.penalty import MAX_PENALTY, crossings, penalty_lines
from factprobe.metrics.strata import ALL
from factprobe.question_types import get_kind_or_default, question_types, type_label
from factprobe.records import VERDICTS, Score
from factprobe.reports.document import Bar, Bars, Block, Curve, CurvePlot, Dot, PlotRow
from factprobe.reports.levels import figure_of
from factprobe.reports.summary import are_corrected, model_totals

_MAX_PANELS = 4
"""Maximum number of models with panels side by side in a plot by relation."""
_MIN_REPLIES = 20
"""Minimum number of replies that are not correct, for the share of wrong answers among them to be plotted."""
_INTERVAL_NOTE = "The lines are 95% intervals."


class Plot(NamedTuple):
    """Definition of a plot: which metric of which rows of the score table it shows."""

    title: str
    what: str
    """Header of the column of names."""
    note: str
    """Explanation in one sentence, below the title."""
    level: str
    """Level of the score table whose rows are plotted; `total` gives a row for each graph."""
    metric: str = "accuracy"
    order: Callable[[PlotRow], float] | None = None
    """Sort key of the rows; by default they have the order of the score table."""
    verdicts: bool = False
    """True to plot the shares of all verdicts as stacked bars, instead of a metric."""
    wide: bool = False


def mean_error(row: PlotRow) -> float:
    """Return a row's sort key: one minus its mean accuracy, so that the best row is first; 2 without accuracy."""
    values = [bar.figure.value for bar in row.bars if bar.figure.value is not None]
    return 1 - sum(values) / len(values) if values else 2


def place_of_type(row: PlotRow) -> int:
    """Return the sort key of a row by question type: the index of its type in the usual order."""
    return [*map(type_label, question_types()), row.label].index(row.label)


_ACCURACY_NOTE = "Correct / all that got a reply"
_ALL = "Shares of all graded replies; calls that failed count too."
_POPULARITY_NOTE = (
    "Head, torso and tail are each about a third of the graph's facts, by how many facts there are of the subject; "
    "equally popular subjects stay together. An exam need not have questions of each."
)
_ANSWER_SET_NOTE = "Only questions that are answered in words, without options."
_RELATION_NOTE = f"{_ACCURACY_NOTE}, over all question types; the best known relation first."
_TYPE_NOTE = "By how many objects a subject has, and the other way round."

PLOTS: list[list[Plot]] = [
    [
        Plot("Accuracy by question type", "Question type", f"{_ACCURACY_NOTE}.", "question_type", order=place_of_type),
        Plot("Verdicts by question type", "Question type", _ALL, "question_type", order=place_of_type, verdicts=True),
    ],
    [
        Plot("Accuracy by popularity", "Subject", _POPULARITY_NOTE, "popularity"),
        Plot("Accuracy by number of right answers", "Right answers", _ANSWER_SET_NOTE, "answer_set_size"),
    ],
    [
        Plot("Accuracy by relation type", "Relation type", _TYPE_NOTE, "relation_type"),
        Plot("Accuracy by graph", "Graph", f"{_ACCURACY_NOTE}, over all question types.", "total"),
    ],
    [Plot("Accuracy by relation", "Relation", _RELATION_NOTE, "relation", order=mean_error, wide=True)],
]
"""Plots on the page from top to bottom; plots of an inner list are side by side."""

Names = Mapping[tuple[str, str], str]
"""Name in the legend, by generator and model."""


def add_plots(*plots: Plot) -> None:
    """Add plots to every report's page, side by side, below all others."""
    PLOTS.append([*plots])


def model_plot(scores: Sequence[Score], names: Names, words: ReportVocabulary) -> list[Bars]:
    """Return the plot of all models' accuracies over all questions, the best first; empty without models."""
    totals, series, chances = model_totals(scores), list(names.values()), _guessing_accuracies(scores)
    metric = "corrected_accuracy" if are_corrected(totals) else "accuracy"
    plotted_metric = metrics.get(metric)(metric)
    rows, is_marked = [], False
    for score in totals:
        name, chance = names[score.generator, score.model], _guessing_accuracy(score, scores, chances)
        bar = Bar(series.index(name), name, figure_of(plotted_metric, score), score.questions, chance)
        rows.append(PlotRow(name, f"{score.questions:,}", (bar,)))
        is_marked = is_marked or chance is not None
    of = "As people would judge, corrected by their labels" if metric == "corrected_accuracy" else _ACCURACY_NOTE
    note = f"{of}. {_INTERVAL_NOTE}" + " The dashed lines mark what guessing gets." * is_marked
    title, what = words.put("Accuracy by model"), words.put("Model")
    return [Bars(title, note, what, words.questions, rows, is_wide=True)] if rows else []


def _guessing_accuracies(scores: Iterable[Score]) -> dict[str, float]:
    """Return the chance level of each question type whose number of options is known or follows from a row."""
    accuracies: dict[str, float] = {}
    for row in scores:
        options, plain = get_kind_or_default(row.question_type).options, row.precision
        corrected = row.guess_corrected_precision
        if options is not None and row.question_type:
            accuracies[row.question_type] = 1 / options if options else 0.0
        elif row.level == "question_type" and corrected is not None and plain is not None and corrected < 1:
            accuracies.setdefault(row.question_type, (plain - corrected) / (1 - corrected))
    return accuracies


def _guessing_accuracy(total: Score, scores: Iterable[Score], chances: Mapping[str, float]) -> float | None:
    """Return the chance level over a model's questions; None if it is unknown or 0."""
    owner = (total.kg, total.generator, total.model)
    types = [row for row in scores if (row.level, row.average) == ("question_type", "micro")]
    parts = [row for row in types if (row.kg, row.generator, row.model) == owner]
    counts = {row.question_type: row.questions - row.failed for row in parts}
    if not counts or not counts.keys() <= chances.keys():
        return None
    return sum(chances[name] * count for name, count in counts.items()) / max(sum(counts.values()), 1) or None


def plots_of(scores: Sequence[Score], names: Names, words: ReportVocabulary) -> list[Block]:
    """Return the plots in `PLOTS` that have data; plots of penalties follow after the first inner list."""
    several, series = len({score.kg for score in scores} - {ALL}) > 1, list(names.values())
    blocks: list[Block] = []
    for group in PLOTS:
        for plot in group:
            rows = _plot_rows(plot, scores, several, names)
            who = f" {words.put('Model')}: {series[0]}." if len(series) == 1 else ""
            note = plot.note if plot.verdicts else f"{plot.note}{who} {_INTERVAL_NOTE}"
            legend = VERDICTS if plot.verdicts else series
            title, what = words.put(plot.title), words.put(plot.what)
            split = plot.level == "relation" and len(rows) > 1 and 1 < len(series) <= _MAX_PANELS
            bars = Bars(title, note, what, words.questions, rows, legend, plot.wide, plot.verdicts, split, "scores.csv")
            blocks += [bars] if rows else []
        if group is PLOTS[0]:
            blocks += price_plots(scores, names, words)
    return blocks


def price_plots(rows: Sequence[Score], names: Names, words: ReportVocabulary) -> Iterator[CurvePlot]:
    """Yield the plots of wrong answers and of scores by penalty for them; nothing for fewer than two models."""
    series, lines = list(names.values()), penalty_lines(rows)
    not_correct = {(row.generator, row.model): row.questions - row.failed - row.correct for row in model_totals(rows)}
    if len(lines) < 2:
        return
    places: list[Curve] = []
    prices: list[Curve] = []
    for line in lines:
        name, rate = names[line.generator, line.model], line.hallucination_rate
        description = f"{name}: accuracy {line.correct:z.1%}, hallucination rate {rate or 0:z.1%}"
        has_enough = not_correct.get((line.generator, line.model), 0) >= _MIN_REPLIES
        dots = [] if rate is None or not has_enough else [Dot(rate, line.correct, description, 0.18)]
        places.append(Curve(name, (), dots, series.index(name)))
        points = ((0.0, line.correct), (1.0, line.score(MAX_PENALTY)))
        prices.append(Curve(name, points, (), series.index(name)))
    changes = []
    for crossing in crossings(lines):
        description = f"{crossing.first} and {crossing.second} change places at λ = {crossing.penalty:.2f}"
        changes.append(Dot(crossing.penalty / MAX_PENALTY, crossing.score, description))
    if any(place.dots for place in places):
        title = "Accuracy, and wrong answers in place of abstentions"
        note = (
            f"The best {words.model} is at the upper left: it is often correct, and abstains where it is not. Shown "
            f"for {words.model}s with {_MIN_REPLIES} or more replies that are not correct."
        )
        yield CurvePlot(title, note, "Wrong among replies that are not correct", "Accuracy", places)
    note = "Points per question: 1 for a correct reply, minus λ for an incorrect one."
    note += "" if changes else words.put(" The order of the models is the same for every λ.")
    marks = tuple((at / 4, f"{MAX_PENALTY * at / 4:g}") for at in range(5))
    yield CurvePlot("Score by penalty", note, "Penalty λ", "Score", [*prices, Curve("", (), changes, 7)], marks=marks)


def _plot_rows(plot: Plot, table: Iterable[Score], several: bool, names: Names) -> list[PlotRow]:
    """Return the rows of a plot: for each graph if it is by graph or relation, else for all graphs together."""
    metric, series, level = metrics.get(plot.metric)(plot.metric), list(names.values()), plot.level
    scores = [score for score in table if score.level == level and score.average == "micro"]
    if level == "total":
        scores = [score for score in scores if several and score.kg != ALL]
    elif level != "relation":
        scores = [score for score in scores if not several or score.kg == ALL]
    of_level = "kg" if level == "total" else level
    rows = []
    for (kg, group), members in group_rows(scores, lambda score: (score.kg, str(getattr(score, of_level)))).items():
        named = [(names[score.generator, score.model], score) for score in members]
        label = members[0].relation_label or group if level == "relation" else group
        ids = [group if group != label else "", kg if several and level == "relation" else ""]
        counts = sorted({score.questions for score in members})
        bars = [Bar(series.index(name), name, figure_of(metric, score), score.questions) for name, score in named]
        number = f"{counts[0]:,}" + (f"–{counts[-1]:,}" if len(counts) > 1 else "")
        stacks = [(name, {key: count for key in VERDICTS if (count := getattr(score, key))}) for name, score in named]
        rows.append(PlotRow(type_label(label), number, bars, " · ".join(filter(None, ids)), stacks))
    return rows if plot.order is None else sorted(rows, key=plot.order)
