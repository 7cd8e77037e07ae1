"""The draw: probabilities, nesting, reproducibility, order."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from factprobe.errors import ConfigError
from factprobe.labelling.drawing import DrawnReply, Order, draw, sampling_probabilities
from factprobe.metrics.corrected import corrected_rate
from tests.labelling.replies import candidate, candidates

SURE, UNSURE = candidates(90, 0.999), [candidate(f"u{number}", 0.5) for number in range(10)]


def drawn(order: Order = "active", count: int = 20, *, overlap: float = 0.0, seed: int = 0) -> list[DrawnReply]:
    return draw([*SURE, *UNSURE], order, count, floor=0.2, overlap=overlap, seed=seed)


def ids(found: list[DrawnReply]) -> list[str]:
    return [one.candidate.id for one in found]


def test_active_draws_uncertain_replies_with_larger_probabilities() -> None:
    found = sampling_probabilities([*SURE, *UNSURE], "active", 20, 0.2)
    assert found.sum() == pytest.approx(20)
    assert found[-1] > 2 * found[0] > 0
    assert found[0] >= 0.2 * 20 / 100 * 0.99  # the floor


def test_uniform_draws_all_alike_and_at_most_all() -> None:
    assert {*sampling_probabilities(SURE, "uniform", 9, 0.2).tolist()} == {0.1}
    assert {*sampling_probabilities(SURE, "uniform", 500, 0.2).tolist()} == {1.0}
    assert sampling_probabilities([], "uniform", 9, 0.2).tolist() == []


def test_disagreement_draws_contested_replies_with_larger_probabilities() -> None:
    contested = [candidate("a", is_contested=True), *(candidate(f"b{n}", is_contested=False) for n in range(99))]
    found = sampling_probabilities(contested, "disagreement", 5, 0.2)
    assert found[0] == 1.0
    assert found[1:].min() == pytest.approx(found[1:].max())
    assert 0 < found[1] < 0.1


def test_disagreement_without_a_judge_is_an_error() -> None:
    with pytest.raises(
        ConfigError, match=r"label\.order: no reply has a judge's verdict; grade them with model@judge="
    ):
        drawn("disagreement")


def test_the_seed_decides_and_the_order_of_the_file_does_not() -> None:
    assert ids(drawn()) == ids(drawn())
    assert ids(drawn(seed=1)) != ids(drawn())
    turned = draw([*UNSURE, *SURE][::-1], "active", 20, floor=0.2, overlap=0, seed=0)
    assert ids(turned) == ids(drawn())


def test_a_larger_draw_contains_the_smaller_one() -> None:
    small, large = drawn(count=10), drawn(count=40)
    assert {*ids(small)} < {*ids(large)}


@pytest.mark.parametrize("order", ["active", "uniform"])
def test_about_as_many_are_drawn_as_are_asked_for(order: Order) -> None:
    rng = np.random.default_rng(0)
    of = [candidate(f"q{number}", p) for number, p in enumerate(rng.beta(0.6, 0.4, 60).tolist())]
    for count in (20, 30, 40):
        sizes = [len(draw(of, order, count, floor=0.2, overlap=0, seed=seed)) for seed in range(200)]
        assert max(abs(size - count) for size in sizes) <= 3
        assert np.mean(sizes) == pytest.approx(count, abs=0.2)


def test_replies_are_drawn_as_often_as_their_probability_says() -> None:
    counts, draws = Counter[str](), 300
    for seed in range(draws):
        counts.update(ids(drawn(seed=seed)))
    expected = dict(
        zip(
            [one.id for one in (*SURE, *UNSURE)],
            sampling_probabilities([*SURE, *UNSURE], "active", 20, 0.2),
            strict=True,
        )
    )
    rate = {name: counts[name] / draws for name in expected}
    for group in (SURE, UNSURE):
        seen = np.mean([rate[one.id] for one in group])
        assert seen == pytest.approx(expected[group[0].id], abs=0.05)


def test_the_first_of_a_draw_are_a_random_part_of_it() -> None:
    first = [ids(drawn(count=40, seed=seed))[:5] for seed in range(200)]
    share = np.mean([name.startswith("u") for names in first for name in names])
    probabilities = sampling_probabilities([*SURE, *UNSURE], "active", 40, 0.2)
    assert share == pytest.approx(probabilities[90:].sum() / probabilities.sum(), abs=0.05)


def test_the_overlap_is_a_share_of_the_draw() -> None:
    assert not any(one.is_shared for one in drawn(count=100))
    assert all(one.is_shared for one in drawn(count=100, overlap=1.0))
    shares = [one.is_shared for seed in range(20) for one in drawn(count=100, overlap=0.3, seed=seed)]
    assert np.mean(shares) == pytest.approx(0.3, abs=0.05)


@pytest.mark.parametrize("order", ["active", "uniform"])
def test_labels_of_the_first_half_of_a_draw_correct_a_biased_grader(order: Order) -> None:
    rng = np.random.default_rng(0)
    predictions = rng.beta(0.6, 0.4, 300)
    truth = rng.random(300) < predictions * 0.7  # the grader is too generous
    of = [candidate(f"q{number}", prediction) for number, prediction in enumerate(predictions.tolist())]
    errors = []
    for seed in range(150):
        labels, chances = np.full(300, np.nan), np.ones(300)
        found = draw(of, order, 120, floor=0.2, overlap=0, seed=seed)
        for one in found[: len(found) // 2]:
            place = int(one.candidate.id[1:])
            labels[place], chances[place] = truth[place], one.probability
        interval = corrected_rate(predictions, labels, chances=chances)
        assert interval
        errors.append(interval.estimate - truth.mean())
    assert predictions.mean() - truth.mean() > 0.1
    assert abs(np.mean(errors)) < 3 * np.std(errors) / np.sqrt(len(errors)) + 0.005
    assert abs(np.mean(errors)) < 0.02
