"""The model that decides on answers without a graph: gradient-boosted trees, evaluated with numpy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import msgspec
import numpy as np
from msgspec import Struct

from factprobe.evaluators.reference.features import FEATURES

Array = np.ndarray[Any, Any]


class Weights(Struct, frozen=True, forbid_unknown_fields=True):
    """Content of `model.json`, as `benchmarks/train_grader.py` writes it."""

    features: tuple[str, ...]
    """Names of the features in the order of the vector."""
    base: float
    """Log-odds before any tree."""
    depth: int
    """Number of splits from the root to a leaf; all trees are complete."""
    split: list[list[int]]
    """Feature index of each split, per tree, level by level from the root."""
    threshold: list[list[float]]
    """Threshold of each split: the left branch is taken up to this value."""
    value: list[list[float]]
    """Mean log-odds of each node, per tree, splits first, then leaves."""
    balanced: float
    """Default threshold: systems' accuracies differed from those by people by 1 point at most in cross-validation."""
    strict: float
    """Threshold of the preset `strict`."""


class Model:
    """Ensemble of trees with all splits in one array.

    Args:
        weights: as trained.

    Raises:
        ValueError: they were trained with other features than the code has.
    """

    def __init__(self, weights: Weights) -> None:
        if weights.features != tuple(FEATURES):
            raise ValueError("model.json has other features than features.py: run benchmarks/train_grader.py")
        self.balanced, self.strict = weights.balanced, weights.strict
        self.base, self._depth = weights.base, weights.depth
        self._split = np.array(weights.split, np.intp).ravel()
        self._threshold = np.array(weights.threshold).ravel()
        self._value = np.array(weights.value).ravel()
        trees = len(weights.split)
        self._splits_at = np.arange(trees) * (2**self._depth - 1)
        self._values_at = np.arange(trees) * (2 ** (self._depth + 1) - 1)

    def predict(self, vector: Sequence[float]) -> Prediction:
        """Evaluate the trees on a feature vector."""
        values = np.array(vector)
        node = np.zeros(len(self._splits_at), np.intp)
        nodes, splits = [self._values_at], []
        for _ in range(self._depth):
            at = self._splits_at + node
            split = self._split[at]
            node = 2 * node + 1 + (values[split] > self._threshold[at])
            splits.append(split)
            nodes.append(self._values_at + node)
        odds = self.base + float(self._value[nodes[-1]].sum())
        return Prediction(1 / (1 + math.exp(-odds)), self._value[np.array(nodes)], np.array(splits))


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
