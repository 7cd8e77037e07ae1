"""Score tables and their sentences, for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from factprobe.collection.report_data import Note, series_names
from factprobe.collection.vocabulary import GRAPH, ReportVocabulary, of_replies
from factprobe.metrics import Metric, metrics
from factprobe.metrics.breakdowns.base import BreakdownRow, BreakdownTable, TableSpec
from factprobe.metrics.statistics.intervals import Interval
from factprobe.question_types import type_label
from factprobe.records import VERDICTS, Score
from factprobe.reports.document import Block, Column, Figure, Paragraph, Remark, Row, Table
from factprobe.reports.levels import LEVEL_OF_NAME, LEVELS, figure_of, graph_name
from factprobe.reports.terminal import plain_text

MORE_TABLES_NOTE = "All breakdowns: report.html, scores.csv; breakdowns=true prints them here."
"""Line below a summary that says where the other tables are."""

_SUMMARY_ROWS = 12
"""Maximum number of rows in a summary's table: with sentences and the output of steps, it fits on 24 lines."""
_SUMMARY_SENTENCES = 2
"""Maximum number of sentences of one breakdown in a summary; the first usually sum up the others."""
_WRAP_WIDTH = 18
"""Width in characters at which the names of metrics are wrapped."""
_SHORT_HEADS = {"correct": "corr.", "incorrect": "inc.", "abstained": "abst.", "unparsed": "unp.", "failed": "fail"}


def score_table(
    rows: Iterable[Score],
    breakdowns: Iterable[BreakdownTable] = (),
    notes: Iterable[Note] = (),
    words: ReportVocabulary = GRAPH,
) -> str:
    """Format the scores, the sentences of the breakdowns, and the notes on the scores.

    One graph: each generator and model has a table, with the totals first, and sentences with the main results; if
    there are several, a joint table of totals follows. Several graphs: one table of totals.
    """
    table, tables, all_notes = list(rows), list(breakdowns), list(notes)
    level_rows = [row for level in LEVELS for row in level.narrow_rows(table)]
    totals = [row for row in level_rows if row.average == "micro" and row.level == "total"]
    if len({row.kg for row in totals}) > 1:
        below = (Paragraph(f"{note.model} on {note.kg}: {note.text}") for note in all_notes)
        return plain_text([_overview_table(totals, words), *below])
    blocks: list[Block] = []
    for generator, model in _list_owners(level_rows, tables):
        members = [row for row in level_rows if (row.generator, row.model) == (generator, model)]
        title = _table_title(generator, model, words)
        if members:
            blocks += [_levels_table(f"{title} (rates in %)", members, words), *_interval_tables(members)]
        else:
            blocks.append(Paragraph(title))
        lines = [*_score_sentences(members)]
        for each in tables:
            own = (row for row in each.rows if (row.generator, row.model) == (generator, model))
            lines += [_in_words(each.kind, row) for row in own]
        lines += [note.text for note in all_notes if (note.generator, note.model) == (generator, model)]
        blocks += map(Remark, filter(None, lines))
    return plain_text([*blocks, *([_overview_table(totals, words)] if len(totals) > 1 else [])])


def summary_table(
    rows: Iterable[Score],
    breakdowns: Iterable[BreakdownTable] = (),
    notes: Iterable[Note] = (),
    words: ReportVocabulary = GRAPH,
) -> str:
    """Format the main scores as text that fits on one screen; `score_table` has all.

    One generator and model: the totals and the rows by question type, then the sentences of metrics and breakdowns with
    `in_summary`. Several generators or models: a joint table, with totals alone if it would have more than 12 rows.
    Several graphs: a table of totals.
    """
    table, tables, notes_list = list(rows), list(breakdowns), list(notes)
    level_rows = [row for level in LEVELS for row in level.narrow_rows(table)]
    totals = [row for row in level_rows if row.level == "total"]
    if len({row.kg for row in totals}) > 1:
        return score_table(table, tables, notes_list, words)
    owners = _list_owners(totals, tables)
    lines = [pair for each in tables if each.kind.in_summary for pair in _first_sentences(each)]
    lines += [((note.generator, note.model), note.text) for note in notes_list]
    if len(owners) == 1:
        title = _table_title(*owners[0], words)
        first = _one_summary(f"{title} (rates in %)", level_rows, words) if totals else Paragraph(title)
        below = [*_score_sentences(level_rows, in_summary=True), *(line for _, line in lines)]
    else:
        first = _joint_summary(level_rows, words) if totals else Paragraph("")
        below = [f"{_table_title(*owner, words)}: {line}" for owner, line in lines]
    return plain_text([first, *map(Remark, below)], is_compact=True)


def _list_owners(rows: Sequence[Score], tables: Iterable[BreakdownTable]) -> list[tuple[str, str]]:
    """Return each pair of generator and model in the scores, then further ones in the breakdowns."""
    worded = [row for table in tables for row in table.rows if table.kind.of_models]
    return list(dict.fromkeys((row.generator, row.model) for row in (*rows, *worded)))


def _first_sentences(table: BreakdownTable) -> list[tuple[tuple[str, str], str]]:
    """Return the first sentences of a breakdown on each generator and model, with these two names."""
    counts: Counter[tuple[str, str]] = Counter()
    first = []
    for row in table.rows:
        owner, line = (row.generator, row.model), _in_words(table.kind, row)
        if line and counts[owner] < _SUMMARY_SENTENCES:
            counts[owner] += 1
            first.append((owner, line))
    return first


def _one_summary(title: str, rows: Sequence[Score], words: ReportVocabulary) -> Table:
    """Return the table of one generator and model: the totals, then those summary levels for which there is room."""
    levels, summary_rows = words.summary_levels, [row for row in rows if row.level == "total"]
    for level in levels:
        members = LEVEL_OF_NAME[level].rows(rows)
        summary_rows += members if len(summary_rows) + len(members) <= _SUMMARY_ROWS else []
    return _levels_table(title, summary_rows, words, has_heads=len(levels) > 1)


def _joint_summary(rows: Sequence[Score], words: ReportVocabulary) -> Table:
    """Return a joint table of several generators or models: by question type, or of totals if that is too long."""
    summary_rows = [row for row in rows if row.level in ("total", words.summary_levels[0]) and row.average == "micro"]
    if len(summary_rows) > _SUMMARY_ROWS:
        return _overview_table([row for row in summary_rows if row.level == "total"], words)
    return score_rows(summary_rows, words)


def score_rows(rows: Sequence[Score], words: ReportVocabulary = GRAPH) -> Table:
    """Return a joint table of generators and models, with the total of each followed by its other rows."""
    names = series_names(rows)
    named = [
        (name if row.level == "total" else f"  {LEVEL_OF_NAME[row.level].label(row)}", "", row)
        for owner, name in names.items()
        for row in sorted(rows, key=lambda row: row.level != "total")
        if (row.generator, row.model) == owner and row.average == "micro"
    ]
    return _scores_table("Scores (rates in %)", named, words)


def systems_table(rows: Iterable[Score], notes: Iterable[Note] = ()) -> str:
    """Format the totals of replies from files, a line for each system, followed by the notes on them."""
    totals = [row for row in rows if row.level == "total" and row.average == "micro"]
    below = (Paragraph(f"{note.model}: {note.text}") for note in notes)
    return plain_text([_overview_table(totals, of_replies()), *below])


def _table_title(generator: str, model: str, words: ReportVocabulary) -> str:
    return f"{model} on {generator} questions" if "generator" in words.owners else f"{model}: {generator}"


def _total_name(row: Score) -> str:
    return "total (macro)" if row.average == "macro" else "total"


def _score_sentences(rows: Sequence[Score], *, in_summary: bool = False) -> Iterator[str]:
    """Yield a sentence on the total, and a line by question type with the metrics that define a sentence.

    With `in_summary`, omit the total, and metrics that are not `in_summary`.
    """
    first = _metrics_with_column(rows)[0]
    worded = [metric for metric in metrics.every() if metric.sentence and (metric.in_summary or not in_summary)]
    for row in () if in_summary else rows:
        figure = figure_of(first, row)
        if row.level == "total" and row.average == "micro" and figure.value is not None:
            yield f"total: {first.head('markdown')} {_with_interval(figure)}"
    for row in rows:
        by_metric = {metric: figure_of(metric, row) for metric in worded if row.level == "question_type"}
        known = {metric: figure for metric, figure in by_metric.items() if figure.value is not None}
        if known:
            figures = "; ".join(metric.sentence.format(_with_interval(figure)) for metric, figure in known.items())
            yield f"{type_label(row.question_type)}: {figures}"


def _with_interval(score: Figure) -> str:
    has_ends = score.low is not None and score.high is not None
    return f"{score.text}%" + f" ({Figure(score.low).text} to {Figure(score.high).text})" * has_ends


def plain_table(table: BreakdownTable) -> str:
    """Format a breakdown of questions as text, with a section for each generator."""
    rows = []
    for row in table.rows:
        name = " · ".join(type_label(getattr(row, field)) for field in table.names)
        rows.append(Row([name], [_format_figure(getattr(row, field)) for field in table.figures], row.generator))
    return plain_text([Table(f"{table.kind.title} (rates in %)", [""], [*map(Column, table.figures.values())], rows)])


def _in_words(kind: type[TableSpec], row: BreakdownRow) -> str:
    return kind.sentence(row).format_map({name: _format_figure(getattr(row, name)) for name in kind.heads})


def _format_figure(value: str | int | float | Interval | None) -> str:
    match value:
        case Interval():
            return _with_interval(Figure.of(value))
        case float():
            return f"{Figure(value).text}%"
        case int():
            return f"{value:,}"
    return type_label(value) if value else "–"


def _levels_table(title: str, rows: Sequence[Score], words: ReportVocabulary, *, has_heads: bool = True) -> Table:
    """Return the table of one generator and model, with each level below its heading."""
    named = [
        (level.label(row), words.put(level.head) * has_heads, row) if level.columns else (_total_name(row), "", row)
        for level in LEVELS
        for row in level.rows(rows)
    ]
    return _scores_table(title, named, words)


def _interval_tables(rows: Sequence[Score]) -> Iterator[Block]:
    """Yield a table with the intervals of the metrics after the first, and its legend."""
    named = [row for row in rows if row.level in ("total", "question_type") and row.average == "micro"]
    _, *others = metrics.select("markdown", named)
    figures = {metric: [figure_of(metric, row) for row in named] for metric in others if metric.has_interval}
    with_interval = [metric for metric in figures if any(figure.value is not None for figure in figures[metric])]
    lines = [Row(["\n".join(wrap(one.head("markdown"), _WRAP_WIDTH))], figures[one]) for one in with_interval]
    heads = [type_label(row.question_type) if row.level == "question_type" else _total_name(row) for row in named]
    yield Table("95% intervals of the other rates (in %)", [""], [*map(Column, heads)], lines)
    yield from (Paragraph(f"{metric.head('markdown')}: {metric.what}") for metric in with_interval if metric.in_legend)


def _overview_table(rows: Sequence[Score], words: ReportVocabulary) -> Table:
    names = series_names(rows)
    named = [(names[row.generator, row.model], graph_name(row.kg), row) for row in rows]
    return _scores_table(f"Totals (rates in %, all {words.questions} count alike)", named, words)


def _scores_table(title: str, named: Sequence[tuple[str, str, Score]], words: ReportVocabulary) -> Table:
    """Return a table of scores, each given with name and section; only the first metric has its interval."""
    first, *others = _metrics_with_column([row for _, _, row in named])
    heads = [words.count_head, first.head("table"), "95%", *VERDICTS, *(metric.head("table") for metric in others)]
    rows = []
    for name, section, row in named:
        figure = figure_of(first, row)
        counts = [getattr(row, verdict) for verdict in VERDICTS]
        ends = "" if figure.value is None else f"{Figure(figure.low).text}–{Figure(figure.high).text}"
        rates = [figure_of(metric, row).text for metric in others]
        rows.append(Row([name], [row.questions, figure.text, ends, *counts, *rates], section))
    return Table(title, [""], [Column(head, _SHORT_HEADS.get(head, "")) for head in heads], rows)


def _metrics_with_column(rows: Sequence[Score]) -> list[Metric]:
    candidates = metrics.select("table", rows)
    replaced = {name for metric in candidates for name in metric.replaces}
    return [metric for metric in candidates if metric.name not in replaced]
