"""Report as Markdown, for a pull request or a notebook."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from factprobe.metrics import metrics
from factprobe.metrics.agreement.people import MEASURES
from factprobe.metrics.breakdowns.base import Table
from factprobe.metrics.comparison import SETTLED
from factprobe.metrics.penalty import crossings, penalty_lines
from factprobe.metrics.statistics.intervals import Interval
from factprobe.records import Score
from factprobe.reports.agreement import by_raters, cell
from factprobe.reports.comparison import p_value, points
from factprobe.reports.data import ReportData
from factprobe.reports.levels import LEVELS, graph_name
from factprobe.reports.vocabulary import ReportVocabulary

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+!|~&$])")


def markdown(data: ReportData) -> str:
    """Format every table of the report except the questions, with 95% intervals; the same data gives the same text."""
    return "\n".join(_lines(data))


def _lines(data: ReportData) -> Iterator[str]:
    yield f"# factprobe report: {plain_markdown(data.kg)}"
    yield ""
    words = data.words
    rates = f"Rates in %, with 95% intervals; {words.alike} count as alike."
    yield f"{data.graded:,} graded {words.questions}. {rates}"
    if data.notes or data.guessable:
        yield ""
    for note in data.notes:
        of = f"{note.model} on {note.generator} questions ({note.kg})" if "generator" in words.owners else note.model
        yield f"- {plain_markdown(f'{of}: {note.text}')}"
    for line in data.guessable:
        yield f"- {plain_markdown(line)}"
    lines = penalty_lines(data.scores)
    if changes := crossings(lines):
        yield ""
    for one in changes:
        better = f"{plain_markdown(one.second)} scores better than {plain_markdown(one.first)}"
        yield f"- From a penalty λ of {one.penalty:.2f} on for an incorrect reply, {better}"
    for level in LEVELS:
        rows = level.short(data.scores)
        if rows:
            yield from ("", f"## {words.put(level.title)}", "")
            several = len({row.kg for row in data.scores}) > 1
            yield from _table(rows, [*level.columns, *words.owners], words, several=several)
    for title, owners, figures, more in (
        _people(data),
        *(_breakdown_section(table, words) for table in data.breakdowns),
        _comparisons(data),
        _calibrations(data),
        _compat(data),
        _skipped_section(data),
    ):
        if more:
            yield from ("", f"## {title}", "")
            yield from _format_table([*owners, *figures], len(owners), more)
    yield ""


_Section = tuple[str, Sequence[str], Sequence[str], list[list[str]]]
"""Title, headers of the columns of names and of figures, and rows."""


def _people(data: ReportData) -> _Section:
    rows = [
        [system, f"{found[0].items:,}", *(_decimal(cell(row)) for row in found)]
        for system, found in by_raters(data.people).items()
    ]
    return "Agreement with people", ("system",), ("replies", *MEASURES.values()), rows


def _decimal(lines: str) -> str:
    """Format a figure with its interval in one line."""
    figure, _, interval = lines.partition("\n")
    return f"{figure} ({interval})" if interval else figure


def _breakdown_section(table: Table, words: ReportVocabulary) -> _Section:
    owners = words.owners if table.kind.of_models else ("kg", table.kind.by)
    rows = [[_cell(getattr(row, field)) for field in (*owners, *table.names, *table.figures)] for row in table.rows]
    return table.kind.title, (*_heads(owners, words), *table.names.values()), [*table.figures.values()], rows


def _heads(fields: Iterable[str], words: ReportVocabulary) -> list[str]:
    """Return the headers of the columns of names."""
    return [words.put(field.replace("_", " ").replace("kg", "graph")) for field in fields]


def _cell(value: str | int | float | Interval | None) -> str:
    match value:
        case str():
            return value
        case int():
            return f"{value:,}"
        case float():
            return _rate(value, None, None)
    return _share(value)


def _comparisons(data: ReportData) -> _Section:
    names = ("graph", "question type", "first", "second", "better")
    needed = f"questions to show {100 * SETTLED:g} points"
    heads = ("questions", "accuracy, first", "accuracy, second", "difference", "p, Holm", needed)
    is_corrected = any(row.corrected is not None for _, row in data.comparisons)
    rows = [
        [
            *(kg, row.question_type, row.first, row.second, row.better, f"{row.questions:,}"),
            *(f"{100 * rate:.1f}" for rate in (row.accuracy_first, row.accuracy_second)),
            _difference(row.difference),
            *(p_value(row.p_corrected), f"{row.needed.questions:,}"),
            *([_difference(row.corrected)] * is_corrected),
        ]
        for kg, row in data.comparisons
    ]
    return "Comparison", names, (*heads, *(["difference as people would judge"] * is_corrected)), rows


def _difference(found: Interval | None) -> str:
    return "–" if found is None else f"{points(found.estimate)} ({points(found.low)} to {points(found.high)})"


def _calibrations(data: ReportData) -> _Section:
    heads = ("answers", "calibration error", "Brier score", "area under accuracy-coverage")
    owners = data.words.owners
    rows = [
        [
            *(getattr(row, field) for field in owners),
            *(f"{row.questions:,}", *map(_share, (row.error, row.brier, row.curve.area))),
        ]
        for row in data.calibrations
    ]
    return "Calibration", _heads(owners, data.words), heads, rows


def _compat(data: ReportData) -> _Section:
    heads = ("questions", "accuracy", "by these rules", "correct here alone", "correct there alone")
    rows = [
        [
            *(row.kg, row.model, row.generator, row.name, f"{row.questions:,}"),
            *(f"{100 * rate:.1f}" for rate in (row.accuracy, row.accuracy_compat)),
            *(f"{count:,}" for count in (row.only, row.only_compat)),
        ]
        for row in data.compat
    ]
    return "By the rules of other tools", (*_heads(data.words.owners, data.words), "rules"), heads, rows


def _skipped_section(data: ReportData) -> _Section:
    rows = [[reason.what, ", ".join(reason.places), f"{reason.count:,}"] for reason in data.skipped]
    return "Skipped", ("reason", "first at"), ("times",), rows


def _table(rows: Sequence[Score], names: Sequence[str], words: ReportVocabulary, several: bool) -> Iterator[str]:
    names = [name for name in names if (several if name == "kg" else any(getattr(row, name) for row in rows))]
    if rows[0].level == "total":
        names.append("average")
    known = [m for m in metrics.shown("markdown", rows) if any(m.of(row).value is not None for row in rows)]
    heads = _heads(names, words)
    cells = (
        [
            *(graph_name(row.kg) if name == "kg" else str(getattr(row, name)) for name in names),
            f"{row.questions:,}",
            *(_rate(*metric.of(row)) for metric in known),
        ]
        for row in rows
    )
    yield from _format_table(
        [*heads, words.questions, *(plain_markdown(metric.head("markdown")) for metric in known)], len(names), cells
    )


def _format_table(heads: Sequence[str], names: int, rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Format a table whose first columns hold names and whose others hold figures."""
    yield f"| {' | '.join(heads)} |"
    yield f"|{'|'.join('---' if at < names else '---:' for at in range(len(heads)))}|"
    for row in rows:
        yield f"| {' | '.join([*map(plain_markdown, row[:names]), *row[names:]])} |"


def _share(share: Interval | None) -> str:
    return _rate(share.estimate, share.low, share.high) if share else "–"


def _rate(rate: float | None, low: float | None, high: float | None) -> str:
    if rate is None:
        return "–"
    ends = "" if low is None or high is None else f" ({100 * low:z.1f} to {100 * high:z.1f})"
    return f"{100 * rate:z.1f}{ends}"


def plain_markdown(text: str) -> str:
    """Escape Markdown markup."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
