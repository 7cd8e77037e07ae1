"""The report as Markdown, for a pull request or a notebook."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from factprobe.metrics.intervals import Interval
from factprobe.metrics.scores import ALL
from factprobe.records import Score
from factprobe.reports.data import ReportData

_SECTIONS = (
    ("total", "Total", ()),
    ("question_type", "By question type", ("question_type",)),
    ("relation_type", "By relation type", ("relation_type",)),
    ("popularity", "By popularity of the subject", ("popularity",)),
    ("answer_set_size", "By number of right answers", ("answer_set_size",)),
    ("relation", "By relation", ("relation", "relation_label")),
)
_RATES = {
    "accuracy": "accuracy",
    "precision": "precision",
    "f1": "F1",
    "guess_corrected_accuracy": "guess-corrected",
    "exact_set_accuracy": "exact set",
    "set_f1": "set F1",
    "mrr": "MRR",
}
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+!|~&$])")


def markdown(data: ReportData) -> str:
    """The score tables with their 95 % intervals, and the consistency of facts; the same data gives the same text."""
    return "\n".join(_lines(data))


def _lines(data: ReportData) -> Iterator[str]:
    yield f"# factprobe report: {_plain(data.kg)}"
    yield ""
    yield f"{data.graded:,} graded questions. Rates in %, with 95 % intervals clustered by subject entity."
    for level, title, names in _SECTIONS:
        rows = [row for row in data.scores if row.level == level and (row.average == "micro" or level == "total")]
        if rows:
            yield from ("", f"## {title}", "")
            yield from _table(rows, [*names, "model", "generator"], several=len({row.kg for row in data.scores}) > 1)
    if data.consistencies:
        yield from ("", "## Facts in all their forms", "")
        heads = ["graph", "model", "generator", "facts", "known on average", "in some form", "in every form"]
        found = ((row, (row.mean, row.some, row.every)) for row in data.consistencies)
        yield from _grid(
            heads,
            3,
            (
                [row.kg, row.model, row.generator, f"{row.facts:,}", *(_rate(*_ends(share)) for share in shares)]
                for row, shares in found
            ),
        )
    yield ""


def _table(rows: Sequence[Score], names: list[str], several: bool) -> Iterator[str]:
    names = ["kg", *names] if several else names
    if rows[0].level == "total":
        names.append("average")
    rates = {name: head for name, head in _RATES.items() if any(getattr(row, name) is not None for row in rows)}
    heads = [name.replace("_", " ").replace("kg", "graph") for name in names]
    cells = (
        [
            *(_all(str(getattr(row, name)), name) for name in names),
            f"{row.questions:,}",
            *(_rate(*(getattr(row, name + end) for end in ("", "_low", "_high"))) for name in rates),
        ]
        for row in rows
    )
    yield from _grid([*heads, "questions", *rates.values()], len(names), cells)


def _grid(heads: Sequence[str], names: int, rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A table whose first columns hold names and whose others hold figures."""
    yield f"| {' | '.join(heads)} |"
    yield f"|{'|'.join('---' if at < names else '---:' for at in range(len(heads)))}|"
    for row in rows:
        yield f"| {' | '.join([*map(_plain, row[:names]), *row[names:]])} |"


def _ends(share: Interval | None) -> tuple[float | None, float | None, float | None]:
    return (share.estimate, share.low, share.high) if share else (None, None, None)


def _rate(rate: float | None, low: float | None, high: float | None) -> str:
    if rate is None or low is None or high is None:
        return "–"
    return f"{100 * rate:.1f} ({100 * low:.1f} to {100 * high:.1f})"


def _all(value: str, name: str) -> str:
    return "all graphs" if (value, name) == (ALL, "kg") else value


def _plain(text: str) -> str:
    """Text that no reader of Markdown takes for markup."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
