"""The score table for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from factprobe.metrics.scores import ALL
from factprobe.records import Score
from factprobe.reports.data import FactConsistency
from factprobe.reports.terminal import WIDTH, new_table, printed

if TYPE_CHECKING:
    from rich.table import Table

_LEVELS = ("relation", "relation_type", "popularity", "answer_set_size", "question_type", "total")
_COUNTS = ("questions", "correct", "incorrect", "abstained", "unparsed", "failed")
_HEADS = ("asked", "correct", "incorrect", "abstained", "unparsed", "failed")
_RATES = {"accuracy": "acc.", "interval": "95 %", "precision": "prec.", "f1": "F1"}
_RANKED_RATES = {
    "accuracy": "acc.",
    "interval": "95 %",
    "mrr": "MRR",
    "precision_at_5": "P@5",
    "precision_at_10": "P@10",
}
"""The interval is the accuracy's; the others' are in the files, for want of room. Where answers are ranked,
precision and F1 are the accuracy: nothing is declined."""


def score_table(rows: Iterable[Score], consistencies: Iterable[FactConsistency] = ()) -> str:
    """The scores as text, and what is known of the facts in all their forms.

    Of one graph a table for each generator and model: relations, types, strata, and the totals last. Of several graphs
    one table of the totals, graph by graph.
    """
    shown = [row for row in rows if row.level in _LEVELS and (row.average == "micro" or row.level == "total")]
    forms = list(consistencies)
    if len({row.kg for row in shown}) > 1:
        return printed([_overview([row for row in shown if row.level == "total" and row.average == "micro"])])
    texts = []
    for generator, model in dict.fromkeys((row.generator, row.model) for row in shown):
        members = [row for row in shown if (row.generator, row.model) == (generator, model)]
        texts.append(printed([_table(f"{model} on {generator} questions (rates in %)", members)]))
        found = [row for row in forms if (row.generator, row.model) == (generator, model)]
        texts += filter(None, ["\n".join([*_special_rates(members), *map(_in_words, found)])])
    return "\n\n".join(texts)


def _special_rates(rows: Iterable[Score]) -> Iterator[str]:
    """A line for the rates that only some question types have."""
    for row in rows:
        if row.level == "question_type" and row.guess_corrected_accuracy is not None:
            yield f"{row.question_type}: {_with_interval(row, 'guess_corrected_accuracy')} without lucky guesses"
        if row.level == "question_type" and row.exact_set_accuracy is not None:
            yield f"{row.question_type}: the exact set in {_with_interval(row, 'exact_set_accuracy')}"


def _with_interval(row: Score, rate: str) -> str:
    value, low, high = (getattr(row, name) for name in (rate, f"{rate}_low", f"{rate}_high"))
    return f"{_percent(value)} % ({_percent(low)} to {_percent(high)})"


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
        names = [f"  {row.model}" + (f" · {row.generator}" if generators else "") for row in members]
        sections.append([(title, None), *zip(names, members, strict=True)])
    return _sections("Totals of each graph (rates in %, every question counts alike)", sections, rows)


def _sections(title: str, sections: Iterable[Sequence[tuple[str, Score | None]]], rows: Sequence[Score]) -> Table:
    """A table of named rows in sections; one without a score is a heading."""
    from rich.markup import escape

    table = new_table(title, [], [])
    rates = _RANKED_RATES if any(row.mrr is not None for row in rows) else _RATES
    heads = (*_HEADS, *rates.values())
    columns = zip(heads, *(_cells(row, rates) for row in rows), strict=True)
    widths = [max(map(len, column)) for column in columns]
    room = WIDTH - sum(width + 2 for width in widths) - 4
    table.add_column("", overflow="ellipsis", no_wrap=True, max_width=min(30, room))
    for head, width in zip(heads, widths, strict=True):
        table.add_column(head, justify="right", no_wrap=True, min_width=width)
    for section in sections:
        for i, (name, row) in enumerate(section):
            table.add_row(escape(name), *_cells(row, rates), end_section=i == len(section) - 1)
    return table


def _cells(row: Score | None, rates: Iterable[str]) -> list[str]:
    if row is None:
        return []
    return [f"{getattr(row, count):,}" for count in _COUNTS] + [_rate(row, rate) for rate in rates]


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


def _rate(row: Score, rate: str) -> str:
    if rate != "interval":
        return _percent(getattr(row, rate))
    return "" if row.accuracy is None else f"{_percent(row.accuracy_low)}–{_percent(row.accuracy_high)}"


def _percent(rate: float | None) -> str:
    return "–" if rate is None else f"{100 * rate:z.1f}"
