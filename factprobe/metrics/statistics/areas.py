"""Areas under the ROC curve and under the precision-recall curve, for scores on any scale."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from factprobe.metrics.agreement.coefficients import centred_ranks
from factprobe.metrics.statistics.bootstrap import bootstrap_weights
from factprobe.metrics.statistics.intervals import Clusters, Codes, Floats, Interval


def roc_auc(
    scores: ArrayLike, positive: ArrayLike, rng: np.random.Generator, clusters: Clusters = None
) -> Interval | None:
    """Return the area under the ROC curve, in [0, 1], higher is better, 0.5 for chance.

    It is the probability that a positive item has a higher score than a negative one, where a tie counts half (Hanley
    and McNeil 1982, Radiology 143); None if all items are positive, or none is.

    Args:
        scores: the score of each item, higher for items that are more likely positive, shape (items,).
        positive: whether each item is positive, shape (items,).
        rng: the random generator of the bootstrap.
        clusters: the cluster of each item.

    Raises:
        ValueError: the lengths differ, or a score is not a number.
    """
    codes, is_positive = _check_input(scores, positive)

    def area(weights: Floats) -> Floats:
        ones = (weights * is_positive).sum(axis=1)
        over = (weights * is_positive * centred_ranks(codes, weights)).sum(axis=1)
        found: Floats = over / (ones * (weights.sum(axis=1) - ones)) + 0.5
        return found

    return bootstrap_weights(area, len(codes), rng, clusters)


def roc_curve(scores: ArrayLike, positive: ArrayLike) -> list[tuple[float, float]]:
    """Return false and true positive rate at each distinct score, from (0, 0) to (1, 1).

    The arguments and errors are those of `roc_auc`; there must be positive and other items.
    """
    codes, is_positive = _check_input(scores, positive)
    ones = np.bincount(codes, is_positive)[::-1].cumsum() / is_positive.sum()
    others = np.bincount(codes, 1 - is_positive)[::-1].cumsum() / (1 - is_positive).sum()
    return [(0.0, 0.0), *zip(others.tolist(), ones.tolist(), strict=True)]


def average_precision(
    scores: ArrayLike, positive: ArrayLike, rng: np.random.Generator, clusters: Clusters = None
) -> Interval | None:
    """Return the average precision, in [0, 1], higher is better; chance is the share of positive items.

    It is the area under the precision-recall curve in steps: the sum over thresholds of the precision times the
    increase in recall (Davis and Goadrich 2006, ICML, on why linear interpolation is wrong); None if no item is
    positive. The arguments and errors are those of `roc_auc`.
    """
    codes, is_positive = _check_input(scores, positive)
    order = np.argsort(-codes, kind="stable")
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1))

    def area(weights: Floats) -> Floats:
        counts = np.add.reduceat(weights[:, order], starts, axis=1)
        hits = np.add.reduceat((weights * is_positive)[:, order], starts, axis=1)
        precision = np.cumsum(hits, axis=1) / np.maximum(np.cumsum(counts, axis=1), 1)
        mean: Floats = (hits * precision).sum(axis=1) / hits.sum(axis=1)
        return mean

    return bootstrap_weights(area, len(codes), rng, clusters)


def _check_input(scores: ArrayLike, positive: ArrayLike) -> tuple[Codes, Floats]:
    """Return the rank of each score among the distinct ones, and 1 for each positive item."""
    values, flags = np.asarray(scores, float), np.asarray(positive, float)
    if values.shape != flags.shape or values.ndim != 1:
        raise ValueError(f"{values.shape} scores for {flags.shape} items")
    if not np.isfinite(values).all():
        raise ValueError("a score is not a number")
    return np.unique(values, return_inverse=True)[1], flags
