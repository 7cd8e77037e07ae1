"""The areas under curves against scikit-learn, weighted resamples included."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics
from sklearn.metrics import average_precision_score, roc_auc_score

from factprobe.metrics.statistics import classes as ranking
from factprobe.metrics.statistics.classes import average_precision, roc_auc, roc_curve
from tests.optional import not_none

ITEMS = st.lists(st.tuples(st.integers(0, 6).map(lambda n: n / 6), st.booleans()), min_size=2, max_size=40)


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


@given(ITEMS.filter(lambda items: len({positive for _, positive in items}) == 2))
def test_both_areas_are_those_of_scikit_learn(items: list[tuple[float, bool]]) -> None:
    scores, positive = zip(*items, strict=True)
    for own, theirs in ((roc_auc, roc_auc_score), (average_precision, average_precision_score)):
        found = not_none(own(scores, positive, rng()))
        assert found.estimate == pytest.approx(theirs(positive, scores))
        assert -1e-12 <= found.low <= found.estimate <= found.high <= 1 + 1e-12


@pytest.mark.parametrize(("own", "theirs"), [(roc_auc, roc_auc_score), (average_precision, average_precision_score)])
def test_a_resample_counts_each_item_as_often_as_it_is_drawn(
    own: object, theirs: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    scores, positive = rng().integers(0, 5, 30) / 5, rng().integers(0, 2, 30) > 0
    weights = rng().integers(0, 4, (3, 30)).astype(float)
    seen: list[object] = []
    monkeypatch.setattr(ranking, "bootstrap_weights", lambda statistic, *_: seen.extend(statistic(weights)))
    own(scores, positive, rng())  # type: ignore[operator]
    assert seen == pytest.approx([theirs(positive, scores, sample_weight=row) for row in weights])  # type: ignore[operator]


def test_of_one_kind_there_is_nothing_to_tell() -> None:
    assert roc_auc([0.1, 0.2], [True, True], rng()) is None
    assert average_precision([0.1, 0.2], [False, False], rng()) is None
    assert roc_auc([], [], rng()) is None


def test_what_cannot_be_ranked_is_refused() -> None:
    with pytest.raises(ValueError, match="not a number"):
        roc_auc([float("nan"), 1], [True, False], rng())
    with pytest.raises(ValueError, match="scores for"):
        average_precision([1], [True, False], rng())


def test_the_points_of_the_roc_curve_are_those_of_scikit_learn() -> None:
    scores, positive = [0.1, 0.4, 0.4, 0.8, 0.8, 0.2], [False, False, True, True, False, True]
    across, up, _ = metrics.roc_curve(positive, scores, drop_intermediate=False)
    assert roc_curve(scores, positive) == [*zip(across.tolist(), up.tolist(), strict=True)]
