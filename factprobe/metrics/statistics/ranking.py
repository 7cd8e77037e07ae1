"""Areas under the ROC curve and under the precision-recall curve, for scores on any scale."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from factprobe.metrics.agreement.coefficients import centred_ranks
from factprobe.metrics.statistics.bootstrap import bootstrap_weights
from factprobe.metrics.statistics.intervals import Clusters, Codes, Floats, Interval


def roc_auc(
    scores: ArrayLike,
    positive: ArrayLike,
    rng: np.random.Generator,
    clusters: Clusters = None,
    resamples: int = 2_000,
    confidence: float = 0.95,
) -> Interval | None:
    """Return the area under the ROC curve, in [0, 1], higher is better, 0.5 for chance.

    It is the probability that a positive item has a higher score than a negative one.

    Half of a tie counts (Hanley and McNeil 1982, Radiology 143).

    Args:
        scores: shape (items,), higher for what is more likely positive.
        positive: shape (items,), whether each is.
        rng: the source of all randomness.
        clusters: the cluster of each item, by default its own.
        resamples: how many times to draw.
        confidence: how often such intervals are to cover the truth.

    Returns:
        The interval; None where all items are of one kind.

    Raises:
        ValueError: lengths that differ, or a score that is no number.
    """
    codes, is_positive = _checked(scores, positive)

    def area(weights: Floats) -> Floats:
        ones = (weights * is_positive).sum(axis=1)
        over = (weights * is_positive * centred_ranks(codes, weights)).sum(axis=1)
        found: Floats = over / (ones * (weights.sum(axis=1) - ones)) + 0.5
        return found

    return bootstrap_weights(area, len(codes), rng, clusters, resamples, confidence)


def roc_curve(scores: ArrayLike, positive: ArrayLike) -> list[tuple[float, float]]:
    """Return the points of the ROC curve: shares of negative and of positive items with at least each score.

    Args:
        scores: as `roc_auc`.
        positive: as `roc_auc`, of both kinds.

    Returns:
        From (0, 0) to (1, 1), one for each score.

    Raises:
        ValueError: as `roc_auc`.
    """
    codes, is_positive = _checked(scores, positive)
    ones = np.bincount(codes, is_positive)[::-1].cumsum() / is_positive.sum()
    others = np.bincount(codes, 1 - is_positive)[::-1].cumsum() / (1 - is_positive).sum()
    return [(0.0, 0.0), *zip(others.tolist(), ones.tolist(), strict=True)]


def average_precision(
    scores: ArrayLike,
    positive: ArrayLike,
    rng: np.random.Generator,
    clusters: Clusters = None,
    resamples: int = 2_000,
    confidence: float = 0.95,
) -> Interval | None:
    """Return the area under the precision-recall curve, in steps, in [0, 1], higher is better.

    Chance is the share of positive items.

    The sum over thresholds of the precision times what the recall rises by (Davis and Goadrich 2006, ICML, on why not
    in straight lines).

    Args:
        scores: as `roc_auc`.
        positive: as `roc_auc`.
        rng: the source of all randomness.
        clusters: as `roc_auc`.
        resamples: how many times to draw.
        confidence: how often such intervals are to cover the truth.

    Returns:
        The interval; None where no item is positive.

    Raises:
        ValueError: as `roc_auc`.
    """
    codes, is_positive = _checked(scores, positive)
    order = np.argsort(-codes, kind="stable")
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1))

    def area(weights: Floats) -> Floats:
        taken = np.add.reduceat(weights[:, order], starts, axis=1)
        hits = np.add.reduceat((weights * is_positive)[:, order], starts, axis=1)
        precision = np.cumsum(hits, axis=1) / np.maximum(np.cumsum(taken, axis=1), 1)
        mean: Floats = (hits * precision).sum(axis=1) / hits.sum(axis=1)
        return mean

    return bootstrap_weights(area, len(codes), rng, clusters, resamples, confidence)


def _checked(scores: ArrayLike, positive: ArrayLike) -> tuple[Codes, Floats]:
    """Return the scores as codes in order, and whether each item is positive."""
    values, flags = np.asarray(scores, float), np.asarray(positive, float)
    if values.shape != flags.shape or values.ndim != 1:
        raise ValueError(f"{values.shape} scores for {flags.shape} items")
    if not np.isfinite(values).all():
        raise ValueError("a score is not a number")
    return np.unique(values, return_inverse=True)[1], flags
