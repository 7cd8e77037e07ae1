"""Corrected accuracy against the authors' package (ppi-python)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from factprobe.metrics.corrected import correct, corrected_rate
from tests.optional import not_none

ppi: Any = pytest.importorskip("ppi_py", reason="pip install ppi-python")


@pytest.mark.parametrize("labels", [50, 200, 1_000])
@pytest.mark.parametrize("bias", [0.0, 0.2])
def test_estimate_and_interval_are_those_of_the_authors(labels: int, bias: float) -> None:
    rng = np.random.default_rng(labels)
    chance = rng.beta(2, 2, 20_000)
    truth = (rng.random(20_000) < chance).astype(float)
    predictions = np.clip(chance - bias, 0, 1)
    seen = np.full(20_000, np.nan)
    seen[:labels] = truth[:labels]
    given = truth[:labels], predictions[:labels], predictions[labels:]
    found = not_none(correct(predictions, seen))
    interval = not_none(corrected_rate(predictions, seen))
    error = (interval.high - interval.low) / 4
    assert found.estimate == pytest.approx(float(np.ravel(ppi.ppi_mean_pointestimate(*given))[0]), abs=error / 10)
    low, high = (float(np.ravel(end)[0]) for end in ppi.ppi_mean_ci(*given, alpha=0.05))
    assert interval.high - interval.low == pytest.approx(high - low, rel=0.05)
