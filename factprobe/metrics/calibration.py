"""Confidence of a model in its answers: calibration, accuracy-coverage curve, and area under the risk-coverage curve.

Functions of `probabilities` raise ValueError if one is outside [0, 1], or their number is not that of `correct`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import exp, fsum, sqrt
from zlib import crc32

import numpy as np
from msgspec import Struct
from numpy.random import Generator
from numpy.typing import ArrayLike

from factprobe.metrics.base import ATTEMPTED
from factprobe.metrics.breakdowns.base import OwnedRow
from factprobe.metrics.statistics.bootstrap import bootstrap, bootstrap_weights
from factprobe.metrics.statistics.intervals import (
    Clusters,
    Codes,
    Floats,
    Interval,
    codes_of,
    known_share,
    not_none,
    renumber,
    share,
    wilson,
    z_value,
)
from factprobe.metrics.tallies import Cell, Tally
from factprobe.reading.structure.confidence import stated_confidence
from factprobe.records import Response

_BIN_COUNT = 10
_RESAMPLES = 1_000


class Bin(Struct, frozen=True):
    """Bin of answers with probabilities from `low` to `high`, with the mean `probability`, for the reliability plot."""

    low: float
    high: float
    count: int
    probability: float
    accuracy: Interval


class CoverageCurve(Struct, frozen=True):
    """Accuracy-coverage curve: accuracy on the answers of highest probability, by their share of all answers."""

    coverage: tuple[float, ...]
    """Coverage at each point: share of questions that are answered, increasing to 1."""
    accuracy: tuple[float, ...]
    """Accuracy on the questions answered at each point."""
    threshold: tuple[float, ...]
    """Lowest probability among the questions answered at each point."""
    area: Interval
    """Area under the curve, in [0, 1], higher is better: 1 minus the area under the risk-coverage curve."""


class ModelCalibration(OwnedRow, frozen=True, kw_only=True):
    """Calibration of a model's probabilities over the questions that it attempted."""

    questions: int
    """Number of questions whose response has a probability."""
    error: Interval
    """Expected calibration error over ten bins of equal width."""
    brier: Interval
    bins: tuple[Bin, ...]
    curve: CoverageCurve


def confidence(response: Response) -> float | None:
    """Return a model's confidence in its answer, in [0, 1] unless the input has another scale; None if unknown.

    It is the first available of: that recorded with the response; the one stated in its text (`Confidence: 80%`); of a
    ranked question, the largest softmax value of the log-likelihoods; the product of the tokens' probabilities.
    """
    stated = response.confidence
    stated = stated_confidence(response.response or "") if stated is None else stated
    if stated is not None:
        return stated
    if response.scores:
        best = max(response.scores)
        return 1 / fsum(exp(score - best) for score in response.scores)
    return min(exp(fsum(response.logprobs)), 1.0) if response.logprobs else None


def brier_score(probabilities: ArrayLike, correct: ArrayLike, clusters: Clusters = None) -> Interval | None:
    """Return the Brier score, in [0, 1], lower is better; None without questions.

    It is the mean squared difference of probability and outcome (Brier 1950, half of formula 2). The arguments, of
    shape (questions,), are the model's probability of each answer, whether it is right, and its subject.
    """
    given, right = _check_input(probabilities, correct)
    return share((given - right) ** 2, clusters)


def expected_calibration_error(
    probabilities: ArrayLike, correct: ArrayLike, rng: Generator, clusters: Clusters = None, resamples: int = 2_000
) -> Interval | None:
    """Return the expected calibration error over ten bins of equal width, in [0, 1], lower is better; None if empty.

    It is the mean distance of probability and accuracy over the bins, weighted by size (Naeini, Cooper and Hauskrecht
    2015, AAAI, section 4). Since distances are never negative, the estimate is biased upwards, and the estimates of
    resamples are biased upwards again. The interval is therefore the basic bootstrap interval, `2 estimate - quantiles`
    (Davison and Hinkley 1997, section 5.2), within [0, 1]. Its lower end is 0 if perfectly calibrated bins (gaps
    centred on 0) show as much error by chance. All resamples use the bins of the data.
    """
    given, right = _check_input(probabilities, correct)
    codes = renumber(_bin_numbers(given))
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

    all_gaps = given - right, given - right - means[codes]
    resampled, chance = (not_none(bootstrap(spread(gaps), error, rng, clusters, resamples)) for gaps in all_gaps)
    low, high = 2 * resampled.estimate - resampled.high, 2 * resampled.estimate - resampled.low
    return Interval(resampled.estimate, 0.0 if resampled.estimate <= chance.high else max(low, 0.0), min(high, 1.0))


def reliability(probabilities: ArrayLike, correct: ArrayLike, clusters: Clusters = None) -> list[Bin]:
    """Return the points of the reliability plot, one for each non-empty bin; arguments have the shape (questions,)."""
    given, right = _check_input(probabilities, correct)
    codes = _bin_numbers(given)
    bins = []
    for code in np.unique(codes):
        chosen = np.flatnonzero(codes == code)
        groups = [clusters[at] for at in chosen.tolist()] if clusters is not None else None
        mean, accuracy = float(given[chosen].mean()), known_share(right[chosen], groups)
        bins.append(Bin(float(code / _BIN_COUNT), float((code + 1) / _BIN_COUNT), len(chosen), mean, accuracy))
    return bins


def accuracy_coverage(
    probabilities: ArrayLike,
    correct: ArrayLike,
    rng: Generator,
    clusters: Clusters = None,
    points: int = 100,
    resamples: int = 2_000,
) -> CoverageCurve | None:
    """Compute the accuracy-coverage curve, with the most probable answers first; None without questions.

    Instead of probabilities, any scores in [0, 1] may be given. Answers of equal probability are replaced by their
    mean. The curve has at most `points` points, between groups of equal probabilities; the area is computed from all
    answers. Sources: El-Yaniv and Wiener 2010, Journal of Machine Learning Research 11, section 2 (risk and coverage);
    Geifman, Uziel and El-Yaniv 2019, ICLR, section 2 (the area, as the mean over all coverages).
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
    coverage, accuracy, threshold = ends / len(given), np.cumsum(right)[ends - 1] / ends, given[ends - 1]
    return CoverageCurve(tuple(coverage.tolist()), tuple(accuracy.tolist()), tuple(threshold.tolist()), interval)


def risk_coverage_area(confidences: ArrayLike, wrong: ArrayLike, clusters: Clusters = None) -> Interval | None:
    """Return the area under the risk-coverage curve, in [0, 1], lower is better.

    It is the mean, over all k, of the share of wrong answers among the k most confident (Geifman, Uziel and El-Yaniv
    2019, ICLR, section 2). The confidences, shape (answers,), are any scores that order the answers; answers of equal
    confidence are replaced by their mean. The result is None without answers.

    The interval is normal on the logit scale, with the variance of the area's influence function summed by cluster: for
    an answer i among n in order of confidence, with risk r_k among the first k, it is `r_i - area + sum over k >= i of
    (wrong_i - r_k) / k`. With one cluster, or an area of 0 or 1, the interval is Wilson's with the number of clusters
    as trials.
    """
    given, lost = np.asarray(confidences, float), np.asarray(wrong, float)
    if given.shape != lost.shape or given.ndim != 1:
        raise ValueError(f"{given.shape} confidences for {lost.shape} answers")
    if np.isnan(given).any():
        raise ValueError("a confidence is NaN")
    if not len(given):
        return None
    codes = renumber(codes_of(clusters, len(given)))
    area, parts = _area_with_influences(given, lost)
    sums, count = np.bincount(codes, parts), int(codes.max()) + 1
    if count < 2 or not 0 < area < 1:
        return wilson(area, count)
    error = sqrt(float((sums**2).sum()) * count / (count - 1)) / len(given)
    half = z_value(0.95) * error / (area * (1 - area))
    centre = np.log(area / (1 - area))
    low, high = (1 / (1 + np.exp(-np.clip(centre + shift, -700, 700))) for shift in (-half, half))
    return Interval(area, min(float(low), area), max(float(high), area))


def _area_with_influences(confidences: Floats, wrong: Floats) -> tuple[float, Floats]:
    """Return the area under the risk-coverage curve, and each answer's influence on it (with mean 0)."""
    size = len(confidences)
    order = np.argsort(-confidences, kind="stable")
    starts = np.flatnonzero(np.diff(confidences[order], prepend=np.inf))
    group = np.repeat(np.arange(len(starts)), np.diff(starts, append=size))
    expected = (np.add.reduceat(wrong[order], starts) / np.bincount(group))[group]
    places = np.arange(1, size + 1)
    risks = np.cumsum(expected) / places
    area = float(risks.mean())
    from_end = np.cumsum((1 / places)[::-1])[::-1]
    risks_from_end = np.cumsum((risks / places)[::-1])[::-1]
    means = (np.add.reduceat(values, starts) / np.bincount(group) for values in (risks, from_end, risks_from_end))
    mean_risk, mean_weight, mean_loss = (mean[group] for mean in means)
    parts = np.empty(size)
    parts[order] = mean_risk - area + wrong[order] * mean_weight - mean_loss
    return area, parts


def calibrations(kg: str, cells: Mapping[Cell, Tally], seed: int) -> Iterator[ModelCalibration]:
    """Yield the calibration of each model on its attempts that have a confidence."""
    for (generator, model), tally in Tally.by_owner(cells).items():
        counted = tally.counted()
        used = counted.flags(ATTEMPTED) & ~np.isnan(counted.confidences)
        if not used.any():
            continue
        given, right = counted.confidences[used], counted.flags(("correct",))[used]
        subjects = renumber(counted.clusters[used])
        rng = np.random.default_rng([seed, crc32(f"{kg}\0{generator}\0{model}".encode(errors="replace"))])
        yield ModelCalibration(
            kg=kg,
            generator=generator,
            model=model,
            questions=len(given),
            error=not_none(expected_calibration_error(given, right, rng, subjects, _RESAMPLES)),
            brier=not_none(brier_score(given, right, subjects)),
            bins=tuple(reliability(given, right, subjects)),
            curve=not_none(accuracy_coverage(given, right, rng, subjects, resamples=_RESAMPLES)),
        )


def _check_input(probabilities: ArrayLike, correct: ArrayLike) -> tuple[Floats, Floats]:
    given, right = np.asarray(probabilities, float), np.asarray(correct, float)
    if given.shape != right.shape or given.ndim != 1:
        raise ValueError(f"{given.shape} probabilities for {right.shape} answers")
    if not ((given >= 0) & (given <= 1)).all():
        raise ValueError("a probability lies outside [0, 1]")
    return given, right


def _bin_numbers(probabilities: Floats) -> Codes:
    """Return the index of each probability's bin; an edge belongs to the bin above it, and 1 to the last bin."""
    return np.minimum((probabilities * _BIN_COUNT).astype(np.intp), _BIN_COUNT - 1)
