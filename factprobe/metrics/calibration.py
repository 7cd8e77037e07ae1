"""Calibration of a model's probabilities, and its accuracy on the answers with the highest probabilities."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike

from factprobe.metrics.statistics.bootstrap import bootstrap, bootstrap_weights
from factprobe.metrics.statistics.intervals import Clusters, Codes, Floats, Interval, known_share, numbered, share

_BINS = 10


class Bin(Struct, frozen=True):
    """Answers of similar probability: a point of the reliability plot."""

    low: float
    high: float
    count: int
    """Number of answers."""
    probability: float
    """Mean probability of the answers."""
    accuracy: Interval
    """Share of right answers."""


class CoverageCurve(Struct, frozen=True):
    """Accuracy on the answers with the highest probabilities, as a function of their share of all."""

    coverage: tuple[float, ...]
    """Share of questions answered at each point, increasing to 1."""
    accuracy: tuple[float, ...]
    """Accuracy on the questions answered at each point."""
    threshold: tuple[float, ...]
    """Lowest probability of the questions answered at each point."""
    area: Interval
    """Area under the curve, in [0, 1], higher is better: 1 minus the area under the risk-coverage curve."""


def brier_score(probabilities: ArrayLike, correct: ArrayLike, clusters: Clusters = None) -> Interval | None:
    """Return the Brier score, in [0, 1], lower is better.

    It is the mean squared difference of probability and outcome (Brier 1950, half of formula 2).

    Args:
        probabilities: the model's probability of each answer, in [0, 1], shape (questions,).
        correct: whether each answer is right, shape (questions,).
        clusters: the subject entity of each question; by default questions are independent.

    Returns:
        The score with the interval of `rate_interval`; None without questions.

    Raises:
        ValueError: the lengths differ, or a probability is outside [0, 1].
    """
    given, right = _check_input(probabilities, correct)
    return share((given - right) ** 2, clusters)


def expected_calibration_error(
    probabilities: ArrayLike,
    correct: ArrayLike,
    rng: np.random.Generator,
    clusters: Clusters = None,
    resamples: int = 2_000,
) -> Interval | None:
    """Return the expected calibration error over ten bins of equal width, in [0, 1], lower is better.

    It is the mean distance of probability and accuracy over bins, weighted by size (Naeini, Cooper and Hauskrecht 2015,
    AAAI, section 4). Since distances are never negative, the estimate is biased upwards, and its resamples are so once
    more. The interval is therefore the basic bootstrap interval, `2 estimate - quantiles` (Davison and Hinkley 1997,
    section 5.2), within [0, 1]. Its lower end is 0 if calibrated bins, with centred gaps, show as much error by chance.
    All resamples use the bins of the data. None without questions; arguments and errors as `brier_score`.
    """
    given, right = _check_input(probabilities, correct)
    codes = numbered(_bins(given))
    used = int(codes.max(initial=-1)) + 1
    if not used:
        return None
    means = np.bincount(codes, given - right) / np.bincount(codes)

    def spread(gaps: Floats) -> Floats:
        table = np.zeros((len(gaps), used + 1))
        table[np.arange(len(gaps)), codes], table[:, used] = gaps, 1
        return table

    def error(totals: Floats) -> Floats:
        distance: Floats = np.abs(totals[..., :used]).sum(axis=-1) / totals[..., used]
        return distance

    drawn, chance = (
        bootstrap(spread(gaps), error, rng, clusters, None, resamples)
        for gaps in (given - right, given - right - means[codes])
    )
    assert drawn is not None  # an error is defined wherever there is an answer
    assert chance is not None
    low, high = 2 * drawn.estimate - drawn.high, 2 * drawn.estimate - drawn.low
    return Interval(drawn.estimate, 0.0 if drawn.estimate <= chance.high else max(low, 0.0), min(high, 1.0))


def reliability(probabilities: ArrayLike, correct: ArrayLike, clusters: Clusters = None) -> list[Bin]:
    """Return the points of the reliability plot, one for each non-empty bin from low to high, see `brier_score`."""
    given, right = _check_input(probabilities, correct)
    codes = _bins(given)
    found = []
    for code in np.unique(codes):
        chosen = np.flatnonzero(codes == code)
        groups = [clusters[at] for at in chosen.tolist()] if clusters is not None else None
        mean, accuracy = float(given[chosen].mean()), known_share(right[chosen], groups)
        found.append(Bin(float(code / _BINS), float((code + 1) / _BINS), len(chosen), mean, accuracy))
    return found


def accuracy_coverage(
    probabilities: ArrayLike,
    correct: ArrayLike,
    rng: np.random.Generator,
    clusters: Clusters = None,
    points: int = 100,
    resamples: int = 2_000,
) -> CoverageCurve | None:
    """Compute the accuracy-coverage curve, with answers in the order of their probabilities.

    El-Yaniv and Wiener 2010, Journal of Machine Learning Research 11, section 2 (risk and coverage); Geifman, Uziel and
    El-Yaniv 2019, ICLR, section 2 (the area, as the mean over all coverages). Answers with equal probabilities count
    as their mean. None without questions; arguments and errors as `brier_score`, and any score in [0, 1] will do.

    Args:
        probabilities: the score that orders the answers.
        correct: whether each answer is right.
        rng: the random generator of the bootstrap.
        clusters: the subject entity of each question.
        points: the maximum number of points, between groups of equal probabilities; the area is that of all.
        resamples: the number of bootstrap resamples, for the area.
    """
    given, right = _check_input(probabilities, correct)
    order = np.lexsort((right, -given))
    given, right = given[order], right[order]
    groups = [clusters[at] for at in order.tolist()] if clusters is not None else None
    starts = np.flatnonzero(np.diff(given, prepend=np.inf))
    codes = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(given)))

    def area(weights: Floats) -> Floats:
        counts = np.add.reduceat(weights, starts, axis=1)
        rates = np.add.reduceat(weights * right, starts, axis=1) / np.maximum(counts, 1)
        answered = np.cumsum(weights, axis=1)
        accuracies = np.cumsum(weights * rates[:, codes], axis=1) / np.maximum(answered, 1)
        mean: Floats = (weights * accuracies).sum(axis=1) / answered[:, -1]
        return mean

    interval = bootstrap_weights(area, len(given), rng, groups, resamples)
    if interval is None:
        return None
    ends = np.append(starts[1:], len(given))
    ends = ends[np.unique(np.linspace(0, len(ends) - 1, min(points, len(ends))).round().astype(np.intp))]
    accuracies = np.cumsum(right)[ends - 1] / ends
    return CoverageCurve(
        coverage=tuple((ends / len(given)).tolist()),
        accuracy=tuple(accuracies.tolist()),
        threshold=tuple(given[ends - 1].tolist()),
        area=interval,
    )


def _check_input(probabilities: ArrayLike, correct: ArrayLike) -> tuple[Floats, Floats]:
    given, right = np.asarray(probabilities, float), np.asarray(correct, float)
    if given.shape != right.shape or given.ndim != 1:
        raise ValueError(f"{given.shape} probabilities for {right.shape} answers")
    if not ((given >= 0) & (given <= 1)).all():
        raise ValueError("a probability lies outside [0, 1]")
    return given, right


def _bins(probabilities: Floats) -> Codes:
    """Return the number of each probability's bin, from 0; an edge belongs to the bin above it, 1 to the last bin."""
    return np.minimum((probabilities * _BINS).astype(np.intp), _BINS - 1)
