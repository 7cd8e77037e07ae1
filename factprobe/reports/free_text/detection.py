"""Agreement of hallucination detectors with people, as a table for a terminal and as a web page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from factprobe.metrics.agreement.detection import ANNOTATORS, MEASURES, DetectorPlots, Measured
from factprobe.metrics.calibration import Bin
from factprobe.metrics.scores import ALL
from factprobe.reports.agreement import NO_SPREAD, cell
from factprobe.reports.sheet import Bars, Curve, Dot, Line, Section, Sheet, SheetFigure, Square, write_sheet
from factprobe.reports.terminal import fitted


def detection_table(rows: Sequence[Measured], remarks: Sequence[str] = ()) -> str:
    """Format the measures: a section for each group of items, a line for each detector, intervals below.

    Args:
        rows: the measures.
        remarks: what is to be known of the items, one line each.
    """
    sections = []
    for head, found in _groups(rows).items():
        lines = [[f"  {name}", *_cells(measures)] for name, measures in found.items()]
        sections.append([[f"{head} ({_count(found):,})"], *lines])
    short = {"accuracy": "acc.", "balanced": "bal.", "Brier skill": "BSS", "Spearman ρ": "ρ"}
    head = "hallucination detectors against people (95% intervals)"
    return "\n".join([fitted(head, "", [*MEASURES.values()], sections, short), *_remarks(rows, remarks)])


def _remarks(rows: Sequence[Measured], further: Sequence[str]) -> Iterator[str]:
    """Name the measures computed on fewer items, a line for each detector and number; for all items together only.

    A measure of no item at all has no figure to remark on.
    """
    fewer: dict[tuple[str, int, int], list[str]] = {}
    for row in rows:
        if row.items and row.left_out and (row.task, row.consensus) == (ALL, ALL):
            fewer.setdefault((row.detector, row.items, row.items + row.left_out), []).append(MEASURES[row.measure])
    for (name, items, whole), measures in fewer.items():
        yield f"{name}: {', '.join(measures)} of {items:,} of {whole:,} items"
    yield from further
    if any(row.estimate is not None and row.low == row.high for row in rows):
        yield f"{NO_SPREAD}: whatever items are drawn of these, the figure is the same; of few, that says little"


def _cells(found: dict[str, Measured]) -> list[str]:
    return [cell(found[measure]) if measure in found else "" for measure in MEASURES]


_Group = dict[str, dict[str, Measured]]
"""Measures by detector."""


def _groups(rows: Iterable[Measured]) -> dict[str, _Group]:
    """Group the rows by group of items."""
    groups: dict[str, _Group] = {}
    for row in rows:
        level, task = row.consensus, row.task
        head = "all items" if (task, level) == (ALL, ALL) else f"consensus {level}" if task == ALL else f"task {task}"
        groups.setdefault(head, {}).setdefault(row.detector, {})[row.measure] = row
    return groups


def _count(group: _Group) -> int:
    return max(row.items + row.left_out for measures in group.values() for row in measures.values())


_PLOTTED = ("accuracy", "balanced_accuracy", "f1", "spearman_rho", "roc_auc", "pr_auc")
"""Measures with a plot."""


def write_detection(
    path: Path, rows: Sequence[Measured], plots: Sequence[DetectorPlots], labels: str, remarks: Sequence[str] = ()
) -> None:
    """Write the page: tables, bars by task and consensus, reliability plots and ROC curves.

    Args:
        path: where it goes.
        rows: the measures.
        plots: of each detector that gives probabilities.
        labels: what people's labels are called.
        remarks: what is to be known of the items, one line each.
    """
    groups = _groups(rows)
    detectors = [name for name in dict.fromkeys(row.detector for row in rows) if name != ANNOTATORS]
    counts = [("Items", f"{_count(groups['all items']):,}"), ("Detectors", f"{len(detectors) - 1:,}")]
    parts = [
        Section("Measures", _NOTE, [_sheet(head, group) for head, group in groups.items()]),
        *([Section("Remarks", "", remarks=told)] if (told := [*_remarks(rows, remarks)]) else []),
        Section("By task and consensus", "The lines are 95% intervals.", bars=[*_bars(groups, detectors)]),
    ]
    if plots:
        parts.append(Section("Probabilities", "", squares=[*_squares(plots)]))
    write_sheet(path, "Hallucination detectors", labels, counts, parts)


_NOTE = (
    "Below each figure its 95% interval; outputs for one input share their luck. The majority class always gives the "
    "label that most items of a group have, and the share of Hallucination among them. Consensus: low is three of five "
    "annotators, high four, unanimous all. Brier score and calibration error (ECE): lower is better."
)


def _sheet(head: str, group: _Group) -> Sheet:
    lines = [
        Line(name, f"{max(row.items for row in found.values()):,}", [_figure(found.get(one)) for one in MEASURES])
        for name, found in group.items()
    ]
    return Sheet(head[:1].upper() + head[1:], "", "Detector", [*MEASURES.values()], lines)


def _figure(row: Measured | None) -> SheetFigure | None:
    return None if row is None else SheetFigure(row.estimate, row.low, row.high)


def _bars(groups: Mapping[str, _Group], detectors: Sequence[str]) -> Iterator[Bars]:
    for measure in _PLOTTED:
        lines = [
            Line(head, f"{_count(group):,}", [_figure(group.get(name, {}).get(measure)) for name in detectors])
            for head, group in groups.items()
        ]
        if any(figure for line in lines for figure in line.figures):
            yield Bars(MEASURES[measure], "", "Group", detectors, lines)


def _squares(plots: Sequence[DetectorPlots]) -> Iterator[Square]:
    curves = [Curve(plot.detector, plot.roc) for plot in plots if plot.roc]
    if curves:
        note = "Hallucinations found against faithful texts accused, from the highest probability on."
        yield Square("ROC curves", note, "False positive rate", "True positive rate", curves, diagonal=True)
    note = (
        "The share of hallucinations in ten bins of the detector's probability, with 95% intervals; on the dashed line "
        "it means what it says. A larger dot is more items."
    )
    for plot in plots:
        whole = sum(one.count for one in plot.bins)
        dots = [
            Dot(one.probability, rate.estimate, rate.low, rate.high, one.count / whole, _describe_bin(one))
            for one in plot.bins
            for rate in [one.accuracy]
        ]
        yield Square(f"Reliability: {plot.detector}", note, "p(Hallucination)", "Hallucinations", (), dots, True)


def _describe_bin(one: Bin) -> str:
    rate = one.accuracy
    return f"{one.count:,} items, given {one.probability:.3f}: {rate.estimate:.3f} ({rate.low:.3f} to {rate.high:.3f})"
