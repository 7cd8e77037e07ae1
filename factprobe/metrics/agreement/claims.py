"""Rates of supported claims, and agreement of a checker with people, as in RefChecker (Hu et al.

2024, arXiv:2405.14486).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct

from factprobe.metrics.agreement.coefficients import accuracy, spearman_rho
from factprobe.metrics.statistics.bootstrap import bootstrap
from factprobe.metrics.statistics.intervals import Floats, Interval, rate_interval
from factprobe.records import CLAIM_LABELS, RESPONSE_LABELS, ClaimLabel, ResponseLabel

SharesOf = Mapping[ResponseLabel, float]
"""Share of each label among a response's claims; without claims, Abstain is 1."""
PersonLabels = Sequence[ClaimLabel | None]
"""Label of each claim, None without a clean one."""
_FACTUAL = "Entailment"


class ClaimRates(Struct, frozen=True):
    """Mean rates of the claim labels, with responses weighted equally."""

    responses: int
    rates: dict[ResponseLabel, Interval]
    """Rates over all responses, with Abstain for one without claims; empty without responses."""
    with_claims: int
    """Number of responses with claims."""
    rates_with_claims: dict[ResponseLabel, Interval]
    """Rates over responses with claims only."""


class LabelAgreement(Struct, frozen=True):
    """Agreement of a checker's labels with people's on the same claims; None if undefined."""

    accuracy: Interval | None
    """Share of claims with the label that people gave, in [0, 1]."""
    f1_factual: Interval | None
    """F1 of Entailment against the others, in [0, 1]."""
    f1_nonfactual: Interval | None
    """F1 of the others against Entailment, in [0, 1]."""


class RateCorrelations(Struct, frozen=True):
    """Correlation of a checker's rates with people's over responses, label by label.

    None where one of the two gives all responses the same rate.
    """

    responses: int
    """Number of responses with rates by both."""
    pearson: dict[ClaimLabel, Interval | None]
    """Pearson's correlation in [-1, 1]."""
    spearman: dict[ClaimLabel, Interval | None]
    """Spearman's correlation in [-1, 1]."""


def claim_rates(shares: Sequence[SharesOf], confidence: float = 0.95) -> ClaimRates:
    """Return the mean share of each label with its interval; see `rate_interval`.

    Args:
        shares: of each response.
        confidence: how often such intervals are to cover the truth.
    """
    claiming = [one for one in shares if not one["Abstain"]]
    every = _means(shares, RESPONSE_LABELS, confidence)
    return ClaimRates(len(shares), every, len(claiming), _means(claiming, CLAIM_LABELS, confidence))


def _means(
    shares: Sequence[SharesOf], labels: Sequence[ResponseLabel], confidence: float
) -> dict[ResponseLabel, Interval]:
    values = {label: np.clip([one[label] for one in shares], 0, 1) for label in labels}
    intervals = {label: rate_interval(of, np.ones(len(of)), confidence=confidence) for label, of in values.items()}
    return {label: interval for label, interval in intervals.items() if interval is not None}


def label_agreement(people: Sequence[PersonLabels], found: Sequence[PersonLabels], seed: int = 0) -> LabelAgreement:
    """Measure the agreement of labels with people's; the claims of one response are a cluster.

    Args:
        people: the labels of each response's claims; a claim without one is left out.
        found: those of a checker; a claim without one is wrong, and is neither factual nor non-factual.
        seed: for the bootstrap.

    Raises:
        ValueError: lengths that differ.
    """
    claims = [
        (str(number), human, label)
        for number, (theirs, ours) in enumerate(zip(people, found, strict=True))
        for human, label in zip(theirs, ours, strict=True)
        if human is not None
    ]
    clusters = [cluster for cluster, _, _ in claims]
    first, second = [human for _, human, _ in claims], [label or "" for _, _, label in claims]
    nonfactual = {*CLAIM_LABELS} - {_FACTUAL}
    scores = [
        f1([one in side for one in first], [one in side for one in second], np.random.default_rng(seed), clusters)
        for side in ({_FACTUAL}, nonfactual)
    ]
    return LabelAgreement(accuracy(first, second, clusters), *scores)


def rate_correlations(
    people: Sequence[SharesOf | None], found: Sequence[SharesOf | None], seed: int = 0
) -> RateCorrelations:
    """Correlate rates with people's over responses; those without rates or claims are left out.

    Args:
        people: the shares of each response, None where they are not known.
        found: those by a checker.
        seed: for the bootstrap.

    Raises:
        ValueError: lengths that differ.
    """
    pairs = [
        (one, other)
        for one, other in zip(people, found, strict=True)
        if one and other and not (one["Abstain"] or other["Abstain"])
    ]
    values = {label: ([one[label] for one, _ in pairs], [other[label] for _, other in pairs]) for label in CLAIM_LABELS}
    return RateCorrelations(
        len(pairs),
        {label: pearson_r(*both, np.random.default_rng(seed)) for label, both in values.items()},
        {label: spearman_rho(*both, np.random.default_rng(seed)) for label, both in values.items()},
    )


def f1(
    gold: Sequence[bool], found: Sequence[bool], rng: np.random.Generator, clusters: Sequence[str] | None = None
) -> Interval | None:
    """Return F1 in [0, 1], higher is better, with a bootstrap interval: `2 TP / (2 TP + FP + FN)`.

    Args:
        gold: whether each item is one of those that are looked for.
        found: whether it was taken for one.
        rng: the source of all randomness.
        clusters: the cluster of each item, by default its own.

    Returns:
        The interval; None where none is one and none was taken for one.

    Raises:
        ValueError: lengths that differ.
    """
    hits = [one and other for one, other in zip(gold, found, strict=True)]

    def score(totals: Floats) -> Floats:
        return 2 * totals[..., 0] / (totals[..., 1] + totals[..., 2])

    return bootstrap(np.column_stack([hits, gold, found]), score, rng, clusters) if hits else None


def pearson_r(first: Sequence[float], second: Sequence[float], rng: np.random.Generator) -> Interval | None:
    """Return Pearson's correlation in [-1, 1], with a bootstrap interval over items.

    Args:
        first: the values of one rater.
        second: those of the other, of the same items.
        rng: the source of all randomness.

    Returns:
        The interval; None where a rater gives one value to all items.

    Raises:
        ValueError: lengths that differ.
    """
    if len(first) != len(second):
        raise ValueError(f"{len(first)} values of one rater, {len(second)} of the other")
    if len({*first}) < 2 or len({*second}) < 2:
        return None
    x, y = np.asarray(first, float), np.asarray(second, float)
    x, y = x - x.mean(), y - y.mean()

    def correlation(totals: Floats) -> Floats:
        count, sums = totals[..., 0], totals[..., 1:]
        a, b, aa, bb, ab = (sums[..., at] / count for at in range(5))
        found: Floats = (ab - a * b) / np.sqrt((aa - a**2) * (bb - b**2))
        return np.clip(found, -1, 1)

    return bootstrap(np.column_stack([np.ones(len(x)), x, y, x * x, y * y, x * y]), correlation, rng)
