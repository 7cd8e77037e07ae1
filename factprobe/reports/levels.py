"""Levels of the score table (total, by question type, …), with their titles and columns in all reports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from factprobe.collection.vocabulary import ReportVocabulary
from factprobe.metrics import Metric, metrics
from factprobe.metrics.base import group_rows
from factprobe.metrics.score_metrics import GuessCorrected
from factprobe.metrics.strata import ALL
from factprobe.question_types import type_label
from factprobe.records import VERDICTS, Score
from factprobe.reports.document import Column, Figure, Row, Table


class Level(NamedTuple):
    """One level of the score table; `head` is the header of its row names."""

    name: str
    """Value of the field `level` in the rows."""
    title: str
    head: str
    columns: tuple[str, ...] = ()
    """Fields that identify a row; empty for totals."""
    note: str = ""
    """Explanation in a sentence, if the title needs one."""

    def rows(self, table: Iterable[Score]) -> list[Score]:
        """Return the rows of this level in a score table."""
        return [row for row in table if row.level == self.name]

    def narrow_rows(self, table: Iterable[Score]) -> list[Score]:
        """Return the rows of this level for narrow tables: macro averages only of the total."""
        return [row for row in self.rows(table) if row.average == "micro" or not self.columns]

    def label(self, row: Score) -> str:
        """Return the name of a row in one line."""
        names = dict.fromkeys(type_label(getattr(row, column)) for column in self.columns)
        return " ".join(" ".join(names).split()) or "–"


CELL = Level("cell", "By relation and question type", "Relation", ("relation", "relation_label", "question_type"))
"""Finest level, summed up by all others: rows by relation and question type, too many for most tables."""

LEVELS = (
    Level("total", "Total", "Model"),
    Level("question_type", "By question type", "Question type", ("question_type",)),
    Level("relation_type", "By relation type", "Relation type", ("relation_type",)),
    Level(
        "popularity",
        "By popularity of the subject",
        "Popularity",
        ("popularity",),
        "By its number of facts in the graph, then by its neighbours', or first by the counts that the questions were "
        "made with. Head, torso and tail are each about a third of the graph's facts; equally popular subjects stay "
        "together, so that in small graphs the three may differ much. An exam need not have questions of each.",
    ),
    Level(
        "answer_set_size",
        "By number of right answers",
        "Right answers",
        ("answer_set_size",),
        "Only questions that are answered in words, without options.",
    ),
    Level("relation", "By relation", "Relation", ("relation", "relation_label")),
)
"""Levels that reports show, the most important first."""
LEVEL_OF_NAME = {level.name: level for level in LEVELS}


MAX_WIDTH = 1.0
"""Interval width above which a guess-corrected rate is not shown."""


def figure_of(metric: Metric, row: Score) -> Figure:
    """Return a metric's figure in a row; without a value for a guess-corrected rate with a wide interval."""
    figure = Figure(*metric.of(row))
    is_corrected = isinstance(metric, GuessCorrected)
    if is_corrected and figure.low is not None and figure.high is not None and figure.high - figure.low > MAX_WIDTH:
        return Figure(None)
    return figure


def graph_name(kg: str) -> str:
    """Return the name of a graph for a table, or `all graphs` for rows over all graphs."""
    return "all graphs" if kg == ALL else kg


def level_table(
    scores: Iterable[Score], level: Level, series: Mapping[tuple[str, str], str], words: ReportVocabulary
) -> Table:
    """Return the table of one level, with the rows of different models on the same group next to each other."""
    groups = group_rows(level.rows(scores), lambda row: (row.kg, level.label(row)))
    rows = [row for group in groups.values() for row in group]
    chosen = metrics.select("page", rows)
    metrics_with_value = [metric for metric in chosen if any(figure_of(metric, row).value is not None for row in rows)]
    several = len({row.kg for row in rows}) > 1
    lines = []
    for row in rows:
        figures = [figure_of(metric, row) for metric in metrics_with_value]
        counts = [row.questions, *(getattr(row, verdict) for verdict in VERDICTS)]
        names = _row_names(level, row, series, several=several)
        lines.append(Row(names, [*figures, *counts], is_minor=row.average == "macro"))
    columns = []
    for at, metric in enumerate(metrics_with_value):
        is_minor = "table" not in metric.places and not (metric.sentence and metric.in_summary)
        columns.append(Column(metric.head("markdown"), is_main=not at, is_minor=is_minor))
    columns += map(Column, (words.questions, *VERDICTS))
    heads = [words.put(level.head).lower(), words.model if level.columns else ""]
    return Table(words.put(level.title), heads, columns, lines, level.note, "scores.csv", level.name, is_stacked=True)


def _row_names(level: Level, row: Score, series: Mapping[tuple[str, str], str], *, several: bool) -> tuple[str, str]:
    """Return the name of a row, and a second name that distinguishes rows of that name, such as its model."""
    owner = series.get((row.generator, row.model), row.model)
    more = [graph_name(row.kg) * several, row.average * (row.average == "macro")]
    if not level.columns:
        first, more = row.model, [row.generator * (row.generator != row.kg), *more]
    elif "relation" in level.columns:
        first = row.relation_label or row.relation
        kind = type_label(row.question_type) * (level is CELL)
        more = [row.relation * (row.relation != first), row.relation_type, kind, owner, *more]
    else:
        first, more = level.label(row), [owner, *more]
    return first, " · ".join(filter(None, more))
