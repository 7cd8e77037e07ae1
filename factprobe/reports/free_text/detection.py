"""Agreement of hallucination detectors with people, as a table for a terminal and as a web page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from factprobe.metrics.agreement.detection import ANNOTATORS, MEASURES, DetectorPlots, Measured
from factprobe.metrics.scores import ALL
from factprobe.reports.agreement import decimal
from factprobe.reports.document import NO_SPREAD, Block, Curve, Document, Heading, Paragraph, Remark, Square
from factprobe.reports.exam import reliability_dot
from factprobe.reports.free_text.measures import Measure, measure_plot, measure_table

_SHORT = {"accuracy": "acc.", "balanced": "bal.", "Brier skill": "BSS", "Spearman ρ": "ρ"}
_PLOTTED = ("accuracy", "balanced_accuracy", "f1", "spearman_rho", "roc_auc", "pr_auc")
"""Measures that have a plot."""
_NOTE = (
    "Below each figure its 95% interval; outputs for one input share their luck. The majority class always gives the "
    "label that most items of a group have, and the share of Hallucination among them. Consensus: low is three of five "
    "annotators, high four, unanimous all. Brier score and calibration error (ECE): lower is better."
)


def detection_document(
    rows: Sequence[Measured], plots: Sequence[DetectorPlots], labels: str, remarks: Sequence[str]
) -> Document:
    """Return the report: a table with a section for each group of items, bars, reliability plots and ROC curves."""
    sizes: dict[str, int] = {}
    for row in rows:
        sizes[_group_name(row)] = max(sizes.get(_group_name(row), 0), row.items + row.left_out)
    found = [
        Measure(
            f"{_group_name(row)} ({sizes[_group_name(row)]:,})",
            row.detector,
            row.measure,
            decimal(row),
            sizes[_group_name(row)],
        )
        for row in rows
    ]
    table = measure_table("hallucination detectors against people (95% intervals)", "detector", found, MEASURES)
    table = table._replace(columns=[column._replace(short=_SHORT.get(column.head, "")) for column in table.columns])
    bars = [
        measure_plot(
            MEASURES[measure],
            "Group",
            [
                (_group_name(row), row.detector, decimal(row), sizes[_group_name(row)])
                for row in rows
                if row.measure == measure and row.detector != ANNOTATORS
            ],
        )
        for measure in _PLOTTED
    ]
    blocks: list[Block] = [
        Heading("Measures"),
        Paragraph(_NOTE, is_note=True),
        table,
        *_coverage_remarks(rows, remarks),
    ]
    blocks += [Heading("By task and consensus"), Paragraph("The lines are 95% intervals.", is_note=True)]
    blocks += [plot for plot in bars if plot.rows]
    if plots:
        blocks += [Heading("Probabilities"), *_plot_curves(plots)]
    detectors = {row.detector for row in rows} - {ANNOTATORS}
    counts = [("Items", max(sizes.values(), default=0)), ("Detectors", len(detectors) - 1)]
    return Document("Hallucination detectors", labels, counts, blocks)


def _group_name(row: Measured) -> str:
    """Return the name of the group of items that a row is about."""
    if row.task != ALL:
        return f"task {row.task}"
    return "all items" if row.consensus == ALL else f"consensus {row.consensus}"


def _coverage_remarks(rows: Sequence[Measured], further: Sequence[str]) -> Iterator[Remark]:
    """Yield a remark on measures computed on fewer items, by detector and number; only for all items together.

    A measure without any items is left out, since it has no figure.
    """
    fewer: dict[tuple[str, int, int], list[str]] = {}
    for row in rows:
        if row.items and row.left_out and (row.task, row.consensus) == (ALL, ALL):
            fewer.setdefault((row.detector, row.items, row.items + row.left_out), []).append(MEASURES[row.measure])
    for (name, items, whole), measures in fewer.items():
        yield Remark(f"{name}: {', '.join(measures)} of {items:,} of {whole:,} items")
    yield from map(Remark, further)
    if any(row.estimate is not None and row.low == row.high for row in rows):
        yield Remark(
            f"{NO_SPREAD}: whatever items are drawn of these, the figure is the same; of few, that says little"
        )


def _plot_curves(plots: Sequence[DetectorPlots]) -> Iterator[Square]:
    curves = [Curve(plot.detector, plot.roc) for plot in plots if plot.roc]
    if curves:
        note = "Hallucinations found against faithful texts accused, from the highest probability on."
        yield Square("ROC curves", note, "False positive rate", "True positive rate", curves, has_diagonal=True)
    note = (
        "The share of hallucinations in ten bins of the detector's probability, with 95% intervals; on the dashed line "
        "it means what it says. A larger dot is more items."
    )
    for plot in plots:
        whole = sum(one.count for one in plot.bins)
        dots = [reliability_dot(one.probability, one.accuracy, one.count, whole, "items") for one in plot.bins]
        curves = [Curve("", (), dots)]
        yield Square(f"Reliability: {plot.detector}", note, "p(Hallucination)", "Hallucinations", curves, True)
