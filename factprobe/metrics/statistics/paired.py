"""Tests and intervals for paired outcomes, such as those of two models on the same questions."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from math import ceil, sqrt

import numpy as np
from msgspec.structs import replace
from numpy.typing import ArrayLike

from factprobe.metrics.statistics.intervals import (
    Clusters,
    Codes,
    Floats,
    Interval,
    codes_of,
    correlation,
    known_share,
    renumber,
    z_value,
)


def mcnemar(only_first: int, only_second: int) -> tuple[float, float]:
    """Return the exact and the mid-p p-value of McNemar's two-sided test that two models are equally good.

    The test uses the binomial distribution of the discordant questions, which only one of the models answers correctly
    (McNemar 1947, Psychometrika 12; mid-p: Fagerland, Lydersen and Laake 2013, BMC Medical Research Methodology 13:91).
    """
    from scipy.special import bdtr

    fewer, both = min(only_first, only_second), only_first + only_second
    upto = float(bdtr(fewer, both, 0.5))
    at = upto - (float(bdtr(fewer - 1, both, 0.5)) if fewer else 0.0)
    return min(2 * upto, 1.0), 2 * upto - at


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values with Holm's correction for their number (1979, Scandinavian Journal of Statistics 6)."""
    order = np.argsort(p_values, kind="stable")
    corrected = np.zeros(len(p_values))
    scaled = np.arange(len(p_values), 0, -1) * np.asarray(p_values, float)[order]
    corrected[order] = np.maximum.accumulate(np.minimum(scaled, 1.0))
    return corrected.tolist()


def score_interval(only_first: float, only_second: float, questions: float, confidence: float = 0.95) -> Interval:
    """Return the score interval of the difference of two paired proportions, within [-1, 1].

    `only_first` and `only_second` are the numbers of questions that only this model answers correctly, of `questions`,
    above 0; for clustered questions, divide all by the design effect. By Tango 1998, Statistics in Medicine 17,
    891-908, it excludes 0 exactly if McNemar's test without continuity correction rejects at 1 - confidence.
    """
    high = _upper_end(only_first, only_second, questions, confidence)
    low = -_upper_end(only_second, only_first, questions, confidence)
    return Interval((only_first - only_second) / questions, low, high)


def _upper_end(only_first: float, only_second: float, questions: float, confidence: float) -> float:
    z2 = z_value(confidence) ** 2
    gap, differing = only_first - only_second, only_first + only_second

    def is_beyond(delta: float) -> bool:
        # The variance is that of the maximum likelihood estimate under a difference of delta: the root of a quadratic.
        linear = (2 * questions - gap) * delta - differing
        root = sqrt(max(linear * linear + 8 * questions * only_second * delta * (1 - delta), 0.0))
        share = (root - linear) / (4 * questions)
        return (gap - questions * delta) ** 2 >= z2 * questions * (2 * share + delta * (1 - delta))

    margin = 1e-9  # skips the estimate, which is a root too if the models differ on no question or on all
    start, steps = gap / questions + margin, 1 << 52
    if start >= 1:
        return 1.0

    def at(step: int) -> float:
        return start + (1 - start) * (step / steps)

    # Bisection, since scipy.optimize takes 0.4 s to load, a third of the time of a small report.
    return at(bisect_left(range(steps), True, key=lambda step: is_beyond(at(step))))


def paired_difference(
    first: ArrayLike, second: ArrayLike, clusters: Clusters = None, confidence: float = 0.95
) -> Interval:
    """Return the difference of two paired shares, the first minus the second, in [-1, 1], with its score interval.

    `first` and `second` are the outcomes of the same items, one or more; a `ValueError` is raised if their numbers
    differ. The interval is widened by the design effect of the clusters.
    """
    one, other = np.asarray(first, float), np.asarray(second, float)
    if len(one) != len(other):
        raise ValueError(f"{len(one)} outcomes of the first for {len(other)} of the second")
    gains = one - other
    wins, losses, items = int((gains > 0).sum()), int((gains < 0).sum()), len(gains)
    effect = design_effect(gains, renumber(codes_of(clusters, items)))
    score = score_interval(wins / effect, losses / effect, items / effect, confidence)
    return replace(score, estimate=(wins - losses) / items)


def paired_shares(
    first: ArrayLike, second: ArrayLike, clusters: Clusters = None
) -> tuple[Interval, Interval, Interval]:
    """Return two paired shares in [0, 1] and the first minus the second, all with 95 % intervals."""
    difference = paired_difference(first, second, clusters)
    return known_share(first, clusters), known_share(second, clusters), difference


def questions_needed(difference: float, discordance: float, design_effect: float = 1.0, alpha: float = 0.05) -> int:
    """Return the number of questions that McNemar's test needs to detect a difference with a power of 0.8.

    `difference` (d) is that of the accuracies, in (0, 1]. `discordance` (D), at least d, is the share of questions that
    only one of the models answers correctly. `alpha` is the two-sided error rate. Clusters are assumed to keep their
    size. The result is `(z_(1-alpha/2) sqrt(D) + z_power sqrt(D - d^2))^2 / d^2` times the design effect (Connor 1987,
    Biometrics 43, 207-211, for the paired design; Donner and Klar 2000 for the design effect).
    """
    share = max(discordance, difference)
    reach = z_value(1 - alpha) * sqrt(share) + z_value(2 * 0.8 - 1) * sqrt(share - difference**2)
    return ceil(design_effect * (reach / difference) ** 2)


def design_effect(gains: Floats, clusters: Codes) -> float:
    """Return the design effect of clusters for paired differences, the larger of two: by correlation or variance."""
    residuals, sizes = gains - gains.mean(), np.bincount(clusters)
    informative = int((np.bincount(clusters, gains != 0) > 0).sum())
    rho = correlation(residuals, clusters, np.zeros_like(clusters), informative)
    by_correlation = 1 + rho * (float((sizes.astype(float) ** 2).sum()) / len(gains) - 1)
    total, count = float((residuals**2).sum()), len(sizes)
    if total == 0 or count == 1:
        return by_correlation
    return max(by_correlation, count / (count - 1) * float((np.bincount(clusters, residuals) ** 2).sum()) / total)
