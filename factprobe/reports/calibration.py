"""Calibration of models whose replies have a confidence."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from factprobe.metrics.base import ATTEMPTED
from factprobe.metrics.confidence import ModelCalibration, model_calibration
from factprobe.metrics.tallies import Tally
from factprobe.reports.collection.graph_grades import Graded


def calibrations(graded: Graded, seed: int) -> Iterable[ModelCalibration]:
    """Measure the calibration of every generator and model whose replies have a confidence.

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
