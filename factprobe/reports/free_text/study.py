"""Report on a study of a detector's settings: how its scores vary with each setting."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from factprobe.metrics.agreement.detection import BASELINE, MEASURES, StudyScore
from factprobe.metrics.base import group_rows
from factprobe.reports.document import Block, Curve, CurvePlot, Document, Dot, Figure, Heading, Paragraph, Remark
from factprobe.reports.free_text.detection import Measure, measure_plot, measure_table

_STUDY_MEASURES = {name: head for name, head in MEASURES.items() if name != "fleiss_kappa"}  # it needs annotators
_PLOTTED_MEASURES = ("accuracy", "roc_auc", "spearman_rho")
_NOTE = (
    "The mean of the passes, and the mean of the ends of their 95% intervals, which are over the items. Settings "
    "that are numbers are evenly spaced. A plot begins at 0, or at -100 where a figure in it is below 0."
)
_OFFSET = 0.015
"""Horizontal offset between the points of two measures, so that their intervals do not overlap."""


def study_document(name: str, rows: Sequence[StudyScore]) -> Document:
    """Return the report: for each setting (panel), a plot and a section of the table with a row for each value."""
    scores = [Measure(row.panel, row.variant, row.measure, Figure.of(row, "decimal"), row.items) for row in rows]
    table = measure_table("a detector's settings (means of passes, 95% intervals)", "setting", scores, _STUDY_MEASURES)
    blocks: list[Block] = [Heading("Plots"), Paragraph(_NOTE, is_note=True)]
    for panel, members in group_rows(scores, lambda one: one.group).items():
        plotted = [one for one in members if one.measure in _PLOTTED_MEASURES and one.figure.value is not None]
        if _is_numeric([one.name for one in members]):
            blocks.append(_plot_numeric(panel, plotted))
        else:
            bars = [one._replace(group=one.name, name=MEASURES[one.measure]) for one in plotted]
            blocks.append(measure_plot(panel, "Setting", bars))
    blocks += [Heading("Table"), table, *_unparsed_remarks(rows)]
    counts = [("Items", rows[0].items), ("Passes", max(len(row.passes) for row in rows))]
    return Document("Settings of a detector", name, counts, blocks)


def _unparsed_remarks(rows: Sequence[StudyScore]) -> Iterator[Remark]:
    """Yield remarks on samples without a valid label: their number by value of each setting (panel)."""
    counts: dict[str, dict[str, int]] = {}
    for row in rows:
        counts.setdefault(row.panel, {}).setdefault(row.variant, row.unparsed)
    for panel, variants in counts.items():
        if numbers := ", ".join(f"{name} ({count:,})" for name, count in variants.items() if count):
            yield Remark(f"samples without a clean label: {numbers}", panel)


def _is_numeric(variants: Sequence[str]) -> bool:
    """Return whether the varied setting is numeric, judged by its first two values besides the baseline."""
    names = [name for name in dict.fromkeys(variants) if name != BASELINE][:2]
    return len(names) > 1 and all(name.replace(".", "", 1).isdecimal() for name in names)


def _plot_numeric(panel: str, values: Sequence[Measure]) -> CurvePlot:
    """Return a plot of the measures over the values of a numeric setting, evenly spaced."""
    names = list(dict.fromkeys(one.name for one in values if one.name != BASELINE))
    places = {name: number / max(len(names) - 1, 1) for number, name in enumerate(names)}
    measures = [measure for measure in _PLOTTED_MEASURES if any(one.measure == measure for one in values)]
    curves = []
    for number, measure in enumerate(measures):
        offset, dots = (number - (len(measures) - 1) / 2) * _OFFSET, []
        for _, name, _, figure, _ in (one for one in values if one.measure == measure and one.name in places):
            description = f"{name}: {MEASURES[measure]} {figure.in_line}"
            dots.append(Dot(places[name] + offset, figure.value or 0, description, 0, figure.low, figure.high))
        curves.append(Curve(MEASURES[measure], [(dot.across, dot.up) for dot in dots], dots))
    for item in values:
        if (item.name, item.measure) == (BASELINE, "accuracy"):
            level = item.figure.value or 0
            curves.append(Curve(f"accuracy of the {BASELINE}", [(0.0, level), (1.0, level)]))
    return CurvePlot(panel, "", panel, "Measure", curves, marks=[(at, name) for name, at in places.items()])
