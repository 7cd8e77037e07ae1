"""The score table for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from factprobe.metrics import Metric, metrics
from factprobe.metrics.scores import ALL
from factprobe.records import Score
from factprobe.reports.data import FactConsistency, Note
from factprobe.reports.terminal import WIDTH, new_table, printed, shortened

if TYPE_CHECKING:
    from rich.table import Table

_LEVELS = ("relation", "relation_type", "popularity", "answer_set_size", "question_type", "total")
_COUNTS = {
    "questions": "asked",
    "correct": "correct",
    "incorrect": "incorrect",
    "abstained": "abstained",
    "unparsed": "unparsed",
    "failed": "failed",
}
"""The counts, and their heads."""
_LEAST_ROOM = 8
"""Characters of a name that are shown at least."""


def score_table(
    rows: Iterable[Score], consistencies: Iterable[FactConsistency] = (), notes: Iterable[Note] = ()
) -> str:
    """The scores as text, what is known of the facts in all their forms, and what is to be known of the scores.

    Of one graph a table for each generator and model: relations, types, strata, and the totals last. Of several graphs
    one table of the totals, graph by graph.
    """
    shown = [row for row in rows if row.level in _LEVELS and (row.average == "micro" or row.level == "total")]
    forms, told = list(consistencies), list(notes)
    if len({row.kg for row in shown}) > 1:
        totals = printed([_overview([row for row in shown if row.level == "total" and row.average == "micro"])])
        return "\n\n".join([totals, *(f"{note.model} on {note.kg}: {note.text}" for note in told)])
    texts = []
    for generator, model in dict.fromkeys((row.generator, row.model) for row in shown):
        members = [row for row in shown if (row.generator, row.model) == (generator, model)]
        texts.append(printed([_table(f"{model} on {generator} questions (rates in %)", members)]))
        found = [row for row in forms if (row.generator, row.model) == (generator, model)]
        own = [note.text for note in told if (note.generator, note.model) == (generator, model)]
        texts += filter(None, ["\n".join([*_sentences(members), *map(_in_words, found), *own])])
    return "\n\n".join(texts)


def systems_table(rows: Iterable[Score], notes: Iterable[Note] = ()) -> str:
    """The totals as text, a line for each system, and what is to be known of the scores."""
    totals = [row for row in rows if row.level == "total" and row.average == "micro"]
    sections = [[(shortened(row.model), row) for row in totals]]
    table = printed([_sections(f"{totals[0].kg} (rates in %)", sections, totals)])
    return "\n\n".join([table, *(f"{note.model}: {note.text}" for note in notes)])


def _sentences(rows: Iterable[Score]) -> Iterator[str]:
    """A line for each metric that is told in words, for each question type that has it."""
    told = [metric for metric in metrics.every() if metric.sentence]
    for row in rows:
        for metric in told if row.level == "question_type" else ():
            value, low, high = metric.of(row)
            if value is not None:
                ends = f" ({_percent(low)} to {_percent(high)})" if metric.has_interval else ""
                yield f"{row.question_type}: {metric.sentence.format(f'{_percent(value)} %{ends}')}"


def _in_words(row: FactConsistency) -> str:
    if row.mean is None or row.every is None:
        return ""
    every = row.every
    return (
        f"{row.facts:,} facts asked in several forms: knows {_percent(row.mean.estimate)} %, "
        f"in every form {_percent(every.estimate)} % ({_percent(every.low)} to {_percent(every.high)})"
    )


def _table(title: str, rows: Sequence[Score]) -> Table:
    sections = ([(_name(row), row) for row in rows if row.level == level] for level in _LEVELS)
    return _sections(title, sections, rows)


def _overview(rows: Sequence[Score]) -> Table:
    generators = len({row.generator for row in rows}) > 1
    sections = []
    for kg in dict.fromkeys(row.kg for row in rows):
        title = "all graphs" if kg == ALL else kg
        members = [row for row in rows if row.kg == kg]
        names = [f"  {shortened(row.model)}" + (f" · {row.generator}" if generators else "") for row in members]
        sections.append([(title, None), *zip(names, members, strict=True)])
    return _sections("Totals of each graph (rates in %, every question counts alike)", sections, rows)


def _sections(title: str, sections: Iterable[Sequence[tuple[str, Score | None]]], rows: Sequence[Score]) -> Table:
    """A table of named rows in sections; one without a score is a heading."""
    from rich.markup import escape

    table = new_table(title, [], [])
    columns = _columns(rows)
    widths = [max(map(len, [column.head, *map(column.cell, rows)])) for column in columns]
    while (room := WIDTH - sum(width + 2 for width in widths) - 4) < _LEAST_ROOM:
        columns, widths = columns[:-1], widths[:-1]
    table.add_column("", overflow="ellipsis", no_wrap=True, max_width=min(30, room))
    for column, width in zip(columns, widths, strict=True):
        table.add_column(escape(column.head), justify="right", no_wrap=True, min_width=width)
    for section in sections:
        for i, (name, row) in enumerate(section):
            cells = [column.cell(row) for column in columns] if row else []
            table.add_row(escape(name), *cells, end_section=i == len(section) - 1)
    return table


class _Column(NamedTuple):
    head: str
    cell: Callable[[Score], str]


def _columns(rows: Sequence[Score]) -> list[_Column]:
    """The counts and the metrics. The interval is that of the first metric; the others' are in the files, for want of
    room."""
    shown = metrics.shown("table", rows)
    replaced = {name for metric in shown for name in metric.replaces}
    first, *others = (metric for metric in shown if metric.name not in replaced)
    return [
        *(_Column(head, partial(_count, name)) for name, head in _COUNTS.items()),
        _Column(first.head("table"), partial(_rate, first)),
        _Column("95 %", partial(_interval, first)),
        *(_Column(metric.head("table"), partial(_rate, metric)) for metric in others),
    ]


def _count(name: str, row: Score) -> str:
    return f"{getattr(row, name):,}"


def _rate(metric: Metric, row: Score) -> str:
    return _percent(metric.of(row).value)


def _interval(metric: Metric, row: Score) -> str:
    value, low, high = metric.of(row)
    return "" if value is None else f"{_percent(low)}–{_percent(high)}"


def _name(row: Score) -> str:
    names = {
        "relation": f"{row.relation} {row.relation_label}".strip(),
        "relation_type": row.relation_type,
        "popularity": f"{row.popularity} subjects",
        "answer_set_size": f"{row.answer_set_size} right answer{'' if row.answer_set_size == '1' else 's'}",
        "question_type": row.question_type,
        "total": "total",
    }
    return names[row.level] + (" (macro)" if row.average == "macro" else "")


def _percent(rate: float | None) -> str:
    return "–" if rate is None else f"{100 * rate:z.1f}"
