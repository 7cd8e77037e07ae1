"""Gradient-boosted trees trained elsewhere, as JSON, evaluated with numpy."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import msgspec
import numpy as np
from msgspec import Struct

Array = np.ndarray[Any, Any]


class Weights(Struct, frozen=True, forbid_unknown_fields=True):
    """Content of a `model.json`, as `benchmarks/boosting.py` makes it."""

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
    thresholds: dict[str, float]
    """Probabilities from which on a case counts as positive, by the name of the setting."""


class TreeEnsemble:
    """Binary classifier of trees with all splits in one array.

    Args:
        weights: as trained.
    """

    def __init__(self, weights: Weights) -> None:
        self.thresholds: Mapping[str, float] = weights.thresholds
        self.base, self._depth, self._size = weights.base, weights.depth, len(weights.features)
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
        return Prediction(1 / (1 + math.exp(-odds)), self._value[np.array(nodes)], np.array(splits), self._size)


class Prediction(NamedTuple):
    """Probability, with the paths through the trees."""

    probability: float
    """Probability that the case is positive."""
    values: Array
    """Mean log-odds of the nodes on each path; shape (levels, trees)."""
    splits: Array
    """Feature index of each split on each path; shape (levels - 1, trees)."""
    size: int
    """Number of features."""

    def reasons(self, most: int = 3) -> list[tuple[int, float]]:
        """Return the features with the largest contributions, by index, with the log-odds that each added.

        The contribution of a feature is the change in the mean log-odds of a tree's nodes where the path splits on it
        (Saabas, 2014).

        Args:
            most: how many at most.
        """
        steps = self.values[1:] - self.values[:-1]
        moved = np.bincount(self.splits.ravel(), steps.ravel(), self.size)
        return [(int(i), float(moved[i])) for i in np.argsort(-np.abs(moved), kind="stable")[:most] if moved[i]]


@cache
def load_trees(package: str, features: tuple[str, ...]) -> TreeEnsemble:
    """Load the `model.json` of a package.

    Args:
        package: name of the package.
        features: names of the features that its code computes, in order.

    Raises:
        ValueError: the model was trained with other features.
    """
    weights = msgspec.json.decode(files(package).joinpath("model.json").read_bytes(), type=Weights)
    if weights.features != features:
        raise ValueError(f"model.json of {package} has other features than its code: train it again")
    return TreeEnsemble(weights)
