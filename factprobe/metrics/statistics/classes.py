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
    """Compute each measure in [0, 1], higher is better, with its interval: for F1 and the G-mean by the bootstrap.

    `precision`, `recall` and `f1` are of the items that are looked for, those that end in `_not` of the others; the
    G-mean is the geometric mean of both recalls (Kubat and Matwin 1997, ICML). None where a measure is not defined.

    Args:
        gold: whether each item is one of those that are looked for.
        found: whether it was taken for one; None for neither class, which misses its own and is in no precision.
        seed: for the bootstrap.
        clusters: the cluster of each item, by default its own.

    Raises:
        ValueError: lengths that differ.
    """
    pairs = list(zip(gold, found, strict=True))
    is_one, is_other = (np.array([one is label for one, _ in pairs], float) for label in (True, False))
    taken, taken_not = (np.array([one is label for _, one in pairs], float) for label in (True, False))
    hit, hit_not = is_one * taken, is_other * taken_not
    recalls = np.column_stack([hit, is_one, hit_not, is_other])
    rng = np.random.default_rng
    return {
        "f1": f1([*gold], [one is True for one in found], rng(seed), clusters),
        "f1_not": f1([not one for one in gold], [one is False for one in found], rng(seed), clusters),
        "precision": rate_interval(hit, taken, clusters),
        "recall": rate_interval(hit, is_one, clusters),
        "precision_not": rate_interval(hit_not, taken_not, clusters),
        "recall_not": rate_interval(hit_not, is_other, clusters),
        "g_mean": bootstrap(recalls, _g_mean, rng(seed), clusters) if pairs else None,
    }
