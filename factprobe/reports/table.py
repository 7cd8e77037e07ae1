"""The score table for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from factprobe.records import Score

_LEVELS = ("relation", "relation_type", "question_type", "total")
_COUNTS = ("questions", "correct", "incorrect", "abstained", "unparsed", "failed")
_HEADS = ("asked", "correct", "incorrect", "abstained", "unparsed", "failed")
_RATES = {"accuracy": "acc.", "precision": "prec.", "f1": "F1"}
_RANKED_RATES = {"accuracy": "acc.", "mrr": "MRR", "precision_at_5": "P@5", "precision_at_10": "P@10"}
"""Where answers are ranked, precision and F1 are the accuracy: nothing is declined."""
_WIDTH = 118


def score_table(rows: Iterable[Score]) -> str:
    """The scores as text, a table for each generator and model: relations, types, and the totals last."""
    from rich.console import Console

    shown = [row for row in rows if row.level in _LEVELS and (row.average == "micro" or row.level == "total")]
    console = Console(width=_WIDTH)
    with console.capture() as capture:
        for (generator, model), group in groupby(shown, key=lambda row: (row.generator, row.model)):
            console.print(_table(f"{model} on {generator} questions (rates in %)", list(group)))
    return "\n".join(line.rstrip() for line in capture.get().splitlines()).strip()


def _table(title: str, rows: Sequence[Score]) -> object:
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    table = Table(title=escape(title), box=box.SIMPLE_HEAD, title_justify="left", title_style="bold", padding=(0, 1))
    table.add_column("", overflow="ellipsis", no_wrap=True, max_width=30)
    rates = _RANKED_RATES if any(row.mrr is not None for row in rows) else _RATES
    for head in (*_HEADS, *rates.values()):
        table.add_column(head, justify="right", no_wrap=True)
    for level in _LEVELS:
        members = [row for row in rows if row.level == level]
        for i, row in enumerate(members):
            cells = [f"{getattr(row, name):,}" for name in _COUNTS] + [_percent(getattr(row, name)) for name in rates]
            table.add_row(escape(_name(row)), *cells, end_section=i == len(members) - 1)
    return table


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
