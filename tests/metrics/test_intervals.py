"""Intervals of rates: by hand, against statsmodels, and by what must hold of any."""

from __future__ import annotations

from itertools import product
from math import sqrt

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.special import ndtri
from statsmodels.stats.proportion import proportion_confint

from factprobe.metrics.statistics.intervals import Interval, guess_corrected, rate_interval, wilson, z_value
from tests.optional import not_none


def rate(known: list[int], clusters: list[str] | None = None, strata: list[str] | None = None) -> Interval:
    return not_none(rate_interval(known, [1] * len(known), clusters, strata))


def width(interval: Interval) -> float:
    return interval.high - interval.low


@pytest.mark.parametrize(("right", "size"), [(0, 10), (1, 10), (5, 10), (10, 10), (37, 187), (1, 1)])
@pytest.mark.parametrize("confidence", [0.9, 0.95])
def test_wilson_is_that_of_statsmodels(right: int, size: int, confidence: float) -> None:
    low, high = proportion_confint(right, size, 1 - confidence, method="wilson")
    assert wilson(right / size, size, confidence).ends == pytest.approx((right / size, low, high), abs=1e-12)


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.99])
def test_the_quantile_is_that_of_scipy(confidence: float) -> None:
    assert z_value(confidence) == pytest.approx(ndtri((1 + confidence) / 2), rel=1e-15)
    assert z_value(0.95) == ndtri(0.975)  # to the last digit


@pytest.mark.parametrize(
    ("rate", "size", "confidence", "message"),
    [
        *((rate, size, 0.95, "no proportion") for rate, size in ((-0.1, 5), (1.1, 5), (0.5, 0), (float("nan"), 5))),
        *((0.5, 10, confidence, "lies between 0 and 1") for confidence in (0, 1, 95)),
    ],
)
def test_no_proportion_or_confidence(rate: float, size: float, confidence: float, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        wilson(rate, size, confidence)


def test_unclustered_it_is_wilson_but_for_a_degree_of_freedom() -> None:
    known = [1] * 3 + [0] * 7
    assert rate(known).ends == pytest.approx(wilson(0.3, 9).ends)  # variance with n - 1, as if each were a cluster


def test_clusters_that_are_all_alike_count_as_one_question_each() -> None:
    known, clusters = [1] * 5 + [0] * 15, [f"Q{at // 5}" for at in range(20)]
    assert rate(known, clusters).ends == pytest.approx(wilson(0.25, 3).ends)


def test_clusters_without_any_likeness_hardly_matter() -> None:
    clusters = [f"Q{at // 2}" for at in range(200)]
    within = rate([at % 2 for at in range(200)], clusters)  # every entity is known in one question of two
    assert within.ends == pytest.approx(wilson(0.5, 200).ends, abs=0.001)


@pytest.mark.parametrize("right", [0, 1])
def test_where_all_is_alike_clusters_are_taken_to_be_so_too(right: int) -> None:
    known, clusters = [right] * 40, [f"Q{at // 4}" for at in range(40)]
    assert rate(known, clusters).ends == pytest.approx(wilson(right, 10).ends)


def test_one_cluster_is_one_trial() -> None:
    assert rate([1, 0, 0, 0], ["Q1"] * 4).ends == pytest.approx(wilson(0.25, 1).ends)


def test_the_design_effect_by_hand() -> None:
    known, clusters = [1, 1, 1, 1, 1, 0, 0, 0], ["a", "a", "b", "b", "c", "c", "d", "d"]
    mean = 5 / 8
    residuals = [(1 - mean) * 2, (1 - mean) * 2, 1 - 2 * mean, -2 * mean]
    between = sum(value**2 for value in residuals) / 2 / 3
    within = (8 * mean * (1 - mean) - sum(value**2 for value in residuals) / 2) / 4
    found = (between - within) / (between + within)
    pulled = (found * 2 + 0.1) / 2.1
    simple = mean * (1 - mean) / 8
    variance = max(simple * (1 + pulled), 4 / 3 * sum(value**2 for value in residuals) / 64)
    assert rate(known, clusters).ends == pytest.approx(wilson(mean, mean * (1 - mean) / variance).ends)


def test_large_clusters_that_are_known_better_widen_it() -> None:
    sizes = [1] * 30 + [12] * 10
    clusters = [f"Q{at}" for at, size in enumerate(sizes) for _ in range(size)]
    known = [int(size == 12 or at % 3 == 0) for at, size in enumerate(sizes) for _ in range(size)]
    shuffled = [int(at % 8 != 0) for at in range(len(known))]
    assert width(rate(known, clusters)) > 1.5 * width(rate(shuffled, clusters))


def test_a_ratio_of_sums() -> None:
    # three replies with 2 of 3, 1 of 1 and 0 of 4 items right, and one without an item
    found = not_none(rate_interval([2, 1, 0, 0], [3, 1, 4, 0], ["a", "b", "c", "d"]))
    assert found.estimate == 3 / 8
    variance = 3 / 2 * ((2 - 9 / 8) ** 2 + (1 - 3 / 8) ** 2 + (4 * 3 / 8) ** 2) / 64
    assert found.ends == pytest.approx(wilson(3 / 8, (3 / 8) * (5 / 8) / variance).ends)


def test_a_mean_of_values_is_as_sure_as_they_are_alike() -> None:
    values = [0.4, 0.5, 0.6] * 100
    found = rate(values)  # type: ignore[arg-type]
    deviation = sqrt(0.02 / 3)
    assert width(found) == pytest.approx(2 * 1.96 * deviation / sqrt(300), rel=0.01)


def test_macro_is_the_mean_over_strata() -> None:
    known, strata = [1, 1, 1, 0] + [0] * 10, ["P1"] * 4 + ["P2"] * 10
    assert rate(known, None, strata).estimate == pytest.approx((3 / 4 + 0) / 2)


def test_one_stratum_is_none() -> None:
    known, clusters = [1, 0, 1, 1, 0, 0, 0], list("aabbbcd")
    assert rate(known, clusters, ["P1"] * 7) == rate(known, clusters)


def test_a_stratum_without_wholes_is_left_out() -> None:
    found = rate_interval([1, 0, 0], [1, 1, 0], None, ["P1", "P1", "P2"])
    assert found == rate_interval([1, 0], [1, 1])


def test_the_same_entity_in_two_strata_is_two_clusters() -> None:
    known, strata = [1, 0, 0, 1, 1, 0, 1, 0], ["P1"] * 4 + ["P2"] * 4
    shared = rate(known, list("aabbaabb"), strata)
    assert shared == rate(known, list("aabbccdd"), strata)


def test_small_strata_that_are_known_or_not_are_not_taken_as_certain() -> None:
    # 30 single trials: each share of 0 or 1 is pulled to 1/4 or 3/4, so V = 3/16 / 30
    found = rate([at % 2 for at in range(30)], None, [f"P{at}" for at in range(30)])
    assert found.ends == pytest.approx(wilson(0.5, 0.25 * 30 * 16 / 3).ends)


def test_nothing_counted() -> None:
    assert rate_interval([], []) is None
    assert rate_interval([0, 0], [0, 0]) is None


@pytest.mark.parametrize(
    ("parts", "wholes", "clusters", "message"),
    [
        ([1, 0], [1], None, "parts of"),
        ([2], [1], None, "above its whole"),
        ([-1], [1], None, "below 0"),
        ([float("nan")], [1], None, "below 0"),
        ([1, 0], [1, 1], ["a"], "1 labels for 2 values"),
    ],
)
def test_what_is_no_rate(parts: list[float], wholes: list[float], clusters: list[str] | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rate_interval(parts, wholes, clusters)


Questions = list[tuple[int, int, str, str]]
QUESTIONS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from("abcdefgh"), st.sampled_from(["P1", "P2", "P3"])),
    max_size=40,
)


def of(questions: Questions, strata: bool, *, mirrored: bool = False) -> Interval | None:
    parts, wholes = [min(one, two) for one, two, _, _ in questions], [max(one, two) for one, two, _, _ in questions]
    groups = [stratum for *_, stratum in questions] if strata else None
    clusters = [cluster for _, _, cluster, _ in questions]
    return rate_interval(np.subtract(wholes, parts) if mirrored else parts, wholes, clusters, groups)


@given(QUESTIONS, st.booleans())
def test_it_lies_in_0_to_1_and_holds_its_estimate(questions: Questions, strata: bool) -> None:
    found = of(questions, strata)
    assert (found is None) == (not any(one or two for one, two, _, _ in questions))
    if found is not None:
        assert 0 <= found.low <= found.estimate <= found.high <= 1
        assert found.low < found.high


@given(QUESTIONS, st.booleans(), st.randoms(use_true_random=False))
def test_the_order_changes_nothing(questions: Questions, strata: bool, random: object) -> None:
    shuffled = list(questions)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    found, other = of(questions, strata), of(shuffled, strata)
    if found is None or other is None:
        assert found is other
    else:
        assert found.ends == pytest.approx(other.ends, abs=1e-9)


@given(QUESTIONS, st.booleans())
@example([(0, 1, "a", "P3"), (0, 1, "b", "P1"), (0, 1, "b", "P3"), (2, 2, "b", "P1"), (2, 2, "b", "P1")], True)
def test_right_and_wrong_are_mirrored(questions: Questions, strata: bool) -> None:
    right, wrong = of(questions, strata), of(questions, strata, mirrored=True)
    if right is not None and wrong is not None:
        mirrored = (1 - wrong.estimate, 1 - wrong.high, 1 - wrong.low)
        assert right.ends == pytest.approx(mirrored, abs=1e-9)


def test_guesses_are_taken_off() -> None:
    found = guess_corrected(Interval(0.5, 0.4, 0.6), 0.25)
    assert found.ends == pytest.approx((1 / 3, 0.2, 7 / 15))
    assert guess_corrected(Interval(1, 0.9, 1), 0.5).estimate == 1
    assert guess_corrected(Interval(0.25, 0.2, 0.3), 0.25).estimate == 0
    assert guess_corrected(Interval(0, 0, 0.1), 0.5).estimate == -1


@pytest.mark.parametrize(("clusters", "rate_"), list(product([40, 150], [0.1, 0.5])))
def test_it_covers_the_truth_as_often_as_it_says(clusters: int, rate_: float) -> None:
    rng = np.random.default_rng([clusters, int(100 * rate_)])
    held = 0
    for _ in range(1000):
        sizes = rng.geometric(1 / 4, clusters)
        known = np.repeat(rng.beta(rate_ * 4, (1 - rate_) * 4, clusters), sizes)  # a correlation of 0.2
        labels = [f"Q{at}" for at in np.repeat(np.arange(clusters), sizes)]
        found = rate_interval(rng.random(len(known)) < known, np.ones(len(known)), labels)
        held += found is not None and found.low <= rate_ <= found.high
    assert 925 <= held <= 975  # 930 to 970 with the noise of a thousand samples
