"""Measures of binary classification: areas under curves for scores, and measures of labels and of probabilities.

The functions take the random generator or seed of the bootstrap, and the cluster of each item. They raise ValueError if
their arguments differ in length or a score is not a number.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from factprobe.metrics.statistics.bootstrap import bootstrap, bootstrap_weights
from factprobe.metrics.statistics.intervals import Clusters, Codes, Floats, Interval, rate_interval


def roc_auc(scores: ArrayLike, positive: ArrayLike, rng: Generator, clusters: Clusters = None) -> Interval | None:
    """Return the area under the ROC curve, in [0, 1], higher is better, 0.5 for chance.

    `scores` are higher for items that are more likely positive, and `positive` is whether they are; both of shape
    (items,). The area is the probability that a positive item has a higher score than a negative one, where a tie
    counts half (Hanley and McNeil 1982, Radiology 143). It is None if all items are positive, or none is.
    """
    codes, is_positive = _check_input(scores, positive)

    def area(weights: Floats) -> Floats:
        ones = (weights * is_positive).sum(axis=1)
        over = (weights * is_positive * centred_ranks(codes, weights)).sum(axis=1)
        areas: Floats = over / (ones * (weights.sum(axis=1) - ones)) + 0.5
        return areas

    return bootstrap_weights(area, len(codes), rng, clusters)


def centred_ranks(codes: Codes, weights: Floats) -> Floats:
    """Return the ranks of weighted items minus the mean rank; tied items have their mean rank.

    `codes`, shape (items,), is the index of each item's value among the sorted distinct values. `weights` says how
    often each item occurs; it and the result have the shape (resamples, items).
    """
    order = np.argsort(codes, kind="stable")
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
    tied = np.add.reduceat(weights[:, order], starts, axis=1)
    ranks = (np.cumsum(tied, axis=1) - (tied - 1) / 2)[:, codes]
    centred: Floats = ranks - (weights.sum(axis=1, keepdims=True) + 1) / 2
    return centred


def roc_curve(scores: ArrayLike, positive: ArrayLike) -> list[tuple[float, float]]:
    """Return false and true positive rate at each distinct score, from (0, 0) to (1, 1), for items of both kinds."""
    codes, is_positive = _check_input(scores, positive)
    ones = np.bincount(codes, is_positive)[::-1].cumsum() / is_positive.sum()
    others = np.bincount(codes, 1 - is_positive)[::-1].cumsum() / (1 - is_positive).sum()
    return [(0.0, 0.0), *zip(others.tolist(), ones.tolist(), strict=True)]


def average_precision(
    scores: ArrayLike, positive: ArrayLike, rng: Generator, clusters: Clusters = None
) -> Interval | None:
    """Return the average precision, in [0, 1], higher is better; chance is the share of positive items.

    It is the area under the stepwise precision-recall curve: the sum over thresholds of precision times increase in
    recall (Davis and Goadrich 2006, ICML, on why linear interpolation is wrong). It is None if no item is positive.
    `scores` and `positive` have the shape (items,).
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
    """Return the index of each score among the sorted distinct scores, and 1.0 for each positive item, else 0.0."""
    values, flags = np.asarray(scores, float), np.asarray(positive, float)
    if values.shape != flags.shape or values.ndim != 1:
        raise ValueError(f"{values.shape} scores for {flags.shape} items")
    if not np.isfinite(values).all():
        raise ValueError("a score is not a number")
    return np.unique(values, return_inverse=True)[1], flags


def f1(gold: Sequence[bool], predictions: Sequence[bool], rng: Generator, clusters: Clusters = None) -> Interval | None:
    """Return F1, `2 TP / (2 TP + FP + FN)`, in [0, 1]; None if no item is positive by `gold` or by `predictions`."""
    hits = [is_gold and is_predicted for is_gold, is_predicted in zip(gold, predictions, strict=True)]

    def score(totals: Floats) -> Floats:
        return 2 * totals[..., 0] / (totals[..., 1] + totals[..., 2])

    return bootstrap(np.column_stack([hits, gold, predictions]), score, rng, clusters) if hits else None


def class_measures(
    gold: Sequence[bool], predictions: Sequence[bool | None], seed: int, clusters: Clusters = None
) -> dict[str, Interval | None]:
    """Compute measures of binary classification in [0, 1], higher is better, with their intervals.

    `precision`, `recall` and `f1` are those of the positive class; those with `_not` are of the negative class.
    `g_mean` is the geometric mean of both recalls (Kubat and Matwin 1997, ICML). An undefined measure is None. An item
    without a prediction (None in `predictions`) lowers recall and does not affect precision.
    """
    pairs = list(zip(gold, predictions, strict=True))
    positive, negative = (np.array([truth is label for truth, _ in pairs], float) for label in (True, False))
    predicted, predicted_not = (np.array([guess is label for _, guess in pairs], float) for label in (True, False))
    hit, hit_not = positive * predicted, negative * predicted_not

    def g_mean(totals: Floats) -> Floats:
        mean: Floats = np.sqrt(totals[..., 0] / totals[..., 1] * totals[..., 2] / totals[..., 3])
        return mean

    recalls = np.column_stack([hit, positive, hit_not, negative])
    rng = np.random.default_rng
    return {
        "f1": f1([*gold], [label is True for label in predictions], rng(seed), clusters),
        "f1_not": f1([not one for one in gold], [one is False for one in predictions], rng(seed), clusters),
        "precision": rate_interval(hit, predicted, clusters),
        "recall": rate_interval(hit, positive, clusters),
        "precision_not": rate_interval(hit_not, predicted_not, clusters),
        "recall_not": rate_interval(hit_not, negative, clusters),
        "g_mean": bootstrap(recalls, g_mean, rng(seed), clusters) if pairs else None,
    }


def brier_skill(
    probabilities: Sequence[float], outcomes: Sequence[bool], rng: Generator, clusters: Clusters = None
) -> Interval | None:
    """Return the Brier skill score, `1 - BS / BS_ref`: at most 1, 0 if no better than the base rate, below 0 if worse.

    The reference predicts the base rate of the same items (Brier 1950; Wilks 2019, Statistical Methods in the
    Atmospheric Sciences, section 9.4.2). The result is None if all outcomes are equal.
    """
    given, truth = np.asarray(probabilities, float), np.asarray(outcomes, float)
    if len(given) and 0 < truth.mean() < 1 and (given == truth.mean()).all():
        return Interval(0.0, 0.0, 0.0)  # equals the reference in every resample

    def skill(totals: Floats) -> Floats:
        rate = totals[..., 2] / totals[..., 0]
        reference = rate * (1 - rate)
        return np.where(reference > 0, 1 - totals[..., 1] / totals[..., 0] / reference, np.nan)

    return bootstrap(np.column_stack([np.ones(len(given)), (given - truth) ** 2, truth]), skill, rng, clusters)
