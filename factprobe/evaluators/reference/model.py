"""The model that decides on answers without a graph: gradient-boosted trees, evaluated with numpy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import msgspec
import numpy as np

from factprobe.evaluators.reference.features import FEATURES
from factprobe.trees import Array, TreeEnsemble, TreeWeights


class Weights(TreeWeights, frozen=True, forbid_unknown_fields=True):
    """Content of `model.json`, as `benchmarks/train_grader.py` writes it; predictions are log-odds."""

    balanced: float
    """Default threshold: systems' accuracies differed from those by people by 1 point at most in cross-validation."""
    strict: float
    """Threshold of the preset `strict`."""


class Model:
    """Ensemble of trees with its thresholds.

    Args:
        weights: as trained.

    Raises:
        ValueError: they were trained with other features than the code has.
    """

    def __init__(self, weights: Weights) -> None:
        self._trees = TreeEnsemble(weights, FEATURES, "benchmarks/train_grader.py")
        self.balanced, self.strict, self.base = weights.balanced, weights.strict, weights.base

    def predict(self, vector: Sequence[float]) -> Prediction:
        """Evaluate the trees on a feature vector."""
        paths = self._trees.follow(vector)
        return Prediction(1 / (1 + math.exp(-paths.total)), paths.values, paths.splits)


class Prediction(NamedTuple):
    """Probability, with the paths through the trees."""

    probability: float
    """Probability that a careful reader calls the reply correct."""
    values: Array
    """Mean log-odds of the nodes on each path; shape (levels, trees)."""
    splits: Array
    """Feature index of each split on each path; shape (levels - 1, trees)."""

    def reasons(self, most: int = 3) -> list[tuple[int, float]]:
        """Return the features with the largest contributions, by index, with the log-odds that each added.

        The contribution of a feature is the change in the mean log-odds of a tree's nodes where the path splits on it
        (Saabas, 2014).

        Args:
            most: how many at most.
        """
        steps = self.values[1:] - self.values[:-1]
        moved = np.bincount(self.splits.ravel(), steps.ravel(), len(FEATURES))
        return [(int(i), float(moved[i])) for i in np.argsort(-np.abs(moved), kind="stable")[:most] if moved[i]]


@cache
def model() -> Model:
    """Load the packaged model."""
    found = files("factprobe.evaluators.reference").joinpath("model.json").read_bytes()
    return Model(msgspec.json.decode(found, type=Weights))
