"""Train gradient-boosted trees with scikit-learn, and convert them to the weights that factprobe evaluates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import GroupKFold, cross_val_predict

from factprobe.trees import Weights

DEPTH = 4
MODELS = 3
"""Models with other seeds, of which the mean log-odds are taken: one alone varies by 0.01 in kappa."""
DIGITS = 12
"""Significant digits of a threshold in the file: with fewer, values on two sides of one fall together."""

Array = np.ndarray[Any, Any]


def classifier(seed: int, trees: int = 100, least: int = 40) -> HistGradientBoostingClassifier:
    """Return an untrained ensemble.

    Args:
        seed: of the features drawn for each split.
        trees: number of trees.
        least: minimal number of cases in a leaf.
    """
    return HistGradientBoostingClassifier(
        max_iter=trees,
        max_depth=DEPTH,
        learning_rate=0.06,
        min_samples_leaf=least,
        max_features=0.4,
        random_state=seed,
        early_stopping=False,
    )


def train(vectors: Array, positive: Array, **settings: int) -> list[HistGradientBoostingClassifier]:
    """Train `MODELS` ensembles.

    Args:
        vectors: features; shape (cases, features).
        positive: label of each case; shape (cases,).
        **settings: of `classifier`.
    """
    return [classifier(seed, **settings).fit(vectors, positive) for seed in range(MODELS)]


def held_out(vectors: Array, positive: Array, groups: Array, **settings: int) -> Array:
    """Return each case's probability by models that were trained without its group; shape (cases,)."""
    return np.asarray(np.mean([_held_out(seed, vectors, positive, groups, settings) for seed in range(MODELS)], axis=0))


def weights_of(trained: Sequence[Any], features: Iterable[str], thresholds: Mapping[str, float]) -> Weights:
    """Convert models to complete trees of their mean: a leaf's value is repeated in both branches below."""
    split: list[list[int]] = []
    threshold: list[list[float]] = []
    value: list[list[float]] = []
    for [predictor] in [trees for one in trained for trees in one._predictors]:
        nodes = predictor.nodes
        places = [0]
        indices, limits, means = [], [], []
        for level in range(DEPTH + 1):
            below = []
            for at in places:
                node = nodes[at]
                means.append(round(_mean(nodes, at) / len(trained), 6))
                if level < DEPTH:
                    leaf = bool(node["is_leaf"])
                    indices.append(0 if leaf else int(node["feature_idx"]))
                    limits.append(0.0 if leaf else float(f"{node['num_threshold']:.{DIGITS}g}"))
                    below += [at, at] if leaf else [int(node["left"]), int(node["right"])]
            places = below
        split.append(indices)
        threshold.append(limits)
        value.append(means)
    base = float(np.mean([one._baseline_prediction for one in trained]))
    return Weights(tuple(features), base, DEPTH, split, threshold, value, dict(thresholds))


def _held_out(seed: int, vectors: Array, positive: Array, groups: Array, settings: Mapping[str, int]) -> Array:
    folds = GroupKFold(5)
    model = classifier(seed, **settings)
    found = cross_val_predict(model, vectors, positive, groups=groups, cv=folds, method="predict_proba")
    return np.asarray(found)[:, 1]


def _mean(nodes: Any, at: int) -> float:
    """Return the mean of the leaves below a node, weighted by their number of cases."""
    leaves, left = [], [at]
    while left:
        node = nodes[left.pop()]
        if node["is_leaf"]:
            leaves.append((float(node["value"]), int(node["count"])))
        else:
            left += [int(node["left"]), int(node["right"])]
    return sum(value * count for value, count in leaves) / sum(count for _, count in leaves)
