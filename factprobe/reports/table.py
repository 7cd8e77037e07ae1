"""The score table for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import NamedTuple

from factprobe.metrics import Metric, metrics
from factprobe.metrics.breakdowns import BreakdownRow, Shown, Table
from factprobe.metrics.intervals import Interval
from factprobe.records import VERDICTS, Score
from factprobe.reports.data import Note
from factprobe.reports.levels import LEVELS, graph_name
from factprobe.reports.terminal import fitted
from factprobe.reports.words import GRAPH, Words, of_replies

_SHORT = {"correct": "corr.", "incorrect": "inc.", "abstained": "abst.", "unparsed": "unp.", "failed": "fail"}
"""Heads where room is scarce."""


def score_table(
    rows: Iterable[Score], breakdowns: Iterable[Table] = (), notes: Iterable[Note] = (), words: Words = GRAPH
) -> str:
    """The scores as text, what the breakdowns tell in words, and what is to be known of the scores.

    Of one graph a table for each generator and model, the totals first, and below it in words what matters most; where
    there are several, and of several graphs, one table of the totals.
    """
    table, tables, told = list(rows), list(breakdowns), list(notes)
    shown = [row for level in LEVELS for row in level.short(table)]
    totals = [row for row in shown if row.average == "micro" and row.level == "total"]
    if len({row.kg for row in totals}) > 1:
        return "\n\n".join([_overview(totals, words), *(f"{note.model} on {note.kg}: {note.text}" for note in told)])
    texts = []
    worded = [row for table in tables for row in table.rows if table.kind.of_models]
    owners = list(dict.fromkeys((row.generator, row.model) for row in (*shown, *worded)))
    for generator, model in owners:
        members = [row for row in shown if (row.generator, row.model) == (generator, model)]
        title = f"{model} on {generator} questions" if "generator" in words.owners else f"{model}: {generator}"
        texts.append(_table(f"{title} (rates in %)", members, words) if members else title)
        found = [
            _in_words(table.kind, row)
            for table in tables
            for row in table.rows
            if (row.generator, row.model) == (generator, model)
        ]
        own = [note.text for note in told if (note.generator, note.model) == (generator, model)]
        texts += filter(None, ["\n".join([*_sentences(members), *filter(None, found), *own])])
    return "\n\n".join([*texts, *([_overview(totals, words)] if len(totals) > 1 else [])])


def systems_table(rows: Iterable[Score], notes: Iterable[Note] = ()) -> str:
    """The totals of anybody's replies as text, a line for each system, and what is to be known of the scores."""
    totals = [row for row in rows if row.level == "total" and row.average == "micro"]
    return "\n\n".join([_overview(totals, of_replies()), *(f"{note.model}: {note.text}" for note in notes)])


def _sentences(rows: Sequence[Score]) -> Iterator[str]:
    """The total, and for each question type a line of the metrics that are told in words and that it has."""
    first, told = _metrics(rows)[0], [metric for metric in metrics.every() if metric.sentence]
    for row in rows:
        if row.level == "total" and row.average == "micro" and first.of(row).value is not None:
            yield f"total: {first.head('markdown')} {_in_figures(first, row)}"
    for row in rows:
        found = [metric for metric in told if row.level == "question_type" and metric.of(row).value is not None]
        if found:
            figures = "; ".join(metric.sentence.format(_in_figures(metric, row)) for metric in found)
            yield f"{row.question_type}: {figures}"


def _in_figures(metric: Metric, row: Score) -> str:
    value, low, high = metric.of(row)
    return f"{_percent(value)}%" + (f" ({_percent(low)} to {_percent(high)})" if metric.has_interval else "")


def plain_table(table: Table) -> str:
    """The rows of a table of questions as text, by generator."""
    sections = [
        [[generator], *(_plain_row(table, row) for row in rows)]
        for generator, rows in groupby(table.rows, key=lambda row: row.generator)
    ]
    return fitted(f"{table.kind.title} (rates in %)", "", list(table.figures.values()), sections)


def _plain_row(table: Table, row: BreakdownRow) -> list[str]:
    name = " · ".join(getattr(row, field) for field in table.names)
    return [f"  {name}", *(_figure(getattr(row, field)) for field in table.figures)]


def _in_words(kind: type[Shown], row: BreakdownRow) -> str:
    """A row of a breakdown as it is told below the table."""
    return kind.sentence(row).format_map({name: _figure(getattr(row, name)) for name in kind.heads})


def _figure(value: str | int | float | Interval | None) -> str:
    match value:
        case Interval():
            return f"{_percent(value.estimate)}% ({_percent(value.low)} to {_percent(value.high)})"
        case float():
            return f"{_percent(value)}%"
        case int():
            return f"{value:,}"
    return value or "–"


def _table(title: str, rows: Sequence[Score], words: Words) -> str:
    sections = []
    for level in LEVELS:
        members = level.rows(rows)
        if level.columns:
            named = [(f"  {level.label(row)}", row) for row in members]
            sections.append([*([(words.put(level.head), None)] if members else []), *named])
        else:
            sections.append([(level.name + (" (macro)" if row.average == "macro" else ""), row) for row in members])
    return _sections(title, sections, rows, words)


def _overview(rows: Sequence[Score], words: Words) -> str:
    generators = len({row.generator for row in rows}) > 1
    sections = []
    for kg in dict.fromkeys(row.kg for row in rows):
        members = [row for row in rows if row.kg == kg]
        names = [f"  {row.model}" + (f" · {row.generator}" if generators else "") for row in members]
        sections.append([(graph_name(kg), None), *zip(names, members, strict=True)])
    return _sections(f"Totals (rates in %, all {words.questions} count alike)", sections, rows, words)


def _sections(
    title: str, sections: Iterable[Sequence[tuple[str, Score | None]]], rows: Sequence[Score], words: Words
) -> str:
    """A table of named rows in sections; one without a score is a heading."""
    columns = _columns(rows, words)
    lines = [
        [[name, *(column.cell(row) for column in columns if row)] for name, row in section] for section in sections
    ]
    return fitted(title, "", [column.head for column in columns], lines, _SHORT)


class _Column(NamedTuple):
    head: str
    cell: Callable[[Score], str]


def _columns(rows: Sequence[Score], words: Words) -> list[_Column]:
    """The counts and the metrics, the first of them first, with its interval; the others' are in the files, for want
    of room."""
    first, *others = _metrics(rows)
    return [
        _Column(words.asked, partial(_count, "questions")),
        _Column(first.head("table"), partial(_rate, first)),
        _Column("95%", partial(_interval, first)),
        *(_Column(verdict, partial(_count, verdict)) for verdict in VERDICTS),
        *(_Column(metric.head("table"), partial(_rate, metric)) for metric in others),
    ]


def _metrics(rows: Sequence[Score]) -> list[Metric]:
    """Those that have a column."""
    shown = metrics.shown("table", rows)
    replaced = {name for metric in shown for name in metric.replaces}
    return [metric for metric in shown if metric.name not in replaced]


def _count(name: str, row: Score) -> str:
    return f"{getattr(row, name):,}"


def _rate(metric: Metric, row: Score) -> str:
    return _percent(metric.of(row).value)


def _interval(metric: Metric, row: Score) -> str:
    value, low, high = metric.of(row)
    return "" if value is None else f"{_percent(low)}–{_percent(high)}"


def _percent(rate: float | None) -> str:
    return "–" if rate is None else f"{100 * rate:z.1f}"
