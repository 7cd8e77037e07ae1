"""Accuracy corrected by human labels: estimated from the grades of all replies and the labels of some.

Prediction-powered inference (Angelopoulos et al. 2023, Science 382, 669-674) with a tuned weight of the predictions
(PPI++, Angelopoulos, Duchi and Zrnic 2023, arXiv:2311.01453) and labels that need not be drawn uniformly (active
statistical inference, Zrnic and Candès 2024, arXiv:2403.03208). With predictions f of all N replies, labels y and
weights w = 1 / chance of the labelled ones:

    estimate = λ mean(f) + Σ w (y - λ f) / Σ w

λ in [0, 1] is the slope of y on f among the labelled replies, with weights w². The variance is computed from each
reply's influence on the estimate, summed by cluster, so that it covers both the choice of labelled replies and the
choice of questions. λ and the mean are fitted to the labels, which makes their residuals too small: each is divided by
the square root of (1 - leverage) (HC2; MacKinnon and White 1985, Journal of Econometrics 29, 305-325).
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, sqrt

import numpy as np
from msgspec import Struct, field
from numpy.typing import ArrayLike

from factprobe.metrics.base import REPLIED
from factprobe.metrics.breakdowns.base import OwnedRow, TableSpec, headers
from factprobe.metrics.statistics.intervals import Clusters, Floats, Interval, ends_of, known_share, wilson, z_value
from factprobe.metrics.tallies import Cell, Tally

MIN_LABELS = 10
"""Minimum number of labels for a correction."""
_MAX_LEVERAGE = 0.9
"""Upper limit of the leverage by which a residual is enlarged."""
_DECIMALS = 12
"""Decimal places of an estimate; further digits are rounding errors."""


class Correction(Struct, frozen=True):
    """Corrected estimate, with the influence of each reply."""

    estimate: float
    parts: Floats
    """Influence of each reply on the estimate, shape (replies,), mean 0."""
    labels: int
    """Number of human labels."""


def correct(predictions: ArrayLike, labels: ArrayLike, chances: ArrayLike | None = None) -> Correction | None:
    """Estimate the mean label of all replies; return None with fewer than `MIN_LABELS` labels.

    All arguments have the shape (replies,): the probability that a reply is correct, its human label (1, 0, or NaN if
    there is none), and its sampling probability, above 0; by default all are equal.
    """
    f, y = np.asarray(predictions, float), np.asarray(labels, float)
    chance = np.ones(len(f)) if chances is None else np.asarray(chances, float)
    labelled = np.flatnonzero(~np.isnan(y))
    if len(labelled) < MIN_LABELS:
        return None
    weights = 1 / chance[labelled]
    weights /= weights.sum()
    some_y, some_f = y[labelled], f[labelled]
    y_moved, f_moved = some_y - weights @ some_y, some_f - weights @ some_f
    spread = weights**2 @ f_moved**2
    slope = float(np.clip(weights**2 @ (y_moved * f_moved) / spread, 0, 1)) if spread > 0 else 0.0
    rest = some_y - slope * some_f
    mean_rest = weights @ rest
    leverage = weights + weights**2 * f_moved**2 / spread if slope else weights
    parts = slope * (f - f.mean())
    parts[labelled] += len(f) * weights * (rest - mean_rest) / np.sqrt(1 - np.minimum(leverage, _MAX_LEVERAGE))
    return Correction(float(slope * f.mean() + mean_rest), parts, len(labelled))


def corrected_rate(
    predictions: ArrayLike, labels: ArrayLike, clusters: Clusters = None, chances: ArrayLike | None = None
) -> Interval | None:
    """Return the accuracy corrected by human labels, with Wilson's 95 % interval at the effective number of labels.

    The interval is for the population of questions, not just for those that were asked. The result is None with fewer
    than `MIN_LABELS` labels. For the arguments, see `correct`; `clusters` groups correlated replies.
    """
    correction = correct(predictions, labels, chances)
    return _rate_interval(correction, _variance_of_mean(correction.parts, clusters)) if correction else None


def _rate_interval(found: Correction, variance: float) -> Interval:
    rate = round(min(max(found.estimate, 0.0), 1.0), _DECIMALS)
    return wilson(rate, rate * (1 - rate) / variance if 0 < rate < 1 and variance > 10**-_DECIMALS else found.labels)


def corrected_difference(first: Correction, second: Correction, clusters: ArrayLike) -> Interval:
    """Return the difference of two corrected accuracies on the same questions; `clusters` has that of each question.

    The interval combines those of the two accuracies and the correlation of their errors (MOVER; Zou and Donner 2008,
    Statistics in Medicine 27, 1693-1702), so that it has a width even if all labels are equal.
    """
    parts = np.concatenate([first.parts / len(first.parts), -second.parts / len(second.parts)])
    codes = np.unique(clusters, return_inverse=True)[1]
    variances = _variance_of_mean(first.parts, codes), _variance_of_mean(second.parts, codes)
    product = sqrt(variances[0] * variances[1])
    variance = _variance_of_mean(parts * len(parts), np.tile(codes, 2))
    correlation = min((sum(variances) - variance) / 2 / product, 1.0) if product > 10**-_DECIMALS else 0.0
    one, other = _rate_interval(first, variances[0]), _rate_interval(second, variances[1])

    def width(up: float, down: float) -> float:
        return sqrt(max(up**2 + down**2 - 2 * correlation * up * down, 0.0))

    estimate = one.estimate - other.estimate
    if correlation and variance < 10**-_DECIMALS:  # the same replies and labels
        return Interval(estimate, estimate, estimate)
    low = estimate - width(one.estimate - one.low, other.high - other.estimate)
    high = estimate + width(one.high - one.estimate, other.estimate - other.low)
    return Interval(estimate, max(low, -1.0), min(high, 1.0))


def count_labels_needed(predictions: Floats, half_width: float) -> int | None:
    """Return the number of uniformly drawn labels needed for an interval with the given half-width, in (0, 1).

    The result is None if labels of all replies would not suffice. The predictions, shape (replies,), are probabilities
    that a reply is correct; they are assumed to be calibrated.
    """
    rest, certain = _expected_variances(predictions)
    label_variance = (half_width / z_value(0.95)) ** 2 - certain
    if label_variance <= 0 or rest / label_variance > len(predictions):
        return None
    return max(ceil(rest / label_variance), MIN_LABELS)


def _expected_variances(predictions: Floats) -> tuple[float, float]:
    """Return the expected variance of a label given its prediction, and the variance of the mean prediction."""
    mean, rest = float(predictions.mean()), float((predictions * (1 - predictions)).mean())
    return rest, (mean * (1 - mean) - rest) / len(predictions)


LABEL_COUNTS = (50, 100, 200)
"""Numbers of labels for which reports show the expected interval."""
HALF_WIDTH = 0.05
"""Half-width of the interval for which `CorrectedScore.labels_needed` is computed."""


class CorrectedScore(OwnedRow, frozen=True, kw_only=True):
    """Accuracy of one system by its grades and corrected by human labels; rates are in [0, 1]."""

    replies: int
    labels: int
    accuracy: Interval
    expected: float
    """Mean predicted probability that a reply is correct (1 or 0 if a rule decided)."""
    estimate: float | None
    """Accuracy corrected by the labels; None with fewer than `MIN_LABELS`."""
    low: float | None = field(name="lower")
    high: float | None = field(name="upper")
    labels_needed: int | None
    """Number of labels for an interval of ± `HALF_WIDTH`; None if there are too few replies, or no model graded any."""
    half_widths: dict[int, float]
    """Expected half-width of the interval by number of labels; empty if no model graded a reply."""

    @property
    def corrected(self) -> Interval | None:
        """Corrected accuracy with its interval; None if it was not computed."""
        if self.estimate is None or self.low is None or self.high is None:
            return None
        return Interval(self.estimate, self.low, self.high)

    @property
    def lower(self) -> float | None:
        """Lower end of the interval (`low` in `corrected.json`)."""
        return self.low

    @property
    def upper(self) -> float | None:
        """Upper end of the interval (`high` in `corrected.json`)."""
        return self.high


class CorrectedTable(TableSpec):
    """Table of accuracies corrected by human labels."""

    title = "Accuracy as people would judge it"
    note = (
        "Corrected by people's labels of some replies; without enough labels, the accuracy to expect from the grader's "
        "probabilities. The last column: labels that would give an interval of 5 points to each side; a dash where "
        "labels of all replies would not."
    )
    heads = headers(
        "accuracy corrected labels replies expected labels_needed",
        accuracy="by the grades",
        labels_needed="labels for ±5 points",
    )
    main = "corrected"
    by_scores = True


def corrected_scores(kg: str, cells: Mapping[Cell, Tally]) -> list[CorrectedScore]:
    """Return the row of each generator and model with human labels, or with replies that a trained model graded."""
    rows = []
    for (generator, model), tally in Tally.by_owner(cells).items():
        counted = tally.counted()
        replied = counted.flags(REPLIED)
        is_predicted = not np.isnan(counted.probabilities[replied]).all()
        if not replied.any() or not (tally.labelled or is_predicted):
            continue
        predictions, clusters = counted.predictions[replied], counted.clusters[replied]
        interval = corrected_rate(predictions, counted.labels[replied], clusters, counted.chances[replied])
        sizes = [size for size in LABEL_COUNTS if size < len(predictions)] or [len(predictions)]
        rest, certain = _expected_variances(predictions)
        widths = {size: z_value(0.95) * sqrt(rest / size + certain) for size in sizes}
        row = CorrectedScore(
            kg=kg,
            generator=generator,
            model=model,
            replies=len(predictions),
            labels=tally.labelled,
            accuracy=known_share(counted.flags(("correct",))[replied], clusters),
            expected=float(predictions.mean()),
            **ends_of(interval),
            labels_needed=count_labels_needed(predictions, HALF_WIDTH) if is_predicted else None,
            half_widths=widths if is_predicted else {},
        )
        rows.append(row)
    return rows


def _variance_of_mean(parts: Floats, clusters: Clusters) -> float:
    """Return the variance of a mean, given each reply's influence on it, summed by cluster."""
    sums = parts if clusters is None else np.bincount(np.unique(clusters, return_inverse=True)[1], parts)
    return float((sums**2).sum()) / len(parts) ** 2
