"""Risk and coverage."""

from __future__ import annotations

import numpy as np
import pytest

from factprobe.metrics.calibration import accuracy_coverage, risk_coverage_area
from tests.optional import not_none


def test_the_area_by_hand() -> None:
    found = not_none(risk_coverage_area([0.9, 0.8, 0.7, 0.6], [False, True, False, True]))
    assert found.estimate == pytest.approx((0 + 1 / 2 + 1 / 3 + 1 / 2) / 4)
    assert risk_coverage_area([], []) is None


def test_answers_of_one_confidence_count_as_their_mean() -> None:
    first, second = (risk_coverage_area([0.5] * 4, wrong) for wrong in ([1, 0, 0, 0], [0, 0, 0, 1]))
    assert first == second
    assert first is not None
    assert first.estimate == pytest.approx(0.25)


def test_it_is_what_accuracy_by_coverage_leaves() -> None:
    rng = np.random.default_rng(0)
    sure = rng.random(300).round(1)
    wrong = rng.random(300) > sure
    clusters = [f"c{number // 3}" for number in range(300)]
    found = not_none(risk_coverage_area(sure, wrong, clusters))
    curve = not_none(accuracy_coverage(sure, ~wrong, rng, clusters))
    assert found.estimate == pytest.approx(1 - curve.area.estimate)
    drawn = curve.area.high - curve.area.low
    assert found.high - found.low == pytest.approx(drawn, rel=0.15)


def test_the_interval_covers_the_area_of_the_population() -> None:
    rng = np.random.default_rng(1)
    sure = rng.random(200_000)
    truth = not_none(risk_coverage_area(sure, rng.random(200_000) > sure))
    covered = 0
    for _ in range(400):
        shared = np.repeat(rng.random((50, 2)), 3, axis=0)  # replies to a question are alike
        found = not_none(risk_coverage_area(shared[:, 0], shared[:, 1] > shared[:, 0], np.repeat(np.arange(50), 3)))
        covered += found.low <= truth.estimate <= found.high
    assert 0.92 <= covered / 400 <= 0.98


def test_without_an_error_the_interval_reaches_beyond_the_estimate() -> None:
    found = not_none(risk_coverage_area(np.linspace(0, 1, 20), np.zeros(20)))
    assert found.estimate == 0 < found.high < 0.25
