"""Grades by the rules of other tools, beside factprobe's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import unquote

from factprobe.records import Grade, Verdict
from factprobe.reports.collect import Graded
from factprobe.reports.data import CompatScore
from factprobe.storage import Layout, Lines, Problems


def compat_verdicts(layout: Layout, generator: str, model: str, relation: str) -> dict[str, dict[str, Verdict]]:
    """By the name of each other tool's rules, the verdicts of the relation's questions."""
    own = layout.grades(generator, model, relation)
    paths = [folder / own.name for folder in sorted((own.parent / "compat").glob("*/"))]
    return {unquote(path.parent.name): _verdicts(path) for path in paths if path.exists()}


def compat_scores(graded: Graded) -> Iterator[CompatScore]:
    """Both accuracies of every generator and model that other rules graded too; failed questions are left out."""
    counts: dict[tuple[str, str, str], list[int]] = {}
    for generator, model, relation in graded.sources:
        others = compat_verdicts(graded.layout, generator, model, relation.relation)
        if not others:
            continue
        path = graded.layout.grades(generator, model, relation.relation)
        own = _verdicts(path)
        for name, verdicts in others.items():
            table = counts.setdefault((generator, model, name), [0, 0, 0, 0])
            _count(table, own, verdicts)
    for (generator, model, name), (both, only, only_compat, neither) in counts.items():
        total = both + only + only_compat + neither
        if total:
            accuracies = ((both + only) / total, (both + only_compat) / total)
            yield CompatScore(graded.kg, generator, model, name, total, *accuracies, only, only_compat)


def _verdicts(path: Path) -> dict[str, Verdict]:
    return {grade.question_id: grade.verdict for grade in Lines(path, Grade, Problems())}


def _count(table: list[int], own: Mapping[str, Verdict], others: Mapping[str, Verdict]) -> None:
    """Adds the questions that both know, the first alone, the second alone, neither."""
    for name in own.keys() & others.keys():
        if "failed" not in (own[name], others[name]):
            table[2 * (own[name] != "correct") + (others[name] != "correct")] += 1
