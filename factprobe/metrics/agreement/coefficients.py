"""Coefficients of agreement between raters, with bootstrap intervals over items.

The functions take the labels or values of raters for the same items, the random generator of the bootstrap, and the
cluster of each item (None if items are independent). If raters agree on every item, the bootstrap interval has no
width; the interval of the accuracy is then informative. A `ValueError` is raised if raters have different numbers of
items, or a value is not a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.random import Generator

from factprobe.metrics.statistics.bootstrap import bootstrap, bootstrap_weights
from factprobe.metrics.statistics.classes import centred_ranks
from factprobe.metrics.statistics.intervals import Clusters, Floats, Interval, renumber, share

Label = str | None


def accuracy(first: Sequence[str], second: Sequence[str], clusters: Clusters = None) -> Interval | None:
    """Return the share of items that two raters label equally, in [0, 1], with a 95 % interval; None without items."""
    return share([one == other for one, other in zip(first, second, strict=True)], clusters)


def cohen_kappa(
    first: Sequence[str], second: Sequence[str], rng: Generator, clusters: Clusters = None, resamples: int = 10_000
) -> Interval | None:
    """Return Cohen's kappa of two raters: 1 for full agreement, 0 for chance agreement, at least -1.

    It is `(p_o - p_e) / (1 - p_e)` (Cohen 1960, Educational and Psychological Measurement 20, formula 1); None without
    items, or if all labels are equal.
    """
    equal = [one == other for one, other in zip(first, second, strict=True)]
    named = {*first, *second}
    first_counts, second_counts = (_count_labels([(label,) for label in labels], named) for labels in (first, second))

    def kappa(totals: Floats) -> Floats:
        of_first, of_second = totals[..., 1 : 1 + len(named)], totals[..., 1 + len(named) :]
        items = of_first.sum(axis=-1)
        return _beyond_chance(totals[..., 0] / items, (of_first * of_second).sum(axis=-1) / items**2)

    return bootstrap(np.column_stack([equal, first_counts, second_counts]), kappa, rng, clusters, resamples)


def fleiss_kappa(ratings: Sequence[Sequence[str]], rng: Generator, clusters: Clusters = None) -> Interval | None:
    """Return Fleiss' kappa of several raters, equally many for each item: 1 for full agreement, 0 for chance.

    It is `(P - P_e) / (1 - P_e)` (Fleiss 1971, Psychological Bulletin 76, formulas 3 to 7); None without items, or if
    all labels are equal. Each item must have the same number of labels, two or more.
    """
    sizes = {len(labels) for labels in ratings}
    if len(sizes) > 1 or min(sizes, default=2) < 2:
        raise ValueError(f"Fleiss' kappa needs the same number of raters for every item, two or more, not {sizes}")
    raters = min(sizes, default=2)
    counts = _count_labels(ratings)
    agreeing = (counts * (counts - 1)).sum(axis=1) / (raters * (raters - 1))

    def kappa(totals: Floats) -> Floats:
        items = totals[..., 1:].sum(axis=-1) / raters
        shares = totals[..., 1:] / (items * raters)[..., None]
        return _beyond_chance(totals[..., 0] / items, (shares**2).sum(axis=-1))

    return bootstrap(np.column_stack([agreeing, counts]), kappa, rng, clusters)


def krippendorff_alpha(
    ratings: Sequence[Sequence[Label]], rng: Generator, clusters: Clusters = None
) -> Interval | None:
    """Return Krippendorff's alpha for nominal labels: 1 for full agreement, 0 for chance.

    In `ratings`, which has the labels of each item by all raters, None is a missing label. Alpha is `1 - D_o / D_e`
    (Krippendorff 2011, Computing Krippendorff's Alpha-Reliability, section C). Items with fewer than two labels are
    ignored. The result is None if no item has two labels, or if all labels are equal.
    """
    counts = _count_labels(ratings)
    counts[counts.sum(axis=1) < 2] = 0
    sizes = counts.sum(axis=1)
    disagreeing = (sizes**2 - (counts**2).sum(axis=1)) / np.maximum(sizes - 1, 1)

    def alpha(totals: Floats) -> Floats:
        labels = totals[..., 1:].sum(axis=-1)
        expected = labels**2 - (totals[..., 1:] ** 2).sum(axis=-1)
        return np.where(expected > 0, 1 - (labels - 1) * totals[..., 0] / expected, np.nan)

    return bootstrap(np.column_stack([disagreeing, counts]), alpha, rng, clusters)


def spearman_rho(
    first: Sequence[float], second: Sequence[float], rng: Generator, clusters: Clusters = None
) -> Interval | None:
    """Return Spearman's rank correlation in [-1, 1]; equal values get the mean of their ranks.

    Sources: Spearman 1904, American Journal of Psychology 15; Kendall and Gibbons 1990, section 3.8, for ties. The
    result is None if a rater's values are constant.
    """
    if len(first) != len(second):
        raise ValueError(f"{len(first)} values of one rater, {len(second)} of the other")
    if not np.isfinite([*first, *second]).all():
        raise ValueError("a value to rank is not a number")
    order = np.lexsort((second, first))
    values = [renumber(np.asarray(side)[order]) for side in (first, second)]
    groups = [clusters[at] for at in order.tolist()] if clusters is not None else None

    def rho(weights: Floats) -> Floats:
        sides = [centred_ranks(side, weights) for side in values]
        sums = [(weights * sides[one] * sides[other]).sum(axis=1) for one, other in ((0, 1), (0, 0), (1, 1))]
        correlation: Floats = sums[0] / np.sqrt(sums[1] * sums[2])
        return correlation

    return bootstrap_weights(rho, len(first), rng, groups)


def _beyond_chance(observed: Floats, chance: Floats) -> Floats:
    return np.where(chance < 1, (observed - chance) / (1 - chance), np.nan)


def _count_labels(ratings: Sequence[Sequence[Label]], named: Iterable[Label] | None = None) -> Floats:
    """Count the labels of each item, shape (items, distinct labels); missing labels are not counted."""
    labels_to_count = {label for labels in ratings for label in labels} if named is None else named
    columns = sorted(label for label in labels_to_count if label is not None)
    counts = [[labels.count(label) for label in columns] for labels in ratings]
    return np.array(counts, float).reshape(len(ratings), len(columns))
