"""Agreement of marked spans with people's, as a table for a terminal and as a web page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from factprobe.metrics.agreement.spans import MEASURES, SpanMeasured
from factprobe.reports.agreement import cell
from factprobe.reports.sheet import Bars, Line, Section, Sheet, SheetFigure, write_sheet
from factprobe.reports.terminal import fitted


def span_table(rows: Sequence[SpanMeasured], remarks: Sequence[str] = ()) -> str:
    """Return the measures as text: a section for each language, a line for each detector.

    Args:
        rows: the measures.
        remarks: lines to put below.
    """
    sections = [
        [[f"{language} ({found[0][1][0].items:,})"], *[[f"  {name}", *map(cell, figures)] for name, figures in found]]
        for language, found in _by_language(rows)
    ]
    head = "marked spans against people's (95% intervals)"
    return "\n".join([fitted(head, "", [*MEASURES.values()], sections), *remarks])


def write_spans(path: Path, rows: Sequence[SpanMeasured], labels: str, remarks: Sequence[str] = ()) -> None:
    """Write the page: a table for each language, and bars.

    Args:
        path: where it goes.
        rows: the measures.
        labels: name of the file of people's labels.
        remarks: sentences to put below.
    """
    groups = [*_by_language(rows)]
    sheets = [Sheet(language, "", "Detector", [*MEASURES.values()], [*_lines(found)]) for language, found in groups]
    detectors = list(dict.fromkeys(row.detector for row in rows))
    bars = [
        Bars(
            head,
            "",
            "Language",
            detectors,
            [
                Line(language, f"{found[0][1][0].items:,}", [_figure(figures[at]) for _, figures in found])
                for language, found in groups
            ],
        )
        for at, head in enumerate(MEASURES.values())
    ]
    counts = [("Outputs", f"{max((row.items for row in rows), default=0):,}"), ("Detectors", f"{len(detectors):,}")]
    parts = [Section("Measures", _NOTE, sheets), *([Section("Remarks", "", remarks=remarks)] if remarks else [])]
    write_sheet(path, "Marked spans", labels, counts, [*parts, Section("By language", "", bars=bars)])


_NOTE = (
    "Means over the outputs, with 95% intervals; outputs for one input are drawn together. IoU: of the marked "
    "characters, 1 where both mark none. ρ: Spearman's, of the characters' probabilities; where either gives all "
    "characters one probability it is 1 if both do, else 0."
)
_Found = list[tuple[str, list[SpanMeasured]]]
"""Measures of each detector."""


def _by_language(rows: Sequence[SpanMeasured]) -> Iterator[tuple[str, _Found]]:
    for language in dict.fromkeys(row.language for row in rows):
        chosen = [row for row in rows if row.language == language]
        yield language, [(name, [*found]) for name, found in groupby(chosen, key=lambda row: row.detector)]


def _lines(found: _Found) -> Iterator[Line]:
    for name, figures in found:
        yield Line(name, f"{figures[0].items:,}", [*map(_figure, figures)])


def _figure(row: SpanMeasured) -> SheetFigure:
    return SheetFigure(row.estimate, row.low, row.high)
