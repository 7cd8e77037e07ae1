"""How a detector does under several settings, as a table and as a web page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from factprobe.metrics.detection import MEASURES
from factprobe.metrics.intervals import Interval
from factprobe.metrics.study import StudyScore
from factprobe.reports.agreement import interval_cell
from factprobe.reports.sheet import Bars, Figure, Line, Part, Sheet, write_sheet
from factprobe.reports.terminal import fitted

_PLOTTED = ("accuracy", "spearman_rho")
_NOTE = "The mean of the passes, and the mean of the ends of their 95% intervals, which are over the items."
_Variants = dict[str, dict[str, StudyScore]]
"""The measures by variant."""


def study_table(rows: Sequence[StudyScore]) -> str:
    """The scores as text: a section for each panel, a line for each variant, the intervals below."""
    sections = [
        [[panel], *([f"  {name}", *_cells(found)] for name, found in variants.items())]
        for panel, variants in _panels(rows).items()
    ]
    table = fitted("a detector's settings (means of passes, 95% intervals)", "", [*MEASURES.values()], sections)
    notes = {panel: _unparsed(variants) for panel, variants in _panels(rows).items()}
    return "\n".join([table, *(f"{panel}: {note}" for panel, note in notes.items() if note)])


def _unparsed(variants: _Variants) -> str:
    """How many samples of each variant had no clean label, where any had none."""
    counts = {name: next(iter(found.values())).unparsed for name, found in variants.items()}
    found = ", ".join(f"{count:,} of {name}" for name, count in counts.items() if count)
    return f"samples without a clean label: {found}" if found else ""


def write_study(path: Path, name: str, rows: Sequence[StudyScore]) -> None:
    """The same as a page, with a plot for each panel.

    Args:
        path: where it goes.
        name: the study's.
        rows: the scores.
    """
    panels = _panels(rows)
    tables = [_sheet(panel, variants) for panel, variants in panels.items()]
    bars = [_bars(panel, variants) for panel, variants in panels.items()]
    counts = [("Items", f"{rows[0].items:,}"), ("Passes", f"{max(len(row.passes) for row in rows):,}")]
    write_sheet(
        path, "Settings of a detector", name, counts, [Part("Plots", _NOTE, bars=bars), Part("Table", "", tables)]
    )


def _panels(rows: Sequence[StudyScore]) -> dict[str, _Variants]:
    panels: dict[str, _Variants] = {}
    for row in rows:
        panels.setdefault(row.panel, {}).setdefault(row.variant, {})[row.measure] = row
    return panels


def _cells(found: dict[str, StudyScore]) -> list[str]:
    return [interval_cell(_interval(found.get(measure))) for measure in MEASURES]


def _interval(row: StudyScore | None) -> Interval | None:
    if row is None or row.estimate is None or row.low is None or row.high is None:
        return None
    return Interval(row.estimate, row.low, row.high)


def _lines(variants: _Variants, measures: Sequence[str]) -> list[Line]:
    return [
        Line(name, f"{next(iter(found.values())).items:,}", [Figure.of(_interval(found.get(one))) for one in measures])
        for name, found in variants.items()
    ]


def _sheet(panel: str, variants: _Variants) -> Sheet:
    return Sheet(panel, _unparsed(variants), "Setting", [*MEASURES.values()], _lines(variants, [*MEASURES]))


def _bars(panel: str, variants: _Variants) -> Bars:
    return Bars(panel, "", "Setting", [MEASURES[one] for one in _PLOTTED], _lines(variants, _PLOTTED))
