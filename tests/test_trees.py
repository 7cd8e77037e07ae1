"""Boosted trees: their evaluation, and the reasons of a prediction."""

from __future__ import annotations

import math

import pytest

from factprobe.evaluators.reference.features import FEATURES
from factprobe.trees import TreeEnsemble, Weights, load_trees

ONE_SPLIT = Weights(("size", "age"), 0.5, 1, [[1]], [[0.25]], [[0.0, -2.0, 3.0]], {"balanced": 0.5})
"""One tree that splits on the second feature."""


@pytest.mark.parametrize(("age", "added"), [(0.25, -2.0), (0.26, 3.0)])
def test_a_tree_is_walked_by_its_thresholds(age: float, added: float) -> None:
    found = TreeEnsemble(ONE_SPLIT).predict([0.0, age])
    assert found.probability == pytest.approx(1 / (1 + math.exp(-0.5 - added)))
    assert found.reasons() == [(1, added)]


def test_the_reasons_sum_up_to_the_log_odds() -> None:
    trees = load_trees("factprobe.evaluators.reference", tuple(FEATURES))
    found = trees.predict([1.0] * len(FEATURES))
    odds = math.log(found.probability / (1 - found.probability))
    total = sum(moved for _, moved in found.reasons(len(FEATURES)))
    assert trees.base + found.values[0].sum() + total == pytest.approx(odds)


def test_a_model_of_other_features_is_refused() -> None:
    with pytest.raises(ValueError, match="other features"):
        load_trees("factprobe.evaluators.reference", ("length",))
