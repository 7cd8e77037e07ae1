"""How well hallucination detectors agree with people, as a table for a terminal."""

from __future__ import annotations

from collections.abc import Iterable

from factprobe.metrics.detection import ALL, MEASURES, Measured
from factprobe.reports.agreement import cell
from factprobe.reports.terminal import fitted


def detection_table(rows: Iterable[Measured]) -> str:
    """The measures as text: a section for each group of items, a line for each detector, the intervals below."""
    groups: dict[tuple[str, str], dict[str, dict[str, Measured]]] = {}
    for row in rows:
        groups.setdefault((row.task, row.consensus), {}).setdefault(row.detector, {})[row.measure] = row
    sections = []
    for (task, level), found in groups.items():
        count = max(row.items + row.left_out for measures in found.values() for row in measures.values())
        head = "all items" if (task, level) == (ALL, ALL) else f"consensus {level}" if task == ALL else f"task {task}"
        lines = [[f"  {name}", *_cells(measures)] for name, measures in found.items()]
        sections.append([[f"{head} ({count:,})"], *lines])
    short = {"accuracy": "acc.", "balanced": "bal.", "Brier skill": "BSS", "Spearman ρ": "ρ"}
    return fitted("hallucination detectors against people (95% intervals)", "", [*MEASURES.values()], sections, short)


def _cells(found: dict[str, Measured]) -> list[str]:
    return [cell(found[measure]) if measure in found else "" for measure in MEASURES]
