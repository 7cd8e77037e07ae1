"""Measures of binary classification: precision, recall and F1 of both classes, and the G-mean."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from factprobe.metrics.agreement.claims import f1
from factprobe.metrics.statistics.bootstrap import bootstrap
from factprobe.metrics.statistics.intervals import Floats, Interval, rate_interval


def _g_mean(totals: Floats) -> Floats:
    """Return the geometric mean of the recalls of both classes."""
    found: Floats = np.sqrt(totals[..., 0] / totals[..., 1] * totals[..., 2] / totals[..., 3])
    return found


def class_measures(
    gold: Sequence[bool], found: Sequence[bool | None], seed: int, clusters: Sequence[str] | None = None
) -> dict[str, Interval | None]:
    """Compute measures of binary classification in [0, 1], higher is better, with their intervals.

    `precision`, `recall` and `f1` are those of the positive class, names with `_not` those of the negative class; the
    G-mean is the geometric mean of both recalls (Kubat and Matwin 1997, ICML). F1 and the G-mean have bootstrap
    intervals. An undefined measure is None.

    Args:
        gold: whether each item is positive.
        found: whether each item is predicted positive; None for no prediction, which counts as a miss for recall and in
            no precision.
        seed: the seed of the bootstrap.
        clusters: the cluster of each item; by default items are independent.

    Raises:
        ValueError: the lengths differ.
    """
    pairs = list(zip(gold, found, strict=True))
    positive, negative = (np.array([truth is label for truth, _ in pairs], float) for label in (True, False))
    predicted, predicted_not = (np.array([guess is label for _, guess in pairs], float) for label in (True, False))
    hit, hit_not = positive * predicted, negative * predicted_not
    recalls = np.column_stack([hit, positive, hit_not, negative])
    rng = np.random.default_rng
    return {
        "f1": f1([*gold], [one is True for one in found], rng(seed), clusters),
        "f1_not": f1([not one for one in gold], [one is False for one in found], rng(seed), clusters),
        "precision": rate_interval(hit, predicted, clusters),
        "recall": rate_interval(hit, positive, clusters),
        "precision_not": rate_interval(hit_not, predicted_not, clusters),
        "recall_not": rate_interval(hit_not, negative, clusters),
        "g_mean": bootstrap(recalls, _g_mean, rng(seed), clusters) if pairs else None,
    }
