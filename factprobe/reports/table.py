"""The score table for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from factprobe.metrics.scores import ALL
from factprobe.records import Score

_LEVELS = ("relation", "relation_type", "question_type", "total")
_COUNTS = ("questions", "correct", "incorrect", "abstained", "unparsed", "failed")
_HEADS = ("asked", "correct", "incorrect", "abstained", "unparsed", "failed")
_RATES = {"accuracy": "acc.", "precision": "prec.", "f1": "F1"}
_RANKED_RATES = {"accuracy": "acc.", "mrr": "MRR", "precision_at_5": "P@5", "precision_at_10": "P@10"}
"""Where answers are ranked, precision and F1 are the accuracy: nothing is declined."""
_WIDTH = 118


def score_table(rows: Iterable[Score]) -> str:
    """The scores as text.

    Of one graph a table for each generator and model: relations, types, and the totals last. Of several graphs one
    table of the totals, graph by graph.
    """
    from rich.console import Console

    shown = [row for row in rows if row.level in _LEVELS and (row.average == "micro" or row.level == "total")]
    several = len({row.kg for row in shown}) > 1
    console = Console(width=_WIDTH)
    with console.capture() as capture:
        if several:
            console.print(_overview([row for row in shown if row.level == "total" and row.average == "micro"]))
        else:
            for generator, model in dict.fromkeys((row.generator, row.model) for row in shown):
                members = [row for row in shown if (row.generator, row.model) == (generator, model)]
                console.print(_table(f"{model} on {generator} questions (rates in %)", members))
    return "\n".join(line.rstrip() for line in capture.get().splitlines()).strip()


def _table(title: str, rows: Sequence[Score]) -> object:
    sections = ([(_name(row), row) for row in rows if row.level == level] for level in _LEVELS)
    return _sections(title, sections, rows)


def _overview(rows: Sequence[Score]) -> object:
    generators = len({row.generator for row in rows}) > 1
    sections = []
    for kg in dict.fromkeys(row.kg for row in rows):
        title = "all graphs" if kg == ALL else kg
        members = [row for row in rows if row.kg == kg]
        names = [f"  {row.model}" + (f" · {row.generator}" if generators else "") for row in members]
        sections.append([(title, None), *zip(names, members, strict=True)])
    return _sections("Totals of each graph (rates in %, every question counts alike)", sections, rows)


def _sections(title: str, sections: Iterable[Sequence[tuple[str, Score | None]]], rows: Sequence[Score]) -> object:
    """A table of named rows in sections; one without a score is a heading."""
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    table = Table(title=escape(title), box=box.SIMPLE_HEAD, title_justify="left", title_style="bold", padding=(0, 1))
    rates = _RANKED_RATES if any(row.mrr is not None for row in rows) else _RATES
    heads = (*_HEADS, *rates.values())
    columns = zip(heads, *(_cells(row, rates) for row in rows), strict=True)
    widths = [max(map(len, column)) for column in columns]
    room = _WIDTH - sum(width + 2 for width in widths) - 4
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
    return [f"{getattr(row, count):,}" for count in _COUNTS] + [_percent(getattr(row, rate)) for rate in rates]


def _name(row: Score) -> str:
    names = {
        "relation": f"{row.relation} {row.relation_label}".strip(),
        "relation_type": row.relation_type,
        "question_type": row.question_type,
        "total": "total",
    }
    return names[row.level] + (" (macro)" if row.average == "macro" else "")


def _percent(rate: float | None) -> str:
    return "–" if rate is None else f"{100 * rate:.1f}"
