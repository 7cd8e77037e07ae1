"""Gradient-boosted trees whose weights are JSON, evaluated with numpy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct

Array = np.ndarray[Any, Any]


class TreeWeights(Struct, frozen=True, forbid_unknown_fields=True):
    """Weights of an ensemble, as the scripts in `benchmarks/` write them."""

    features: tuple[str, ...]
    """Names of the features in the order of the vector."""
    base: float
    """Prediction before any tree."""
    depth: int
    """Number of splits from the root to a leaf; all trees are complete."""
    split: list[list[int]]
    """Feature index of each split, per tree, level by level from the root."""
    threshold: list[list[float]]
    """Threshold of each split: the left branch is taken up to this value."""
    value: list[list[float]]
    """Mean prediction of each node, per tree, splits first, then leaves."""


class TreePaths(NamedTuple):
    """Prediction for one vector, with the paths through the trees."""

    total: float
    """Sum over the trees, with the base."""
    values: Array
    """Mean predictions of the nodes on each path; shape (levels, trees)."""
    splits: Array
    """Feature index of each split on each path; shape (levels - 1, trees)."""


class TreeEnsemble:
    """Ensemble of trees with all splits in one array.

    Args:
        weights: as trained.
        features: names of the features that the code computes.
        script: path of the training script, for the error.

    Raises:
        ValueError: the weights were trained with other features than the code has.
    """

    def __init__(self, weights: TreeWeights, features: Iterable[str], script: str) -> None:
        if weights.features != tuple(features):
            raise ValueError(f"model.json has other features than features.py: run {script}")
        self.base, self._depth = weights.base, weights.depth
        self._split = np.array(weights.split, np.intp).ravel()
        self._threshold = np.array(weights.threshold).ravel()
        self._value = np.array(weights.value).ravel()
        trees = len(weights.split)
        self._splits_at = np.arange(trees) * (2**self._depth - 1)
        self._values_at = np.arange(trees) * (2 ** (self._depth + 1) - 1)

    def follow(self, vector: Sequence[float]) -> TreePaths:
        """Evaluate the trees on one feature vector and keep the paths."""
        values = np.array(vector)
        node = np.zeros(len(self._splits_at), np.intp)
        nodes, splits = [self._values_at], []
        for _ in range(self._depth):
            at = self._splits_at + node
            split = self._split[at]
            node = 2 * node + 1 + (values[split] > self._threshold[at])
            splits.append(split)
            nodes.append(self._values_at + node)
        total = self.base + float(self._value[nodes[-1]].sum())
        return TreePaths(total, self._value[np.array(nodes)], np.array(splits))

    def predict(self, rows: Array) -> Array:
        """Evaluate the trees on feature vectors.

        Args:
            rows: shape (vectors, features).

        Returns:
            Sum over the trees, with the base; shape (vectors,).
        """
        each = np.arange(len(rows))[:, None]
        node = np.zeros((len(rows), len(self._splits_at)), np.intp)
        for _ in range(self._depth):
            at = self._splits_at + node
            node = 2 * node + 1 + (rows[each, self._split[at]] > self._threshold[at])
        found: Array = self.base + self._value[self._values_at + node].sum(axis=1)
        return found
