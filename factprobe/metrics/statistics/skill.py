"""Brier skill score of probabilities against the base rate."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from factprobe.metrics.statistics.bootstrap import bootstrap
from factprobe.metrics.statistics.intervals import Floats, Interval


def brier_skill(
    probabilities: Sequence[float],
    outcomes: Sequence[bool],
    rng: np.random.Generator,
    clusters: Sequence[str] | None = None,
) -> Interval | None:
    """Return the Brier skill score, `1 - BS / BS_ref`: at most 1, 0 for no gain over the base rate, below 0 for worse.

    The reference predicts the base rate of the same items (Brier 1950; Wilks 2019, Statistical Methods in the
    Atmospheric Sciences, section 9.4.2).

    Args:
        probabilities: the probability of each item, in [0, 1].
        outcomes: the outcome of each item.
        rng: the random generator of the bootstrap.
        clusters: the cluster of each item; by default items are independent.

    Returns:
        The score with its interval; None if all outcomes are equal.
    """
    given, truth = np.asarray(probabilities, float), np.asarray(outcomes, float)
    if len(given) and 0 < truth.mean() < 1 and (given == truth.mean()).all():
        return Interval(0.0, 0.0, 0.0)  # equals the reference in every resample

    def skill(totals: Floats) -> Floats:
        rate = totals[..., 2] / totals[..., 0]
        reference = rate * (1 - rate)
        return np.where(reference > 0, 1 - totals[..., 1] / totals[..., 0] / reference, np.nan)

    return bootstrap(np.column_stack([np.ones(len(given)), (given - truth) ** 2, truth]), skill, rng, clusters)
