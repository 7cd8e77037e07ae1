"""Skill of probabilities against the base rate."""

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
    """Return the Brier skill score: the share saved of the base rate's Brier score.

    It is 1 at best, 0 for no gain, below 0 for worse.

    `1 - BS / BS_ref` (Brier 1950; Wilks 2019, Statistical Methods in the Atmospheric Sciences, section 9.4.2), with the
    base rate of the items themselves.

    Args:
        probabilities: in [0, 1].
        outcomes: whether each came true.
        rng: the source of all randomness.
        clusters: the cluster of each item, by default its own.

    Returns:
        The interval; None where all outcomes are the same.
    """
    given, truth = np.asarray(probabilities, float), np.asarray(outcomes, float)
    if len(given) and 0 < truth.mean() < 1 and (given == truth.mean()).all():
        return Interval(0.0, 0.0, 0.0)  # the reference itself, whatever items are drawn

    def skill(totals: Floats) -> Floats:
        rate = totals[..., 2] / totals[..., 0]
        reference = rate * (1 - rate)
        return np.where(reference > 0, 1 - totals[..., 1] / totals[..., 0] / reference, np.nan)

    return bootstrap(np.column_stack([np.ones(len(given)), (given - truth) ** 2, truth]), skill, rng, clusters)
