"""Risk and coverage: errors among the answers of which a model is surest.

El-Yaniv and Wiener 2010, Journal of Machine Learning Research 11, section 2; the area as the mean risk over all
coverages: Geifman, Uziel and El-Yaniv 2019, ICLR, section 2.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from factprobe.metrics.statistics.intervals import Floats, Interval, Labels, codes_of, numbered, wilson, z_value


def risk_coverage_area(confidences: ArrayLike, wrong: ArrayLike, clusters: Labels | None = None) -> Interval | None:
    """Return the area under the risk-coverage curve, in [0, 1], lower is better.

    Answers of the same confidence count as their mean. The interval is normal on the scale of the logit, with the
    variance of the area's influence function summed by cluster: for an answer i among n in order of confidence, with
    risk r_k among the first k, it is `r_i - area + sum over k >= i of (wrong_i - r_k) / k`.

    Args:
        confidences: any score that orders the answers; shape (answers,).
        wrong: whether each answer is wrong; shape (answers,).
        clusters: what each answer shares its luck with, by default nothing.

    Returns:
        None without answers. With one cluster, or an area of 0 or 1, the interval is Wilson's of as many trials as
        clusters.
    """
    given, lost = np.asarray(confidences, float), np.asarray(wrong, float)
    if not len(given):
        return None
    codes = numbered(codes_of(clusters, len(given)))
    area, parts = _influence(given, lost)
    sums, count = np.bincount(codes, parts), int(codes.max()) + 1
    if count < 2 or not 0 < area < 1:
        return wilson(area, count)
    error = sqrt(float((sums**2).sum()) * count / (count - 1)) / len(given)
    half = z_value(0.95) * error / (area * (1 - area))
    centre = np.log(area / (1 - area))
    low, high = (1 / (1 + np.exp(-np.clip(centre + shift, -700, 700))) for shift in (-half, half))
    return Interval(area, min(float(low), area), max(float(high), area))


def _influence(confidences: Floats, wrong: Floats) -> tuple[float, Floats]:
    """Return the area and each answer's influence on it, of mean 0."""
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
    counts = np.bincount(group)
    mean_risk, mean_weight, mean_loss = (
        (np.add.reduceat(values, starts) / counts)[group] for values in (risks, from_end, risks_from_end)
    )
    parts = np.empty(size)
    parts[order] = mean_risk - area + wrong[order] * mean_weight - mean_loss
    return area, parts
