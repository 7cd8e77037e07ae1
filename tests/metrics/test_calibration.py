"""Calibration: by hand, against the definitions written out, and by what must hold of any."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.metrics.calibration import (
    CoverageCurve,
    accuracy_coverage,
    brier_score,
    expected_calibration_error,
    reliability,
    risk_coverage_area,
)
from factprobe.metrics.statistics.intervals import Interval
from tests.optional import not_none

GIVEN = [0.1, 0.2, 0.25, 0.6, 0.65, 0.9, 1.0, 1.0]
RIGHT = [0, 1, 0, 0, 1, 1, 1, 0]


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def error(given: list[float], right: list[int]) -> Interval:
    return not_none(expected_calibration_error(given, right, rng(), resamples=300))


def curve(given: list[float], right: list[int], points: int = 200) -> CoverageCurve:
    return not_none(accuracy_coverage(given, right, rng(), points=points, resamples=100))


def test_brier_by_hand() -> None:
    found = not_none(brier_score(GIVEN, RIGHT))
    assert found.estimate == pytest.approx((0.01 + 0.64 + 0.0625 + 0.36 + 0.1225 + 0.01 + 0 + 1) / 8)
    assert brier_score([], []) is None


def test_bins_by_hand() -> None:
    bins = reliability(GIVEN, RIGHT)
    assert [(one.low, one.high, one.count) for one in bins] == [
        (0.1, 0.2, 1),
        (0.2, 0.3, 2),
        (0.6, 0.7, 2),
        (0.9, 1, 3),
    ]
    assert [one.probability for one in bins] == pytest.approx([0.1, 0.225, 0.625, 2.9 / 3])
    assert [one.accuracy.estimate for one in bins] == pytest.approx([0, 0.5, 0.5, 2 / 3])
    assert error(GIVEN, RIGHT).estimate == pytest.approx((0.1 + 2 * 0.275 + 2 * 0.125 + 3 * 0.3) / 8)


def test_clusters_widen_the_bins() -> None:
    given, right, clusters = [0.5] * 60, ([1] * 6 + [0] * 6) * 5, [f"Q{at // 6}" for at in range(60)]
    (alone,), (together,) = reliability(given, right), reliability(given, right, clusters)
    assert together.accuracy.high - together.accuracy.low > 1.8 * (alone.accuracy.high - alone.accuracy.low)


def test_calibrated_answers_may_have_no_error() -> None:
    draws = np.random.default_rng(2)
    given = draws.random(1000)
    found = error(given.tolist(), (draws.random(1000) < given).astype(int).tolist())
    assert found.low == 0
    assert 0 < found.estimate <= found.high < 0.1


def test_overconfident_answers_have_an_error() -> None:
    draws = np.random.default_rng(2)
    given = draws.uniform(0.5, 1, 1000)
    found = error(given.tolist(), (draws.random(1000) < given - 0.3).astype(int).tolist())
    assert 0.2 < found.low < 0.3 < found.high < 0.4


def test_the_curve_by_hand() -> None:
    found = curve([0.9, 0.8, 0.8, 0.1], [1, 0, 1, 0])
    assert found.coverage == (0.25, 0.75, 1.0)
    assert found.accuracy == pytest.approx((1, 2 / 3, 0.5))
    assert found.threshold == (0.9, 0.8, 0.1)
    # the two of 0.8 count half each: 1, 1.5 / 2, 2 / 3, 2 / 4
    assert found.area.estimate == pytest.approx((1 + 0.75 + 2 / 3 + 0.5) / 4)


def test_a_model_that_knows_what_it_knows_has_a_larger_area() -> None:
    known, guessed = curve([0.9, 0.8, 0.2, 0.1] * 10, [1, 1, 0, 0] * 10), curve([0.5] * 40, [1, 1, 0, 0] * 10)
    assert guessed.area.estimate == pytest.approx(0.5)
    assert known.area.low > guessed.area.high


def test_a_long_curve_is_thinned() -> None:
    given, right = np.linspace(0, 1, 1000).tolist(), [at % 2 for at in range(1000)]
    found, whole = curve(given, right, points=50), curve(given, right, points=1000)
    assert (len(found.coverage), len(whole.coverage)) == (50, 1000)
    assert found.coverage[-1] == 1
    assert found.area == whole.area
    assert set(zip(found.coverage, found.accuracy, strict=True)) <= set(
        zip(whole.coverage, whole.accuracy, strict=True)
    )


def test_nothing_to_calibrate() -> None:
    assert expected_calibration_error([], [], rng()) is None
    assert accuracy_coverage([], [], rng()) is None
    assert reliability([], []) == []


@pytest.mark.parametrize(
    ("given", "right", "message"),
    [([0.5], [1, 0], "probabilities for"), ([1.5], [1], "outside"), ([float("nan")], [1], "outside")],
)
def test_what_is_no_probability(given: list[float], right: list[int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        brier_score(given, right)


@pytest.mark.parametrize(
    ("sure", "wrong"),
    [([0.9, 0.1], [0, 1, 1]), ([0.9, 0.5, 0.1], [0, 1]), ([[0.9], [0.1]], [[0], [1]]), ([0.9, float("nan")], [0, 1])],
)
def test_confidences_that_do_not_fit_the_answers(sure: list[float], wrong: list[int]) -> None:
    with pytest.raises(ValueError, match="confidence"):
        risk_coverage_area(sure, wrong)


ANSWERS = st.lists(
    st.tuples(st.integers(0, 20).map(lambda twentieth: twentieth / 20), st.integers(0, 1)), min_size=1, max_size=40
)


@given(ANSWERS)
def test_the_bins_hold_every_answer_and_give_the_error(answers: list[tuple[float, int]]) -> None:
    given, right = (list(column) for column in zip(*answers, strict=True))
    found = reliability(given, right)
    assert sum(one.count for one in found) == len(answers)
    assert len(found) <= 10
    for one in found:
        assert one.low - 1e-12 <= one.probability <= one.high + 1e-12
    gaps = sum(one.count * abs(one.probability - one.accuracy.estimate) for one in found)
    ece = error(given, right)
    assert ece.estimate == pytest.approx(gaps / len(answers), abs=1e-12)
    assert 0 <= ece.low <= ece.estimate <= ece.high <= 1


@given(ANSWERS)
def test_the_area_is_the_mean_over_every_order_of_ties(answers: list[tuple[float, int]]) -> None:
    given, right = (list(column) for column in zip(*answers, strict=True))
    expected, known, rank = 0.0, 0.0, 0
    for value in sorted(set(given), reverse=True):
        tied = [one for other, one in answers if other == value]
        for _ in tied:
            rank, known = rank + 1, known + sum(tied) / len(tied)
            expected += known / rank / len(answers)
    found = curve(given, right)
    assert found.area.estimate == pytest.approx(expected)
    assert 0 <= found.area.low <= found.area.estimate <= found.area.high <= 1 + 1e-12
    assert found == curve(given[::-1], right[::-1])


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
