"""Gradient-boosted trees, loaded from JSON and evaluated with numpy."""

from __future__ import annotations

import math
import sys
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

import msgspec
import numpy as np
from msgspec import Struct

Array = np.ndarray[Any, Any]
_CACHED = 1 << 10
"""Maximum number of vectors of which the prediction is kept, since many replies differ only in names."""


class Weights(Struct, frozen=True, forbid_unknown_fields=True):
    """Trained weights: the content of a `model.json`, as `benchmarks/boosting.py` writes it."""

    features: tuple[str, ...]
    """Names of the features in the order of the vector."""
    base: float
    """Prediction before the first tree is added: log-odds of a classifier, or value of a regression."""
    depth: int
    """Number of splits from the root to a leaf; all trees are complete."""
    split: list[list[int]]
    """For each tree: index of the feature of each split, level by level from the root."""
    threshold: list[list[float]]
    """For each tree: threshold of each split; values up to it lead to the left branch."""
    value: list[list[float]]
    """For each tree: mean log-odds, or prediction, of each node, inner nodes before leaves."""
    thresholds: dict[str, float]
    """Minimum probability at which a case is positive, by name of the setting that selects it."""


class TreeEnsemble:
    """Ensemble of complete trees: a binary classifier or a regression.

    Bit sets make the evaluation fast, as in QuickScorer (Lucchese et al., 2015). Each interval between two thresholds
    of a feature has a number with a bit for each leaf that can be reached; the bitwise AND over all features leaves
    the one leaf of each tree.

    Args:
        weights: Trained weights, with a depth of at most 4.
    """

    def __init__(self, weights: Weights) -> None:
        split, threshold, value = np.array(weights.split), np.array(weights.threshold), np.array(weights.value)
        self.thresholds: Mapping[str, float] = weights.thresholds
        self.base = weights.base
        """Log-odds before the first tree."""
        self.root = float(value[:, 0].sum())
        """Sum of the mean log-odds at the roots of all trees."""
        self._size = len(weights.features)
        leaves = 2**weights.depth
        last = np.arange(2**weights.depth) + 2**weights.depth
        paths = np.stack([(last >> (weights.depth - level)) - 1 for level in range(weights.depth + 1)], axis=1)
        steps = value[:, paths]
        self._value = steps[:, :, -1].ravel()
        self._adding = split[:, paths[:, :-1]].reshape(-1, weights.depth)
        """Indices of the features on the path to each leaf; shape (leaves, depth)."""
        is_same = self._adding[:, :, None] == self._adding[:, None]
        is_first = is_same.argmax(axis=2) == np.arange(weights.depth)
        self._contribution = (np.diff(steps).reshape(len(self._adding), 1, -1) * is_same).sum(axis=2) * is_first
        """Contribution of each of these features in log-odds; 0 where a feature is repeated; shape (leaves, depth)."""
        self._leaf = np.zeros(2**leaves, np.intp)
        self._leaf[2 ** np.arange(leaves)] = np.arange(leaves)
        self._first = np.arange(len(split)) * leaves
        self._limits = [sorted({*threshold[split == feature].tolist()}) for feature in range(self._size)]
        is_below = paths[:, :-1, None] == np.arange(split.shape[1])  # leaves, levels, nodes
        goes_right = paths[:, 1:, None] % 2 == 0
        bits = 1 << np.arange(leaves)
        below = np.stack([bits @ (is_below & (goes_right == side)).any(axis=1) for side in (False, True)])
        rows = [_reachable(split == i, threshold, limits, below) for i, limits in enumerate(self._limits)]
        self._reachable = [[int.from_bytes(row.tobytes(), sys.byteorder) for row in of_feature] for of_feature in rows]
        """Leaves that can be reached, for each feature and interval between its thresholds; 16 bits for each tree."""
        self._predicted = lru_cache(_CACHED)(self._predict)
        self._explained = lru_cache(_CACHED)(self._explain)

    def predict(self, vector: Sequence[float]) -> Prediction:
        """Predict the probability that a feature vector is a positive case."""
        return self._predicted(tuple(vector))

    def _predict(self, vector: tuple[float, ...]) -> Prediction:
        leaves = self._leaves(vector)
        return Prediction(1 / (1 + math.exp(-self.base - self._sum(leaves))), leaves)

    def totals(self, vectors: Iterable[Sequence[float]]) -> Array:
        """Return the sum of base and trees for each feature vector; shape (vectors,)."""
        return np.array([self.base + self._sum(self._leaves(vector)) for vector in vectors])

    def _sum(self, leaves: Array) -> float:
        return float(np.add.reduce(self._value.take(leaves)))

    def _leaves(self, vector: Sequence[float]) -> Array:
        """Return the index of the reached leaf of each tree among all leaves; shape (trees,)."""
        bits = -1
        for rows, limits, value in zip(self._reachable, self._limits, vector, strict=True):
            bits &= rows[bisect_left(limits, value)]
        reached = np.frombuffer(bits.to_bytes(2 * len(self._first), sys.byteorder), np.uint16)
        leaves: Array = self._first + self._leaf.take(reached)
        return leaves

    def reasons(self, prediction: Prediction, most: int = 3) -> list[tuple[int, float]]:
        """Return the indices of the `most` features that contribute most, with their contributions in log-odds.

        The contribution of a feature is the sum of the changes in mean log-odds at its splits, on the paths through all
        trees (Saabas, 2014).
        """
        adding, odds = [rows.take(prediction.leaves, axis=0).ravel() for rows in (self._adding, self._contribution)]
        contributions = np.bincount(adding, odds, self._size).tolist()
        largest = sorted(range(len(contributions)), key=[*map(abs, contributions)].__getitem__, reverse=True)[:most]
        return [(i, contributions[i]) for i in largest if contributions[i]]

    def explain(self, vector: Sequence[float], features: Iterable[str]) -> str:
        """Describe the features that contribute most, each with its value and its contribution."""
        return self._explained(tuple(vector), tuple(features))

    def _explain(self, vector: tuple[float, ...], features: tuple[str, ...]) -> str:
        reasons = self.reasons(self._predicted(vector))
        return "; ".join([f"{features[i]}: {vector[i]:.3g} ({odds:+.1f})" for i, odds in reasons])


class Prediction(NamedTuple):
    """Predicted probability, and the leaves that led to it."""

    probability: float
    """Probability that the case is positive."""
    leaves: Array
    """Index of the reached leaf of each tree among all leaves; shape (trees,)."""


def _reachable(splits: Array, thresholds: Array, limits: Sequence[float], below: Array) -> Array:
    """Return as bits which leaves can be reached for each interval between the thresholds of one feature.

    Args:
        splits: True for nodes that split on the feature; shape (trees, nodes).
        thresholds: Thresholds of all nodes; shape (trees, nodes).
        limits: Distinct thresholds of the feature, ascending.
        below: Leaves below the left and the right branch of each node, as bits; shape (2, nodes).

    Returns:
        A row for values up to the first limit, and one for values above each limit; shape (limits + 1, trees).
    """
    goes_right = np.array([-math.inf, *limits])[:, None, None] >= thresholds
    lost = np.where(goes_right, below[0], below[1]) * splits
    all_leaves = below[0, 0] | below[1, 0]
    return np.asarray(all_leaves & ~np.bitwise_or.reduce(lost, axis=2), np.uint16)


def feature_vector(values: Mapping[str, float], features: Mapping[str, str]) -> list[float]:
    """Return values as a vector in the order of `features`; raise a `ValueError` if one is missing or unknown."""
    if values.keys() != features.keys():
        wrong = ", ".join(sorted(values.keys() ^ features.keys()))
        raise ValueError(f"features and their values differ in {wrong}")
    return [*map(float, map(values.__getitem__, features))]


@cache
def load_trees(package: str, features: tuple[str, ...]) -> TreeEnsemble:
    """Load the `model.json` of a package; raise a `ValueError` if it was trained with other features."""
    weights = msgspec.json.decode(files(package).joinpath("model.json").read_bytes(), type=Weights)
    if weights.features != features:
        raise ValueError(f"model.json of {package} has other features than the code; train it again")
    return TreeEnsemble(weights)
