"""Reports on hallucination detectors, span detectors and self-consistency: tables of measures, and plots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from factprobe.metrics.agreement import spans
from factprobe.metrics.agreement.detection import ANNOTATORS, MEASURES, DetectorPlots, DetectorScore
from factprobe.metrics.agreement.selfcheck import SelfCheckScore
from factprobe.metrics.base import group_rows
from factprobe.metrics.strata import ALL
from factprobe.question_types import type_label
from factprobe.reports.document import (
    NO_SPREAD,
    Bar,
    Bars,
    Block,
    Column,
    Curve,
    CurvePlot,
    Document,
    Figure,
    Heading,
    Paragraph,
    PlotRow,
    Remark,
    Row,
    Table,
)
from factprobe.reports.exam import reliability_dot

_SHORT_HEADS = {"accuracy": "acc.", "balanced": "bal.", "Brier skill": "BSS", "Spearman ρ": "ρ"}
_PLOTTED_MEASURES = ("accuracy", "balanced_accuracy", "f1", "spearman_rho", "roc_auc", "pr_auc")
_NOTE = (
    "Below each figure its 95% interval; outputs for one input share their luck. The majority class always gives the "
    "label that most items of a group have, and the share of Hallucination among them. Consensus: low is three of five "
    "annotators, high four, unanimous all. Brier score and calibration error (ECE): lower is better."
)
_SPANS_NOTE = (
    "Means over the outputs, with 95% intervals; outputs for one input are drawn together. IoU: of the marked "
    "characters, 1 where both mark none. ρ: Spearman's, of the characters' probabilities; where either gives all "
    "characters one probability it is 1 if both do, else 0."
)


class Measure(NamedTuple):
    """Value of one measure for a detector, or for one setting of a detector, on a group of items."""

    group: str
    """Name of the group of items, or of the setting that varies."""
    name: str
    """Name of the detector, or the value of the setting."""
    measure: str
    figure: Figure
    items: int


def measure_table(
    title: str, what: str, measures: Iterable[Measure], heads: Mapping[str, str], *, is_counted: bool = False
) -> Table:
    """Return a table with a section for each group, a row for each name, and a column for each measure in `heads`.

    `what` is the header of the names. With `is_counted`, the headings of the sections include the numbers of items.
    """
    rows: dict[tuple[str, str], dict[str, Figure]] = {}
    for item in measures:
        group = f"{item.group} ({item.items:,})" if is_counted else item.group
        rows.setdefault((group, item.name), {})[item.measure] = item.figure
    lines = [Row([name], [cells.get(measure) for measure in heads], group) for (group, name), cells in rows.items()]
    return Table(title, [what], [Column(head, _SHORT_HEADS.get(head, "")) for head in heads.values()], lines)


def measure_plot(title: str, what: str, bars: Sequence[Measure]) -> Bars:
    """Return a plot with a row for each group and a bar for each name; `what` is the header of the groups."""
    legend = list(dict.fromkeys(bar.name for bar in bars))
    rows = []
    for group, members in group_rows(bars, lambda bar: bar.group).items():
        row_bars = [Bar(legend.index(bar.name), bar.name, bar.figure) for bar in members]
        rows.append(PlotRow(group, f"{max(bar.items for bar in members):,}", row_bars))
    return Bars(title, "", what, "Items", rows, legend)


def detection_document(
    rows: Sequence[DetectorScore], plots: Sequence[DetectorPlots], labels: str, remarks: Sequence[str]
) -> Document:
    """Return the report on detectors: a table by group of items, bars, ROC curves and reliability plots.

    `labels` is the name of the file of human labels.
    """
    sizes: dict[str, int] = {}
    for row in rows:
        sizes[_group_name(row)] = max(sizes.get(_group_name(row), 0), row.items + row.left_out)
    measures = [
        Measure(name := _group_name(row), row.detector, row.measure, Figure.of(row, "decimal"), sizes[name])
        for row in rows
    ]
    title = "hallucination detectors against people (95% intervals)"
    blocks: list[Block] = [
        Heading("Measures"),
        Paragraph(_NOTE, is_note=True),
        measure_table(title, "detector", measures, MEASURES, is_counted=True),
        *_coverage_remarks(rows, remarks),
        Heading("By task and consensus"),
        Paragraph("The lines are 95% intervals.", is_note=True),
    ]
    for measure in _PLOTTED_MEASURES:
        if bars := [row for row in measures if row.measure == measure and row.name != ANNOTATORS]:
            blocks.append(measure_plot(MEASURES[measure], "Group", bars))
    if plots:
        blocks += [Heading("Probabilities"), *_plot_curves(plots)]
    detectors = {row.detector for row in rows} - {ANNOTATORS}
    counts = [("Items", max(sizes.values(), default=0)), ("Detectors", len(detectors) - 1)]
    return Document("Hallucination detectors", labels, counts, blocks)


def span_document(rows: Sequence[spans.SpanScore], labels: str, remarks: Iterable[str]) -> Document:
    """Return the report on span detectors: a table and bars, by language and detector.

    `labels` is the name of the file of human labels.
    """
    measures = [Measure(row.language, row.detector, row.measure, Figure.of(row, "decimal"), row.items) for row in rows]
    title = "marked spans against people's (95% intervals)"
    table = measure_table(title, "detector", measures, spans.MEASURES, is_counted=True)
    blocks: list[Block] = [Heading("Measures"), Paragraph(_SPANS_NOTE, is_note=True), table, *map(Remark, remarks)]
    blocks.append(Heading("By language"))
    for measure, head in spans.MEASURES.items():
        blocks.append(measure_plot(head, "Language", [row for row in measures if row.measure == measure]))
    outputs, detectors = max((row.items for row in rows), default=0), {row.detector for row in rows}
    counts = [("Outputs", outputs), ("Detectors and baselines", len(detectors))]
    return Document("Marked spans", labels, counts, blocks)


def _group_name(row: DetectorScore) -> str:
    if row.task != ALL:
        return f"task {row.task}"
    return "all items" if row.consensus == ALL else f"consensus {row.consensus}"


def _coverage_remarks(rows: Sequence[DetectorScore], further: Sequence[str]) -> Iterator[Remark]:
    """Yield remarks on measures that were computed on some of the items only, the further remarks, and a legend."""
    fewer: dict[tuple[str, int, int], list[str]] = {}
    for row in rows:
        if row.items and row.left_out and (row.task, row.consensus) == (ALL, ALL):
            fewer.setdefault((row.detector, row.items, row.items + row.left_out), []).append(MEASURES[row.measure])
    for (name, items, whole), measures in fewer.items():
        yield Remark(f"{name}: {', '.join(measures)} of {items:,} of {whole:,} items")
    yield from map(Remark, further)
    if any(row.estimate is not None and row.low == row.high for row in rows):
        why = "whatever items are drawn of these, the figure is the same; of few, that says little"
        yield Remark(f"{NO_SPREAD}: {why}")


def _plot_curves(plots: Sequence[DetectorPlots]) -> Iterator[CurvePlot]:
    curves = [Curve(plot.detector, plot.roc) for plot in plots if plot.roc]
    if curves:
        note = "Hallucinations found against faithful texts accused, from the highest probability on."
        yield CurvePlot("ROC curves", note, "False positive rate", "True positive rate", curves, has_diagonal=True)
    note = (
        "The share of hallucinations in ten bins of the detector's probability, with 95% intervals; on the dashed line "
        "it means what it says. A larger dot is more items."
    )
    for plot in plots:
        whole = sum(bin_.count for bin_ in plot.bins)
        dots = [reliability_dot(bin_.probability, bin_.accuracy, bin_.count, whole, "items") for bin_ in plot.bins]
        curves = [Curve("", (), dots)]
        yield CurvePlot(f"Reliability: {plot.detector}", note, "p(Hallucination)", "Hallucinations", curves, True)


_SELF_CHECK_HEADS = {"wrong": "wrong", "roc_auc": "ROC AUC", "pr_auc": "PR AUC", "risk_coverage": "risk-coverage area"}
_SELF_CHECK_NOTE = (
    "Scores know nothing of what is right: the share of further replies that give another answer, and the semantic "
    "entropy of all. Held against the verdicts on the answers that are correct or incorrect; chance is an ROC AUC "
    "of 0.5, and for the two areas beside it the share that is wrong. Questions about one subject count as alike."
)


def self_check_document(rows: Sequence[SelfCheckScore]) -> Document:
    """Return the report on self-consistency: a table by group of questions, and risk-coverage curves."""
    measures = []
    for row in rows:
        group = f"{type_label(row.name)} ({row.questions:,} of {row.questions + row.left_out:,})"
        figures = ((measure, Figure.of(getattr(row, measure), "decimal")) for measure in _SELF_CHECK_HEADS)
        measures += [Measure(group, row.measure, measure, figure, row.questions) for measure, figure in figures]
    title = "self-consistency against the verdicts (95% intervals)"
    blocks: list[Block] = [Heading("Scores"), Paragraph(_SELF_CHECK_NOTE, is_note=True)]
    blocks += [measure_table(title, "score", measures, _SELF_CHECK_HEADS), Heading("Risk and coverage")]
    curves = [
        Curve(row.measure, [(share, 1 - right) for share, right in zip(curve.coverage, curve.accuracy, strict=True)])
        for row in rows
        if (curve := row.curve) is not None
    ]
    note = "The share that is wrong when only those answers are taken that score lowest; lower is better."
    blocks.append(CurvePlot("Risk by coverage", note, "Coverage", "Risk", curves))
    counts = [("Answers", rows[0].questions), ("Left out", rows[0].left_out)]
    return Document("Self-consistency", f"{rows[0].model} on {rows[0].kg}", counts, blocks)
