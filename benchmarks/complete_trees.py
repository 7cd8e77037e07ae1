"""Trees of scikit-learn's histogram gradient boosting as complete trees, the form in which their weights ship."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

DIGITS = 12
"""Significant digits of a threshold in the file: with fewer, values on two sides of one fall together."""


def complete_trees(trained: Sequence[Any], features: Iterable[str], depth: int) -> dict[str, Any]:
    """Convert models with the same features to one ensemble that predicts the mean of theirs.

    A leaf above the deepest level has its value repeated in both branches below.

    Args:
        trained: fitted models of scikit-learn's histogram gradient boosting with a single output.
        features: names of the features.
        depth: greatest number of splits from a root to a leaf.

    Returns:
        Fields of `TreeWeights`.
    """
    split: list[list[int]] = []
    threshold: list[list[float]] = []
    value: list[list[float]] = []
    for [predictor] in [trees for one in trained for trees in one._predictors]:
        nodes = predictor.nodes
        places = [0]
        chosen, thresholds, means = [], [], []
        for level in range(depth + 1):
            below = []
            for at in places:
                node = nodes[at]
                means.append(round(_mean(nodes, at) / len(trained), 6))
                if level < depth:
                    leaf = bool(node["is_leaf"])
                    chosen.append(0 if leaf else int(node["feature_idx"]))
                    thresholds.append(0.0 if leaf else float(f"{node['num_threshold']:.{DIGITS}g}"))
                    below += [at, at] if leaf else [int(node["left"]), int(node["right"])]
            places = below
        split.append(chosen)
        threshold.append(thresholds)
        value.append(means)
    base = float(np.mean([one._baseline_prediction for one in trained]))
    return {
        "features": tuple(features),
        "base": base,
        "depth": depth,
        "split": split,
        "threshold": threshold,
        "value": value,
    }


def _mean(nodes: Any, at: int) -> float:
    """Return the mean of the leaves below a node, weighted by their number of training examples."""
    leaves, left = [], [at]
    while left:
        node = nodes[left.pop()]
        if node["is_leaf"]:
            leaves.append((float(node["value"]), int(node["count"])))
        else:
            left += [int(node["left"]), int(node["right"])]
    return sum(value * count for value, count in leaves) / sum(count for _, count in leaves)
