"""Accuracy corrected by human labels."""

from __future__ import annotations

import math

import numpy as np
import pytest

from factprobe.labelling.drawing import label_chances
from factprobe.metrics.corrected import MIN_LABELS, correct, corrected_difference, corrected_rate, count_labels_needed
from factprobe.metrics.statistics.intervals import share
from tests.optional import estimate, not_none

Array = np.ndarray


def labelled(truth: Array, where: Array) -> Array:
    labels = np.full(len(truth), math.nan)
    labels[where] = truth[where]
    return labels


def sample(rng: np.random.Generator, size: int, bias: float = 0.1) -> tuple[Array, Array]:
    """Calibrated probabilities shifted by a bias, and what people say."""
    true = rng.beta(0.6, 0.4, size)
    return np.clip(true - bias, 0, 1), (rng.random(size) < true).astype(float)


def test_with_all_labels_it_is_peoples_accuracy_whatever_the_grades() -> None:
    predictions, truth = sample(np.random.default_rng(0), 400)
    found = not_none(corrected_rate(predictions, truth))
    plain = not_none(share([bool(one) for one in truth]))
    assert found.estimate == pytest.approx(truth.mean())
    assert found.high - found.low == pytest.approx(plain.high - plain.low, rel=0.02)


def test_useless_grades_get_no_weight() -> None:
    rng = np.random.default_rng(0)
    truth = (rng.random(500) < 0.7).astype(float)
    labels = labelled(truth, np.arange(100))
    assert estimate(corrected_rate(np.full(500, 0.5), labels)) == pytest.approx(truth[:100].mean())


def test_a_bias_of_the_grader_is_taken_off() -> None:
    predictions, truth = sample(np.random.default_rng(1), 20_000, bias=0.2)
    found = not_none(corrected_rate(predictions, labelled(truth, np.arange(2_000))))
    assert abs(predictions.mean() - truth.mean()) > 0.1
    assert abs(found.estimate - truth.mean()) < 0.02


@pytest.mark.parametrize("way", ["uniform", "active"])
def test_intervals_cover_as_often_as_they_say(way: str) -> None:
    rng = np.random.default_rng(2)
    covered = 0
    for _ in range(300):
        predictions, truth = sample(rng, 500)
        chances = np.full(500, 0.2) if way == "uniform" else label_chances(predictions, 100)
        where = np.flatnonzero(rng.random(500) < chances)
        found = not_none(corrected_rate(predictions, labelled(truth, where), chances=chances))
        covered += found.low <= 0.6 <= found.high  # the mean of that distribution
    assert 0.92 <= covered / 300 <= 0.98


def test_replies_to_one_question_count_as_one_cluster() -> None:
    predictions, truth = sample(np.random.default_rng(3), 200)
    labels = labelled(truth, np.arange(60))
    alone = not_none(corrected_rate(predictions, labels))
    repeated = not_none(corrected_rate(np.tile(predictions, 3), np.tile(labels, 3), [*map(str, range(200))] * 3))
    assert repeated.estimate == pytest.approx(alone.estimate)
    assert repeated.high - repeated.low == pytest.approx(alone.high - alone.low, rel=0.05)


def test_the_difference_of_a_system_from_itself_has_no_spread() -> None:
    predictions, truth = sample(np.random.default_rng(4), 200)
    one = not_none(correct(predictions, labelled(truth, np.arange(50))))
    found = corrected_difference(one, one, np.arange(200))
    assert (found.low, found.estimate, found.high) == (0, 0, 0)


def test_a_difference_has_a_width_even_if_all_labels_are_alike() -> None:
    predictions, _ = sample(np.random.default_rng(6), 200)
    right = labelled(np.ones(200), np.arange(25))
    one, other = not_none(correct(predictions, right)), not_none(correct(predictions[::-1], right))
    found = corrected_difference(one, other, np.arange(200))
    assert found.estimate == 0
    assert found.low < -0.1  # Wilson's interval of 25 of 25 is .87 to 1
    assert found.high > 0.1


def test_few_labels_correct_nothing() -> None:
    predictions, truth = sample(np.random.default_rng(5), 100)
    assert correct(predictions, labelled(truth, np.arange(MIN_LABELS - 1))) is None
    assert correct(predictions, labelled(truth, np.arange(MIN_LABELS))) is not None


def test_uncertain_replies_are_drawn_more_often_and_each_sometimes() -> None:
    chances = label_chances([0.5] * 10 + [0.999] * 90, 20)
    assert chances.sum() == pytest.approx(20)
    assert chances[0] > 2.5 * chances[-1] > 0
    assert label_chances([0.5] * 4 + [0.0] * 2, 5).max() <= 1
    incorrect, correct = label_chances([0.0, 1.0], 1)
    assert incorrect > 2 * correct  # right replies in unusual words are commoner than wrong ones that look right


def test_the_variance_of_few_labels_allows_for_the_slope_fitted_to_them() -> None:
    rng = np.random.default_rng(7)
    estimates, variances = [], []
    for _ in range(1_000):
        predictions, truth = sample(rng, 2_000)
        found = not_none(correct(1.5 * predictions - 0.25, labelled(truth, np.arange(15))))
        estimates.append(found.estimate)
        variances.append((found.parts**2).sum() / 2_000**2)
    assert np.mean(variances) == pytest.approx(np.var(estimates), rel=0.15)


def test_the_number_of_labels_grows_with_the_precision_asked_for() -> None:
    predictions, _ = sample(np.random.default_rng(6), 5_000)
    wide, narrow = not_none(count_labels_needed(predictions, 0.05)), not_none(count_labels_needed(predictions, 0.03))
    assert MIN_LABELS <= wide < narrow < 5_000
    assert count_labels_needed(predictions, 0.001) is None
