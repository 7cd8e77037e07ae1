"""Boosted trees: their evaluation, and the reasons of a prediction."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.evaluators.reference.features import FEATURES
from factprobe.trees import TreeEnsemble, Weights, feature_vector, load_trees

ONE_SPLIT = Weights(("size", "age"), 0.5, 1, [[1]], [[0.25]], [[0.0, -2.0, 3.0]], {"balanced": 0.5})
"""One tree that splits on the second feature."""


@pytest.mark.parametrize(("age", "added"), [(0.25, -2.0), (0.26, 3.0)])
def test_a_tree_is_walked_by_its_thresholds(age: float, added: float) -> None:
    trees = TreeEnsemble(ONE_SPLIT)
    found = trees.predict([0.0, age])
    assert found.probability == pytest.approx(1 / (1 + math.exp(-0.5 - added)))
    assert trees.reasons(found) == [(1, added)]


@given(vector=st.lists(st.sampled_from([-1.0, 0.0, 0.5, 1.0, 7.0]), min_size=3, max_size=3))
def test_an_ensemble_adds_up_the_leaves_of_its_trees(vector: list[float]) -> None:
    trees = [
        ([0, 1, 2], [0.5, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0, 2.0, 4.0, 8.0]),
        ([1, 1, 0], [0.5, -1.0, 0.5], [0.0, 0.0, 0.0, 0.1, 0.2, 0.4, 0.8]),
    ]
    split, threshold, value = zip(*trees, strict=True)
    ensemble = TreeEnsemble(Weights(("a", "b", "c"), 0.0, 2, [*split], [*threshold], [*value], {}))
    odds = 0.0
    for splits, limits, values in trees:
        node = 0
        while node < len(splits):
            node = 2 * node + 1 + (vector[splits[node]] > limits[node])
        odds += values[node]
    assert ensemble.predict(vector).probability == pytest.approx(1 / (1 + math.exp(-odds)))


def test_the_reasons_sum_up_to_the_log_odds() -> None:
    trees = load_trees("factprobe.evaluators.reference", tuple(FEATURES))
    found = trees.predict([1.0] * len(FEATURES))
    odds = math.log(found.probability / (1 - found.probability))
    total = sum(moved for _, moved in trees.reasons(found, len(FEATURES)))
    assert trees.base + trees.root + total == pytest.approx(odds)


def test_a_model_of_other_features_is_refused() -> None:
    with pytest.raises(ValueError, match="other features"):
        load_trees("factprobe.evaluators.reference", ("length",))


def test_a_vector_has_the_order_of_the_features_and_a_value_of_each() -> None:
    features = {"length": "words", "depth": "brackets"}
    assert feature_vector({"depth": True, "length": 3}, features) == [3.0, 1.0]
    for values in ({"length": 3}, {"length": 3, "depth": 1, "height": 2}, {"length": 3, "height": 2}):
        with pytest.raises(ValueError, match="features and their values differ"):
            feature_vector(values, features)
