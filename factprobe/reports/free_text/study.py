"""Scores of a detector under several settings, as a table and as a web page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from factprobe.metrics.agreement.detection import BASELINE, MEASURES
from factprobe.metrics.agreement.study import StudyScore
from factprobe.metrics.statistics.intervals import Interval
from factprobe.reports.agreement import interval_cell
from factprobe.reports.sheet import Bars, Curve, Dot, Line, Section, Sheet, SheetFigure, Square, write_sheet
from factprobe.reports.terminal import fitted

_SHOWN = {name: head for name, head in MEASURES.items() if name != "fleiss_kappa"}  # which takes annotators beside it
_PLOTTED = ("accuracy", "roc_auc", "spearman_rho")
_NOTE = (
    "The mean of the passes, and the mean of the ends of their 95% intervals, which are over the items. Settings "
    "that are numbers are evenly spaced. A plot begins at 0, or at -100 where a figure in it is below 0."
)
_BESIDE = 0.015
"""Distance between the points of two measures, so that their intervals do not overlap."""
_Variants = dict[str, dict[str, StudyScore]]
"""Measures by variant."""


def study_table(rows: Sequence[StudyScore]) -> str:
    """Format the scores: a section for each panel, a line for each variant, intervals below."""
    sections = [
        [[panel], *([f"  {name}", *_cells(found)] for name, found in variants.items())]
        for panel, variants in _panels(rows).items()
    ]
    table = fitted("a detector's settings (means of passes, 95% intervals)", "", [*_SHOWN.values()], sections)
    notes = {panel: _count_unparsed(variants) for panel, variants in _panels(rows).items()}
    return "\n".join([table, *(f"{panel}: {note}" for panel, note in notes.items() if note)])


def _count_unparsed(variants: _Variants) -> str:
    """Count the samples of each variant without a clean label, if there are any."""
    counts = {name: next(iter(found.values())).unparsed for name, found in variants.items()}
    found = ", ".join(f"{name} ({count:,})" for name, count in counts.items() if count)
    return f"samples without a clean label: {found}" if found else ""


def write_study(path: Path, name: str, rows: Sequence[StudyScore]) -> None:
    """Write the page, with a plot for each panel.

    Args:
        path: where it goes.
        name: the study's.
        rows: the scores.
    """
    panels = _panels(rows)
    tables = [_sheet(panel, variants) for panel, variants in panels.items()]
    courses = [_course(panel, variants) for panel, variants in panels.items() if _is_course(variants)]
    bars = [_bars(panel, variants) for panel, variants in panels.items() if not _is_course(variants)]
    counts = [("Items", f"{rows[0].items:,}"), ("Passes", f"{max(len(row.passes) for row in rows):,}")]
    parts = [Section("Plots", _NOTE, bars=bars, squares=courses), Section("Table", "", tables)]
    write_sheet(path, "Settings of a detector", name, counts, parts)


def _panels(rows: Sequence[StudyScore]) -> dict[str, _Variants]:
    panels: dict[str, _Variants] = {}
    for row in rows:
        panels.setdefault(row.panel, {}).setdefault(row.variant, {})[row.measure] = row
    return panels


def _cells(found: dict[str, StudyScore]) -> list[str]:
    return [interval_cell(_interval(found.get(measure))) for measure in _SHOWN]


def _interval(row: StudyScore | None) -> Interval | None:
    if row is None or row.estimate is None or row.low is None or row.high is None:
        return None
    return Interval(row.estimate, row.low, row.high)


def _lines(variants: _Variants, measures: Sequence[str]) -> list[Line]:
    return [
        Line(
            name,
            f"{next(iter(found.values())).items:,}",
            [SheetFigure.of(_interval(found.get(one))) for one in measures],
        )
        for name, found in variants.items()
    ]


def _sheet(panel: str, variants: _Variants) -> Sheet:
    return Sheet(panel, _count_unparsed(variants), "Setting", [*_SHOWN.values()], _lines(variants, [*_SHOWN]))


def _plotted_measures(variants: _Variants) -> list[str]:
    """Return the measures that some variant has."""
    return [one for one in _PLOTTED if any(_interval(found.get(one)) for found in variants.values())]


def _bars(panel: str, variants: _Variants) -> Bars:
    shown = _plotted_measures(variants)
    return Bars(panel, "", "Setting", [MEASURES[one] for one in shown], _lines(variants, shown))


def _is_course(variants: _Variants) -> bool:
    """Return whether the varied setting is a number: the first two variants are named after one."""
    names = [name for name in variants if name != BASELINE][:2]
    return len(names) > 1 and all(name.replace(".", "", 1).isdecimal() for name in names)


def _course(panel: str, variants: _Variants) -> Square:
    """Return the measures over the settings, evenly spaced whatever their values."""
    names = [name for name in variants if name != BASELINE]
    marks = [(number / max(len(names) - 1, 1), name) for number, name in enumerate(names)]
    curves, shown = [], _plotted_measures(variants)
    for number, measure in enumerate(shown):
        beside = (number - (len(shown) - 1) / 2) * _BESIDE
        found = [(at + beside, name, _interval(variants[name].get(measure))) for at, name in marks]
        dots = [_dot(at, f"{name}: {MEASURES[measure]}", interval) for at, name, interval in found if interval]
        curves.append(Curve(MEASURES[measure], [(dot.across, dot.up) for dot in dots], dots))
    if usual := _interval(variants.get(BASELINE, {}).get("accuracy")):
        curves.append(Curve(f"accuracy of the {BASELINE}", [(at, usual.estimate) for at in (0.0, 1.0)]))
    return Square(panel, "", panel, "Measure", curves, marks=marks)


def _dot(at: float, what: str, interval: Interval) -> Dot:
    told = f"{what} {interval.estimate:.3f} ({interval.low:.3f} to {interval.high:.3f})"
    return Dot(at, interval.estimate, interval.low, interval.high, 0, told)
