"""Confidence intervals of rates: Wilson's, and Wilson's at the effective size of a clustered sample.

A rate is a ratio of sums over questions, `sum(parts) / sum(wholes)`, in [0, 1], such as accuracy, F1 or MRR. Outcomes
of questions about one subject are correlated; intervals that ignore this are too narrow. The functions raise ValueError
for arguments outside their ranges or of different lengths.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist
from typing import TypeVar

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

T = TypeVar("T")
Floats = NDArray[np.float64]
Codes = NDArray[np.intp]
Flags = NDArray[np.bool_]
Clusters = Sequence[str] | Codes | None
"""Label of each question's cluster, or its code from 0; None if questions are independent."""

_Z_95 = 1.959963984540054
"""Two-sided normal quantile for 95 %, as in scipy; the standard library's differs in the sixteenth digit."""

PRIOR_WEIGHT = 0.1
"""Weight, in clusters, of the prior that all questions of a cluster have the same outcome (from
`interval_coverage.py`)."""


class Interval(Struct, frozen=True):
    """Estimate with its confidence interval, `low <= estimate <= high`."""

    estimate: float
    low: float
    high: float

    @property
    def ends(self) -> tuple[float, float, float]:
        """Estimate, lower end and upper end."""
        return self.estimate, self.low, self.high


def z_value(confidence: float) -> float:
    """Return the two-sided quantile of the normal distribution: 1.96 for a confidence of 0.95."""
    if confidence == 0.95:
        return _Z_95
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence lies between 0 and 1, not at {confidence}")
    return NormalDist().inv_cdf((1 + confidence) / 2)


def wilson(rate: float, size: float, confidence: float = 0.95) -> Interval:
    """Return Wilson's interval (1927; Brown, Cai and DasGupta 2001, formula 4) of a proportion of `size` trials."""
    if not (0 <= rate <= 1 and size > 0):
        raise ValueError(f"no proportion: {rate} of {size} trials")
    z2 = z_value(confidence) ** 2
    centre = (rate + z2 / (2 * size)) / (1 + z2 / size)
    half = sqrt(z2 * (rate * (1 - rate) / size + z2 / (4 * size * size))) / (1 + z2 / size)
    return Interval(rate, min(max(centre - half, 0.0), rate), max(min(centre + half, 1.0), rate))


def rate_interval(
    parts: ArrayLike, wholes: ArrayLike, clusters: Clusters = None, strata: Clusters = None, confidence: float = 0.95
) -> Interval | None:
    """Return `sum(parts) / sum(wholes)`, or its mean over strata, with its interval; None without questions.

    `parts` and `wholes` have each question's contributions to numerator and denominator, `0 <= parts <= wholes`.
    Questions with 0 in `wholes` are ignored. Strata are, for example, the relations of a macro average.

    The interval is Wilson's at the effective sample size `P (1 - P) / V` (Franco, Little, Louis and Slud 2019, Journal
    of Survey Statistics and Methodology 7, 334-364). `V` is the larger of two variances of `P`. The first uses the
    intracluster correlation (see `correlation`) with the design effect `1 + rho (sum m^2 / sum m - 1)` for clusters of
    `m` questions (Kish 1965, Survey Sampling). The second is the linearised variance between clusters, which also holds
    if rates depend on the size of clusters (Cochran 1977, Sampling Techniques, chapter 9A, ratio to size). The
    variances of strata add up. The rate of a stratum is shrunk towards the mean by one additional trial, since a rate
    of 0 or 1 in a small stratum would seem certain. `benchmarks/interval_coverage.py` measures the coverage.
    """
    sample = _ClusteredSample.of(np.asarray(parts, float), np.asarray(wholes, float), clusters, strata)
    if sample is None:
        return None
    mean = float(np.clip(sample.rates.mean(), 0, 1))
    effective, variance = _effective_sizes(sample, mean)
    squared = len(sample.rates) ** 2
    if 0 < mean < 1 and variance > 0:
        return wilson(mean, mean * (1 - mean) * squared / variance, confidence)
    return wilson(mean, squared / float((1 / effective).sum()), confidence)


def _effective_sizes(sample: _ClusteredSample, mean: float) -> tuple[Floats, float]:
    """Return the effective number of questions in each stratum, and the variance of the sum of their rates."""
    rates, inner = sample.rates, sample.strata[_last_indices(sample.clusters)]
    clusters = np.bincount(inner, minlength=len(rates))
    counts = np.bincount(sample.strata)
    sums, sizes = np.bincount(sample.clusters, sample.residuals), np.bincount(sample.clusters)
    mean_size = np.bincount(inner, sizes.astype(float) ** 2) / counts
    design = 1 + correlation(sample.residuals, sample.clusters, sample.strata, sample.informative) * (mean_size - 1)
    simple = np.bincount(sample.strata, sample.residuals**2) / sample.wholes**2
    spread = rates * (1 - rates)
    is_defined = (simple > 0) & (spread > 0)
    effective = np.where(is_defined, spread / np.where(is_defined, simple, 1), counts) / design
    pulled = (effective * rates + mean) / (effective + 1)
    by_correlation = pulled * (1 - pulled) / effective
    between = clusters / np.maximum(clusters - 1, 1) * np.bincount(inner, sums**2) / sample.wholes**2
    by_clusters = np.where(clusters > 1, between, spread / effective)
    return effective, max(float(by_correlation.sum()), float(by_clusters.sum()))


def share(outcomes: ArrayLike, clusters: Clusters = None) -> Interval | None:
    """Return the mean of outcomes in [0, 1], with its clustered 95 % interval; None without outcomes."""
    values = np.asarray(outcomes, float)
    return rate_interval(values, np.ones(len(values)), clusters)


def known_share(outcomes: ArrayLike, clusters: Clusters = None) -> Interval:
    """Return the mean of one or more outcomes in [0, 1], with its clustered 95 % interval."""
    return not_none(share(outcomes, clusters))


def not_none(value: T | None) -> T:
    """Return a value that cannot be None, since there are items to count."""
    assert value is not None, "there is an item"
    return value


def share_among(parts: Flags, wholes: Flags, clusters: Clusters = None) -> Interval | None:
    """Return the share of items in `parts` among those in `wholes`, with its 95 % interval; None if there are none."""
    return rate_interval(parts & wholes, wholes, clusters)


class EstimateRecord(Struct, frozen=True, kw_only=True):
    """Base class of records with an estimate, or None if it is undefined; its fields follow those of a subclass."""

    estimate: float | None
    low: float | None
    """Lower end of the 95 % interval."""
    high: float | None


def ends_of(interval: Interval | None) -> dict[str, float | None]:
    """Return an interval as the fields of `EstimateRecord`; all None if it is undefined."""
    return dict(zip(("estimate", "low", "high"), interval.ends if interval else (None, None, None), strict=True))


def correlation(residuals: Floats, clusters: Codes, strata: Codes, informative: int) -> float:
    """Return the intracluster correlation, in [0, 1], by analysis of variance.

    `residuals` has the difference of each outcome and the rate of its stratum, shape (questions,). Each cluster is in
    one stratum; one correlation is estimated for all strata. `informative` is the number of clusters that have the
    rarer outcome. The estimator is that of Ridout, Demetrio and Firth (1999, Biometrics 55, 137-148). It is shrunk
    towards 1 with the weight of `PRIOR_WEIGHT` clusters, since few informative clusters give a poor estimate.
    """
    sizes, counts = np.bincount(clusters), np.bincount(strata)
    inner = strata[_last_indices(clusters)]
    free = len(sizes) - len(counts)
    if free == 0:
        return 1.0
    between = float((np.bincount(clusters, residuals) ** 2 / sizes).sum())
    within = max(float((residuals**2).sum()) - between, 0.0) / max(len(residuals) - len(sizes), 1)
    between /= free
    size = (len(residuals) - float((np.bincount(inner, sizes.astype(float) ** 2) / counts).sum())) / free
    total = between + (size - 1) * within
    rounding = 1e-12 * float((residuals**2).sum())
    rho = min(max((between - within) / total, 0.0), 1.0) if total > rounding else 1.0
    return (rho * informative + PRIOR_WEIGHT) / (informative + PRIOR_WEIGHT)


def guess_corrected(accuracy: Interval, chance: float) -> Interval:
    """Correct an accuracy for lucky guesses: `(accuracy - chance) / (1 - chance)`.

    The result is at most 1, 0 for guessing, and below 0 if worse (Frary 1988, Educational Measurement 7(2)). The
    interval is transformed like the estimate, since the chance level, below 1, is known exactly.
    """
    return Interval(*((value - chance) / (1 - chance) for value in accuracy.ends))


def codes_of(labels: Clusters, size: int) -> Codes:
    """Return the code of each label, from 0 in sorted order; codes are unchanged. Without labels, all codes differ."""
    if labels is None:
        return np.arange(size)
    if len(labels) != size:
        raise ValueError(f"{len(labels)} labels for {size} values")
    if isinstance(labels, np.ndarray):
        return labels
    numbers = {label: number for number, label in enumerate(sorted(set(labels)))}
    return np.fromiter((numbers[label] for label in labels), np.intp, size)


def renumber(codes: Codes) -> Codes:
    """Renumber codes from 0 without gaps, in the same order."""
    numbers: Codes = np.unique(codes, return_inverse=True)[1]
    return numbers


def _last_indices(codes: Codes) -> Codes:
    """Return, for each code, the index of the last item with this code."""
    indices = np.empty(int(codes.max()) + 1, np.intp)
    indices[codes] = np.arange(len(codes))
    return indices


class _ClusteredSample(Struct, frozen=True):
    """Clustered sample of questions, with the rate of each stratum and the residual of each question."""

    residuals: Floats
    clusters: Codes
    strata: Codes
    rates: Floats
    wholes: Floats
    informative: int

    @classmethod
    def of(cls, parts: Floats, wholes: Floats, clusters: Clusters, strata: Clusters) -> _ClusteredSample | None:
        size = len(wholes)
        if parts.shape != (size,) or wholes.shape != (size,):
            raise ValueError(f"{parts.shape} parts of {wholes.shape} wholes")
        if not ((parts >= 0) & (parts <= wholes)).all():
            raise ValueError("a part lies below 0 or above its whole")
        is_counted = wholes > 0
        if not is_counted.any():
            return None
        outer = codes_of(strata, size) if strata is not None else np.zeros(size, np.intp)
        outer = renumber(outer[is_counted])
        inner = codes_of(clusters, size)[is_counted]
        inner = renumber(outer * (int(inner.max()) + 1) + inner)  # an entity in two strata forms two clusters
        parts, wholes = parts[is_counted], wholes[is_counted]
        of_stratum = np.bincount(outer, wholes).astype(float)
        rates = np.bincount(outer, parts) / of_stratum
        has_hits = np.bincount(inner, parts) > 0
        has_misses = np.bincount(inner, wholes - parts) > 0
        residuals = parts - rates[outer] * wholes
        return cls(residuals, inner, outer, rates, of_stratum, int(min(has_hits.sum(), has_misses.sum())))
