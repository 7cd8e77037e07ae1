"""Score table for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import NamedTuple

from factprobe.metrics import Metric, metrics
from factprobe.metrics.breakdowns.base import BreakdownRow, Table, TableSpec
from factprobe.metrics.statistics.intervals import Interval
from factprobe.records import VERDICTS, Score
from factprobe.reports.data import Note
from factprobe.reports.levels import LEVELS, Level, graph_name
from factprobe.reports.terminal import fitted
from factprobe.reports.vocabulary import GRAPH, ReportVocabulary, of_replies

MORE = "All breakdowns: report.html, scores.csv; breakdowns=true prints them here."
"""Line below a summary: where the rest is."""

_SUMMARY_ROWS = 12
"""Most rows of a summary's table. With its sentences and the lines of the steps it then fits a screen of 24 lines."""
_SUMMARY_SENTENCES = 2
"""Most sentences of one breakdown in a summary: most begin with the row that sums up the others."""
_SHORT = {"correct": "corr.", "incorrect": "inc.", "abstained": "abst.", "unparsed": "unp.", "failed": "fail"}
"""Short headers."""


def score_table(
    rows: Iterable[Score], breakdowns: Iterable[Table] = (), notes: Iterable[Note] = (), words: ReportVocabulary = GRAPH
) -> str:
    """Format the scores, the sentences of the breakdowns, and the notes on the scores.

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
        title = _title(generator, model, words)
        texts += [_table(f"{title} (rates in %)", members, words), _intervals(members)] if members else [title]
        found = [
            _in_words(table.kind, row)
            for table in tables
            for row in table.rows
            if (row.generator, row.model) == (generator, model)
        ]
        own = [note.text for note in told if (note.generator, note.model) == (generator, model)]
        texts += filter(None, ["\n".join([*_sentences(members), *filter(None, found), *own])])
    return "\n\n".join([*filter(None, texts), *([_overview(totals, words)] if len(totals) > 1 else [])])


def summary_table(
    rows: Iterable[Score], breakdowns: Iterable[Table] = (), notes: Iterable[Note] = (), words: ReportVocabulary = GRAPH
) -> str:
    """Return the scores as text that fits one screen; `score_table` has the rest.

    For one generator and model these are the totals and the rows by question type, followed by the sentences of the
    metrics and breakdowns with `in_summary`. Several generators or models share one table, with totals only if there
    are more than 12 rows. Several graphs have a table of totals.
    """
    table, tables, kept = list(rows), list(breakdowns), list(notes)
    shown = [row for level in LEVELS for row in level.short(table)]
    totals = [row for row in shown if row.level == "total"]
    if len({row.kg for row in totals}) > 1:
        return score_table(table, tables, kept, words)
    worded = [row for each in tables for row in each.rows if each.kind.of_models]
    owners = list(dict.fromkeys((row.generator, row.model) for row in (*totals, *worded)))
    lines = [(owner, line) for each in tables if each.kind.in_summary for owner, line in _first_sentences(each)]
    lines += [((note.generator, note.model), note.text) for note in kept]
    if len(owners) == 1:
        title = _title(*owners[0], words)
        text = _one_summary(f"{title} (rates in %)", shown, words) if totals else title
        below = [*_sentences(shown, in_summary=True), *(line for _, line in lines)]
    else:
        text = _joint_summary(shown, words) if totals else ""
        below = [f"{_title(*owner, words)}: {line}" for owner, line in lines]
    return "\n\n".join(filter(None, [text, "\n".join(below)]))


def _first_sentences(table: Table) -> list[tuple[tuple[str, str], str]]:
    """Return the first sentences of a breakdown for each generator and model, with these."""
    found = [((row.generator, row.model), _in_words(table.kind, row)) for row in table.rows]
    counts: Counter[tuple[str, str]] = Counter()
    first = []
    for owner, line in found:
        if line and counts[owner] < _SUMMARY_SENTENCES:
            counts[owner] += 1
            first.append((owner, line))
    return first


def _one_summary(title: str, rows: Sequence[Score], words: ReportVocabulary) -> str:
    """Return the totals of one generator and model, and below them the levels of a summary that have room."""
    levels, shown = _summary_levels(words), [row for row in rows if row.level == "total"]
    sections: list[list[tuple[str, Score | None]]] = [[(_total_name(row), row) for row in shown]]
    for level in levels:
        members = level.rows(rows)
        if members and len(shown) + len(members) <= _SUMMARY_ROWS:
            shown += members
            heads = [(words.put(level.head), None)] if len(levels) > 1 else []
            indent = "  " if heads else ""
            sections.append([*heads, *((indent + level.label(row), row) for row in members)])
    return _sections(title, sections, shown, words, in_summary=True)


def _joint_summary(rows: Sequence[Score], words: ReportVocabulary) -> str:
    """Return one table of several generators or models: by question type, or totals only if these are too many rows."""
    totals = [row for row in rows if row.level == "total" and row.average == "micro"]
    names, first = _series_names(totals), _summary_levels(words)[0]
    sections = [
        [
            (name, total),
            *(
                (f"  {first.label(row)}", row)
                for row in first.rows(rows)
                if (row.generator, row.model) == (total.generator, total.model)
            ),
        ]
        for name, total in zip(names, totals, strict=True)
    ]
    shown = [row for section in sections for _, row in section]
    if len(shown) > _SUMMARY_ROWS:
        return _overview(totals, words, in_summary=True)
    return _sections("Scores (rates in %)", sections, shown, words, in_summary=True)


def _summary_levels(words: ReportVocabulary) -> list[Level]:
    by_name = {level.name: level for level in LEVELS}
    return [by_name[name] for name in words.summary_levels]


def systems_table(rows: Iterable[Score], notes: Iterable[Note] = ()) -> str:
    """Format the totals of replies of any origin, a line for each system, with the notes on the scores."""
    totals = [row for row in rows if row.level == "total" and row.average == "micro"]
    return "\n\n".join([_overview(totals, of_replies()), *(f"{note.model}: {note.text}" for note in notes)])


def _title(generator: str, model: str, words: ReportVocabulary) -> str:
    return f"{model} on {generator} questions" if "generator" in words.owners else f"{model}: {generator}"


def _series_names(rows: Sequence[Score]) -> list[str]:
    """Return the model of each row, with its generator if there are several."""
    several = len({row.generator for row in rows}) > 1
    return [f"{row.model} · {row.generator}" if several else row.model for row in rows]


def _total_name(row: Score) -> str:
    return "total (macro)" if row.average == "macro" else "total"


def _sentences(rows: Sequence[Score], *, in_summary: bool = False) -> Iterator[str]:
    """Format the total, and for each question type a line of the metrics that have a sentence.

    With `in_summary` the total is left out, and so are the metrics that are not in a summary.
    """
    first = _metrics(rows)[0]
    told = [metric for metric in metrics.every() if metric.sentence and (metric.in_summary or not in_summary)]
    for row in () if in_summary else rows:
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
    """Format the rows of a table of questions, by generator."""
    sections = [
        [[generator], *(_plain_row(table, row) for row in rows)]
        for generator, rows in groupby(table.rows, key=lambda row: row.generator)
    ]
    return fitted(f"{table.kind.title} (rates in %)", "", list(table.figures.values()), sections)


def _plain_row(table: Table, row: BreakdownRow) -> list[str]:
    name = " · ".join(getattr(row, field) for field in table.names)
    return [f"  {name}", *(_figure(getattr(row, field)) for field in table.figures)]


def _in_words(kind: type[TableSpec], row: BreakdownRow) -> str:
    """Format the sentence of a breakdown's row."""
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


def _table(title: str, rows: Sequence[Score], words: ReportVocabulary) -> str:
    sections = []
    for level in LEVELS:
        members = level.rows(rows)
        if level.columns:
            named = [(f"  {level.label(row)}", row) for row in members]
            sections.append([*([(words.put(level.head), None)] if members else []), *named])
        else:
            sections.append([(_total_name(row), row) for row in members])
    return _sections(title, sections, rows, words)


def _intervals(rows: Sequence[Score]) -> str:
    """Return the totals and question types of the metrics whose intervals have no room in the first table."""
    named = [row for row in rows if row.level in ("total", "question_type") and row.average == "micro"]
    _, *others = metrics.shown("markdown", named)
    lines = [
        [metric.head("markdown"), *(f"{_rate(metric, row)}\n{_interval(metric, row)}" for row in named)]
        for metric in others
        if metric.has_interval and any(metric.of(row).value is not None for row in named)
    ]
    heads = [row.question_type if row.level == "question_type" else _total_name(row) for row in named]
    return fitted("95% intervals of the other rates (in %)", "", heads, [lines]) if lines else ""


def _overview(rows: Sequence[Score], words: ReportVocabulary, *, in_summary: bool = False) -> str:
    sections = []
    named = list(zip(_series_names(rows), rows, strict=True))
    for kg in dict.fromkeys(row.kg for row in rows):
        members = [(f"  {name}", row) for name, row in named if row.kg == kg]
        sections.append([(graph_name(kg), None), *members])
    title = f"Totals (rates in %, all {words.questions} count alike)"
    return _sections(title, sections, rows, words, in_summary=in_summary)


def _sections(
    title: str,
    sections: Iterable[Sequence[tuple[str, Score | None]]],
    rows: Sequence[Score],
    words: ReportVocabulary,
    *,
    in_summary: bool = False,
) -> str:
    """Format a table of named rows in sections; a row without a score is a heading."""
    columns = _columns(rows, words)
    lines = [
        [[name, *(column.cell(row) for column in columns if row)] for name, row in section] for section in sections
    ]
    return fitted(title, "", [column.head for column in columns], lines, _SHORT, compact=in_summary)


class _Column(NamedTuple):
    head: str
    cell: Callable[[Score], str]


def _columns(rows: Sequence[Score], words: ReportVocabulary) -> list[_Column]:
    """Return the columns of counts and metrics; only the first metric has room for its interval."""
    first, *others = _metrics(rows)
    return [
        _Column(words.asked, partial(_count, "questions")),
        _Column(first.head("table"), partial(_rate, first)),
        _Column("95%", partial(_interval, first)),
        *(_Column(verdict, partial(_count, verdict)) for verdict in VERDICTS),
        *(_Column(metric.head("table"), partial(_rate, metric)) for metric in others),
    ]


def _metrics(rows: Sequence[Score]) -> list[Metric]:
    """Return the metrics that have a column."""
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
