"""Clustered bootstrap: percentile intervals of statistics of sums over questions, or of item weights.

Whole clusters are drawn with replacement (Davison and Hinkley 1997, Bootstrap Methods and their Application, section
3.8). For the percentile interval see Efron and Tibshirani 1993, An Introduction to the Bootstrap, chapter 13.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from factprobe.metrics.statistics.intervals import Clusters, Codes, Floats, Interval, codes_of

Statistic = Callable[[Floats], Floats]
_MAX_BLOCK_VALUES = 2_000_000
"""Maximum number of values in a block of resamples (16 MB)."""
_DRAWS_AT_ONCE = 1 << 14
"""Number of draws to count together, so that they fit into a core's cache."""


def bootstrap(
    sums: ArrayLike,
    statistic: Statistic,
    rng: Generator,
    clusters: Clusters = None,
    resamples: int = 10_000,
    confidence: float = 0.95,
) -> Interval | None:
    """Return the percentile interval of a statistic of column sums over questions.

    `sums` has the questions' contributions to the columns, shape (questions, columns). `statistic` is a function from
    column totals, shape (..., columns), to values, shape (...), NaN if undefined. The result is None if the statistic
    of the data is undefined; resamples in which it is undefined are ignored.

    Clusters with equal sums are drawn together with a multinomial weight, which gives the same distribution: 100,000
    true/false questions form a few dozen rows. With few clusters, the coverage is too low
    (`benchmarks/interval_coverage.py`); with equal clusters, the width is zero. Prefer `rate_interval` for a rate.
    """
    values = np.asarray(sums, float)
    codes = codes_of(clusters, len(values))
    if not len(values):
        return None
    rows, counts = _count_distinct_sums(values, codes)
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate = float(statistic(counts @ rows))
        replicates = np.concatenate([statistic(weights @ rows) for weights in _draw_resamples(rng, counts, resamples)])
    return _percentile_interval(estimate, replicates, confidence)


def bootstrap_weights(
    statistic: Statistic, size: int, rng: Generator, clusters: Clusters = None, resamples: int = 2_000
) -> Interval | None:
    """Return the 95 % percentile interval of a statistic of weighted items, such as a rank statistic or a curve.

    `statistic` is a function from weights, shape (resamples, items), to values, shape (resamples,). The weights say how
    often each of the `size` items was drawn. The result is None without items, or if the statistic is undefined.
    """
    if size == 0:
        return None
    codes = codes_of(clusters, size)
    counts = np.ones(int(codes.max()) + 1, np.intp)
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate = float(statistic(np.ones((1, size)))[0])
        blocks = _draw_resamples(rng, counts, resamples, max(size, len(counts)))
        replicates = np.concatenate([statistic(weights[:, codes]) for weights in blocks])
    return _percentile_interval(estimate, replicates)


def _percentile_interval(estimate: float, replicates: Floats, confidence: float = 0.95) -> Interval | None:
    """Return the interval between the replicates' quantiles, widened to include the estimate; None if undefined."""
    defined = replicates[np.isfinite(replicates)]
    if not np.isfinite(estimate) or not len(defined):
        return None
    low, high = np.quantile(defined, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(estimate, min(float(low), estimate), max(float(high), estimate))


def _draw_resamples(rng: Generator, counts: NDArray[np.intp], resamples: int, width: int = 0) -> Iterator[Floats]:
    """Yield blocks of resamples, shape (resamples, rows): how often each row, of `counts[i]` clusters, is drawn."""
    rows, total = len(counts), int(counts.sum())
    block = max(_MAX_BLOCK_VALUES // max(width, rows), 1)
    for start in range(0, resamples, block):
        size = min(block, resamples - start)
        if rows == total:  # single draws are twice as fast as a multinomial with as many rows as draws
            yield _draw_single_rows(rng, rows, size)
        else:
            yield rng.multinomial(total, counts / total, size=size).astype(float)


def _draw_single_rows(rng: Generator, rows: int, resamples: int) -> Floats:
    """Draw `rows` rows with replacement, and return how often each is drawn, shape (resamples, rows)."""
    draws = np.empty((resamples, rows))
    block = max(_DRAWS_AT_ONCE // rows, 1)
    for start in range(0, resamples, block):
        part = draws[start : start + block]
        places = rng.integers(rows, size=part.shape) + rows * np.arange(len(part))[:, None]
        part[:] = np.bincount(places.ravel(), minlength=part.size).reshape(part.shape)
    return draws


def _count_distinct_sums(values: Floats, clusters: Codes) -> tuple[Floats, NDArray[np.intp]]:
    """Return the distinct column sums of clusters, and how many clusters have each, whatever the order of items."""
    order = np.argsort(clusters, kind="stable")
    starts = np.flatnonzero(np.diff(clusters[order], prepend=-1))
    rows = np.add.reduceat(values[order], starts, axis=0)
    ordered = rows[np.lexsort(rows.T[::-1])]
    firsts = np.flatnonzero(np.concatenate([[True], (ordered[1:] != ordered[:-1]).any(axis=1)]))
    return ordered[firsts], np.diff(firsts, append=len(rows))
