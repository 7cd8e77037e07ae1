"""The clustered bootstrap: against a plain one, and by what must hold of any."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.metrics.statistics.bootstrap import Statistic, bootstrap, bootstrap_weights
from factprobe.metrics.statistics.intervals import Floats, Interval
from tests.growth import grows_linearly
from tests.optional import not_none


def ratio(totals: Floats) -> Floats:
    share: Floats = totals[..., 0] / totals[..., 1]
    return share


def drawn(known: list[int], clusters: list[str] | None = None) -> Interval | None:
    sums = np.column_stack([known, np.ones(len(known))])
    return bootstrap(sums, ratio, np.random.default_rng(0), clusters, resamples=500)


def plain(known: list[int], clusters: list[str], resamples: int) -> tuple[float, float]:
    """Clusters drawn one by one, as the textbook has it."""
    rng, names = np.random.default_rng(1), sorted(set(clusters))
    members = {name: [one for one, cluster in zip(known, clusters, strict=True) if cluster == name] for name in names}
    found = []
    for _ in range(resamples):
        values = [value for at in rng.integers(0, len(names), len(names)) for value in members[names[at]]]
        found.append(sum(values) / len(values))
    low, high = np.quantile(found, [0.025, 0.975])
    return float(low), float(high)


def test_it_is_the_bootstrap_of_the_textbook() -> None:
    rng = np.random.default_rng(3)
    clusters = [f"Q{at}" for at in rng.integers(0, 25, 150)]
    luck = {cluster: rng.random() for cluster in sorted(set(clusters))}
    known = [int(rng.random() < luck[cluster]) for cluster in clusters]
    sums = np.column_stack([known, np.ones(150)])
    found = not_none(bootstrap(sums, ratio, np.random.default_rng(0), clusters, resamples=20_000))
    assert found.estimate == sum(known) / 150
    assert (found.low, found.high) == pytest.approx(plain(known, clusters, 20_000), abs=0.006)


def test_clusters_that_are_alike_leave_no_doubt() -> None:
    assert drawn([1, 0] * 10, [f"Q{at // 2}" for at in range(20)]) == Interval(0.5, 0.5, 0.5)


def test_resamples_without_a_value_are_left_out() -> None:
    found = bootstrap([[1, 1], [0, 0], [0, 1]], ratio, np.random.default_rng(0), resamples=1000)
    assert found == Interval(0.5, 0, 1)


@pytest.mark.parametrize("sums", [np.zeros((0, 2)), [[0, 0], [0, 0]]])
def test_nothing_to_draw(sums: Floats) -> None:
    assert bootstrap(sums, ratio, np.random.default_rng(0), resamples=50) is None


def test_no_items_to_draw() -> None:
    assert bootstrap_weights(lambda weights: weights.sum(axis=1), 0, np.random.default_rng(0)) is None


def test_labels_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match="3 labels for 2 values"):
        drawn([1, 0], ["a", "b", "c"])


QUESTIONS = st.lists(st.tuples(st.integers(0, 1), st.sampled_from("abcdef")), min_size=1, max_size=30)


@given(QUESTIONS, st.randoms(use_true_random=False))
def test_same_seed_same_result_in_any_order(questions: list[tuple[int, str]], random: object) -> None:
    shuffled = list(questions)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    results = []
    for order in (questions, questions, shuffled):
        results.append(drawn([known for known, _ in order], [cluster for _, cluster in order]))
    assert results[0] == results[1] == results[2]
    assert results[0] is not None
    assert 0 <= results[0].low <= results[0].estimate <= results[0].high <= 1


def test_weights_and_sums_say_the_same() -> None:
    known = np.array([1, 0, 0, 1, 1, 0, 1, 1, 0, 1] * 6)
    clusters = [f"Q{at // 3:02}" for at in range(60)]
    share: Statistic = lambda weights: (weights * known).sum(axis=1) / weights.sum(axis=1)  # noqa: E731
    by_weights = not_none(bootstrap_weights(share, 60, np.random.default_rng(0), clusters, resamples=20_000))
    by_sums = not_none(drawn(known.tolist(), clusters))
    assert by_weights.estimate == by_sums.estimate == 0.6
    assert (by_weights.low, by_weights.high) == pytest.approx((by_sums.low, by_sums.high), abs=0.04)


def test_the_time_grows_with_the_number_of_questions_alone() -> None:
    def draw(count: int) -> None:
        rng = np.random.default_rng(0)
        sums = np.column_stack([rng.random(count) < 0.4, np.ones(count)])
        bootstrap(sums, ratio, rng, [f"Q{at}" for at in rng.integers(0, count // 3, count)])

    assert grows_linearly(draw, 10_000)
