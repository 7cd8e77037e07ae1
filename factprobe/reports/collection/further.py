"""Figures beside the scores of graded replies: scores by the rules of other tools, and calibration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np

from factprobe.metrics.base import ATTEMPTED
from factprobe.metrics.compat import CompatScore, compat_score
from factprobe.metrics.confidence import ModelCalibration, model_calibration
from factprobe.metrics.tallies import Tally
from factprobe.records import Grade, Verdict
from factprobe.reports.collection.current import current, read
from factprobe.reports.collection.graph_grades import Graded
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


def _index_verdicts(grades: Iterable[Grade]) -> dict[str, Verdict]:
    return {grade.question_id: grade.verdict for grade in grades}


def calibrations(graded: Graded, seed: int) -> Iterable[ModelCalibration]:
    """Return the calibration of every generator and model whose replies have a confidence.

    Abstentions are left out.
    """
    owners: dict[tuple[str, str], list[Tally]] = {}
    for cell, tally in graded.tallies.cells.items():
        owners.setdefault((cell.generator, cell.model), []).append(tally)
    for (generator, model), tallies in owners.items():
        tally = Tally.joined(tallies)
        counted = tally.counted()
        kept = np.flatnonzero(counted.flags(ATTEMPTED) & ~np.isnan(counted.confidences)).tolist()
        right = counted.flags(("correct",))
        rows = [(float(counted.confidences[at]), bool(right[at]), tally.subjects[at]) for at in kept]
        if rows:
            yield model_calibration(graded.kg, generator, model, rows, seed)
