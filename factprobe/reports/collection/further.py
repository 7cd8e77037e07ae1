"""Figures beside the scores of graded replies: scores by the rules of other tools, and calibration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import compress

import numpy as np

from factprobe.metrics.base import ATTEMPTED
from factprobe.metrics.calibration import ModelCalibration, model_calibration
from factprobe.metrics.tallies import Tally
from factprobe.records import Grade, Verdict
from factprobe.reports.collection.current import current, read
from factprobe.reports.collection.graph_grades import Graded
from factprobe.reports.data import CompatScore
from factprobe.storage import GradedFolder


def compat_verdicts(graded: Graded, folder: GradedFolder, relation: str) -> dict[str, dict[str, Verdict]]:
    """Return the verdicts on a relation's questions by the rules of other tools: rules, question id, verdict."""
    found = graded.alternative_grades[folder.grades(relation)]
    return {rules: _index_verdicts(read(path, Grade)) for rules, path in found.items()}


def compat_scores(graded: Graded) -> Iterator[CompatScore]:
    """Yield a comparison of both accuracies for every generator and model that has grades by other rules too."""
    counts: dict[tuple[str, str, str], Counter[tuple[Verdict, Verdict]]] = {}
    for folder, relation in graded.sources:
        others = compat_verdicts(graded, folder, relation.relation)
        own = _index_verdicts(grade for grade, _ in current(folder, relation.relation)) if others else {}
        for name, verdicts in others.items():
            pairs = counts.setdefault((folder.generator, folder.model, name), Counter())
            pairs.update((own[question], verdict) for question, verdict in verdicts.items() if question in own)
    found = (compat_score(graded.kg, *owner, pairs) for owner, pairs in counts.items())
    yield from filter(None, found)


def compat_score(
    kg: str, generator: str, model: str, name: str, verdicts: Mapping[tuple[Verdict, Verdict], int]
) -> CompatScore | None:
    """Compute both accuracies from the number of questions with each pair of verdicts, factprobe's first.

    Failed questions are left out; the result is None if all failed.
    """
    table = Counter[tuple[bool, bool]]()
    for pair, count in verdicts.items():
        if "failed" not in pair:
            table[pair[0] == "correct", pair[1] == "correct"] += count
    both, only, only_compat = table[True, True], table[True, False], table[False, True]
    if not (total := table.total()):
        return None
    accuracies = ((both + only) / total, (both + only_compat) / total)
    return CompatScore(kg, generator, model, name, total, *accuracies, only, only_compat)


def _index_verdicts(grades: Iterable[Grade]) -> dict[str, Verdict]:
    return {grade.question_id: grade.verdict for grade in grades}


def calibrations(graded: Graded, seed: int) -> Iterable[ModelCalibration]:
    """Return the calibration of every generator and model whose replies have a confidence.

    Abstentions are left out.
    """
    for (generator, model), tally in Tally.by_owner(graded.tallies.cells).items():
        counted = tally.counted()
        kept = counted.flags(ATTEMPTED) & ~np.isnan(counted.confidences)
        if kept.any():
            given, right = counted.confidences[kept], counted.flags(("correct",))[kept]
            subjects = [*compress(tally.subjects, kept)]
            yield model_calibration(graded.kg, generator, model, given, right, subjects, seed)
