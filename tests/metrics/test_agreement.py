"""Agreement: by hand, against statsmodels and scipy, and on the published labels."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr
from statsmodels.stats import inter_rater

from factprobe.metrics.agreement.coefficients import (
    accuracy,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    spearman_rho,
)
from factprobe.metrics.statistics.intervals import Interval
from tests.optional import estimate, not_none

YES, NO = "yes", "no"


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def cohen(first: Sequence[str], second: Sequence[str]) -> Interval | None:
    return cohen_kappa(first, second, rng())


def fleiss(ratings: Sequence[Sequence[str]]) -> Interval | None:
    return fleiss_kappa(ratings, rng())


def alpha(ratings: Sequence[Sequence[str | None]]) -> Interval | None:
    return krippendorff_alpha(ratings, rng())


def rho(first: Sequence[float], second: Sequence[float]) -> Interval | None:
    return spearman_rho(first, second, rng())


def test_accuracy() -> None:
    assert estimate(accuracy("abcd", "abcx")) == 3 / 4
    assert accuracy([], []) is None


def test_its_interval_is_about_the_one_of_the_textbook() -> None:
    first = [YES] * 250 + [NO] * 250
    second = [YES] * 200 + [NO] * 50 + [YES] * 100 + [NO] * 150
    found = not_none(cohen_kappa(first, second, rng()))
    expected = inter_rater.cohens_kappa([[200, 50], [100, 150]])
    assert (found.low, found.high) == pytest.approx((expected.kappa_low, expected.kappa_upp), abs=0.01)


def test_krippendorff_on_his_own_example() -> None:
    # Krippendorff 2011, section C: four observers, twelve units, seven labels missing, alpha 0.743
    observers = ["123321412___", "1233224125_3", "_3332342251_", "12332441251_"]
    units = [[None if label == "_" else label for label in unit] for unit in zip(*observers, strict=True)]
    assert not_none(alpha(units)).estimate == pytest.approx(0.743, abs=0.0005)


def test_krippendorff_leaves_out_single_labels() -> None:
    both = [(YES, YES), (NO, NO), (YES, NO)]
    assert not_none(alpha([*both, (YES, None), (None, None)])).estimate == not_none(alpha(both)).estimate
    # D_o = 2 / 6, D_e = 2 * 3 * 3 / (6 * 5)
    assert not_none(alpha(both)).estimate == pytest.approx(1 - (1 / 3) / (3 / 5))


def test_the_resamples_of_rho_are_those_of_scipy() -> None:
    values = np.random.default_rng(4).integers(0, 5, (40, 2))
    first, second = values[np.lexsort(values.T[::-1])].T.tolist()
    found = not_none(spearman_rho(first, second, rng(7)))
    draws = rng(7)
    weights = [np.bincount(draws.integers(40, size=40), minlength=40) for _ in range(2_000)]
    drawn = [spearmanr(np.repeat(first, often), np.repeat(second, often)).statistic for often in weights]
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(drawn, [0.025, 0.975])))


def test_clusters_widen_every_interval() -> None:
    first = [YES, NO, YES, NO, YES, NO, NO, YES] * 3
    second = [YES, NO, NO, NO, YES, YES, NO, YES] * 3
    many = [label for label in first for _ in range(6)], [label for label in second for _ in range(6)]
    clusters = [f"Q{at // 6}" for at in range(len(many[0]))]
    one, other = ([float(label == YES) + at % 8 for at, label in enumerate(labels)] for labels in many)
    ratings = list(zip(*many, strict=True))
    pairs = [
        (accuracy(*many), accuracy(*many, clusters)),
        (cohen_kappa(*many, rng()), cohen_kappa(*many, rng(), clusters)),
        (fleiss_kappa(ratings, rng()), fleiss_kappa(ratings, rng(), clusters)),
        (krippendorff_alpha(ratings, rng()), krippendorff_alpha(ratings, rng(), clusters)),
        (spearman_rho(one, other, rng()), spearman_rho(one, other, rng(), clusters)),
    ]
    for alone, together in pairs:
        assert not_none(together).estimate == pytest.approx(not_none(alone).estimate)
    for alone, together in pairs[:4]:
        assert not_none(together).high - not_none(together).low > 1.8 * (not_none(alone).high - not_none(alone).low)


@pytest.mark.parametrize(
    "found",
    [
        cohen([], []),
        cohen([YES, YES], [YES, YES]),
        fleiss([]),
        fleiss([(YES, YES)]),
        alpha([]),
        alpha([(YES, None), (None, NO)]),
        alpha([(YES, YES), (YES, YES)]),
        rho([], []),
        rho([1, 1, 1], [1, 2, 3]),
    ],
)
def test_where_there_is_no_agreement_to_measure(found: Interval | None) -> None:
    assert found is None


def test_full_agreement_and_full_disagreement() -> None:
    assert cohen([YES, NO] * 5, [YES, NO] * 5) == Interval(1, 1, 1)
    assert not_none(cohen([YES, NO] * 5, [NO, YES] * 5)).estimate == -1
    assert not_none(rho([1, 2, 3], [3, 2, 1])).estimate == pytest.approx(-1)


def test_raters_that_do_not_fit() -> None:
    for measure in (accuracy, cohen):
        with pytest.raises(ValueError, match="argument"):
            measure([YES], [YES, NO])
    with pytest.raises(ValueError, match="1 values of one rater"):
        rho([1], [1, 2])
    with pytest.raises(ValueError, match="not a number"):
        rho([1, float("nan")], [1, 2])
    for ratings in ([(YES, NO), (YES,)], [(YES,), (NO,)]):
        with pytest.raises(ValueError, match="same number of raters"):
            fleiss(ratings)


LABELS = st.sampled_from("abc")
TABLES = st.lists(st.tuples(LABELS, LABELS, LABELS), min_size=1, max_size=25)


@given(TABLES)
def test_the_kappas_are_those_of_statsmodels(ratings: list[tuple[str, str, str]]) -> None:
    first, second, _ = (list(labels) for labels in zip(*ratings, strict=True))
    found = cohen(first, second)
    table = [[sum((one, two) == pair for pair in zip(first, second, strict=True)) for two in "abc"] for one in "abc"]
    if found is not None:
        assert found.estimate == pytest.approx(inter_rater.cohens_kappa(table, return_results=False), abs=1e-12)
    many = fleiss(ratings)
    counts = [[labels.count(label) for label in "abc"] for labels in ratings]
    if many is not None:
        assert many.estimate == pytest.approx(inter_rater.fleiss_kappa(np.array(counts)), abs=1e-12)


@given(TABLES, st.randoms(use_true_random=False))
def test_raters_and_items_in_any_order(ratings: list[tuple[str, str, str]], random: Random) -> None:
    first, second, _ = (list(labels) for labels in zip(*ratings, strict=True))
    shuffled = list(ratings)
    random.shuffle(shuffled)
    turned = [tuple(reversed(labels)) for labels in shuffled]
    for one, other in ((cohen(first, second), cohen(second, first)), (fleiss(ratings), fleiss(turned))):
        assert (one is None) == (other is None)
        if one is not None and other is not None:
            assert one.estimate == pytest.approx(other.estimate, abs=1e-12)
    assert alpha(ratings) == alpha(turned)


@given(TABLES)
def test_alpha_is_fleiss_but_for_the_size_of_the_sample(ratings: list[tuple[str, str, str]]) -> None:
    found, kappa = alpha(ratings), fleiss(ratings)
    assert (found is None) == (kappa is None)
    if found is not None and kappa is not None:
        labels = 3 * len(ratings)
        assert 1 - found.estimate == pytest.approx((1 - kappa.estimate) * (labels - 1) / labels)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=25))
def test_rho_is_that_of_scipy(pairs: list[tuple[int, int]]) -> None:
    first, second = (list(values) for values in zip(*pairs, strict=True))
    found = rho(first, second)
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert found is None
    else:
        assert not_none(found).estimate == pytest.approx(spearmanr(first, second).statistic, abs=1e-12)
        assert not_none(found) == not_none(rho(*(list(values) for values in zip(*reversed(pairs), strict=True))))


@pytest.mark.shared
def test_the_published_predictions(data: Path) -> None:
    folder = data / "shroom"
    gold = json.loads((folder / "val.model-agnostic.json").read_text(encoding="utf-8"))
    name = "val.model-agnostic.gpt-4-0125-preview.predictions.json"
    predicted = json.loads((folder / name).read_text(encoding="utf-8"))
    votes = [item["labels"].count("Hallucination") for item in gold]

    def figures(chosen: set[int]) -> list[float]:
        sides = [[item for item, yes in zip(side, votes, strict=True) if yes in chosen] for side in (gold, predicted)]
        people, model = ([item["label"] for item in side] for side in sides)
        chances, given = ([item["p(Hallucination)"] for item in side] for side in sides)
        measures = accuracy(people, model), cohen_kappa(people, model, rng()), spearman_rho(chances, given, rng())
        for measure in measures:
            assert not_none(measure).low < not_none(measure).estimate < not_none(measure).high
        return [len(people), *(round(not_none(measure).estimate, 4) for measure in measures)]

    whole = figures(set(range(6)))
    assert (whole[0], whole[1], whole[3]) == (499, 0.8136, 0.6966)
    assert figures({2, 3})[:3] == [145, 0.6207, 0.2378]
    assert figures({1, 4}) == [171, 0.8538, 0.7009, 0.7341]
    assert figures({0, 5}) == [183, 0.9290, 0.8562, 0.8852]
    ratings = [item["labels"] for item in gold]
    six = [[*labels, item["label"]] for labels, item in zip(ratings, predicted, strict=True)]
    assert round(not_none(fleiss_kappa(ratings, rng())).estimate, 4) == 0.3728
    assert round(not_none(fleiss_kappa(six, rng())).estimate, 4) == 0.4051
