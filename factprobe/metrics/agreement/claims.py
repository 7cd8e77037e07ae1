"""Rates of claim labels, and agreement of checkers with people, as in RefChecker (Hu et al. 2024, arXiv:2405.14486)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct
from numpy.random import Generator

from factprobe.metrics.agreement.coefficients import accuracy, spearman_rho
from factprobe.metrics.statistics.bootstrap import bootstrap
from factprobe.metrics.statistics.classes import f1
from factprobe.metrics.statistics.intervals import Floats, Interval, share
from factprobe.records import CLAIM_LABELS, RESPONSE_LABELS, ClaimLabel, ResponseLabel

SharesOf = Mapping[ResponseLabel, float]
"""Share of a response's claims by label; without claims, the share of `Abstain` is 1."""
PersonLabels = Sequence[ClaimLabel | None]
"""Labels of a response's claims, by a person or a checker; None for a claim without a label."""
_FACTUAL = "Entailment"


class ClaimRates(Struct, frozen=True):
    """Mean rates of claim labels, over all responses (`rates`) and over responses with claims; empty without responses.

    Responses have equal weight; those without claims count as Abstain.
    """

    responses: int
    rates: dict[ResponseLabel, Interval]
    with_claims: int
    rates_with_claims: dict[ResponseLabel, Interval]


class LabelAgreement(Struct, frozen=True):
    """Agreement of a checker with human labels: accuracy, F1 of entailed claims and of others; None if undefined."""

    accuracy: Interval | None
    f1_factual: Interval | None
    f1_nonfactual: Interval | None


class RateCorrelations(Struct, frozen=True):
    """Correlation of a checker's rates with people's by label, in [-1, 1]; None if one side's rates are constant."""

    responses: int
    pearson: dict[ClaimLabel, Interval | None]
    spearman: dict[ClaimLabel, Interval | None]


def claim_rates(shares: Sequence[SharesOf]) -> ClaimRates:
    """Return the mean share of each label over responses, with 95 % intervals."""
    claiming = [response for response in shares if not response["Abstain"]]
    rates, rates_with_claims = _mean_shares(shares, RESPONSE_LABELS), _mean_shares(claiming, CLAIM_LABELS)
    return ClaimRates(len(shares), rates, len(claiming), rates_with_claims)


def _mean_shares(shares: Sequence[SharesOf], labels: Sequence[ResponseLabel]) -> dict[ResponseLabel, Interval]:
    rates = {label: share(np.clip([response[label] for response in shares], 0, 1)) for label in labels}
    return {label: interval for label, interval in rates.items() if interval is not None}


def label_agreement(people: Sequence[PersonLabels], checker: Sequence[PersonLabels], seed: int = 0) -> LabelAgreement:
    """Measure the agreement of a checker's labels (wrong if missing) with human labels; a response is a cluster."""
    claims = [
        (str(number), human, one)
        for number, (theirs, ours) in enumerate(zip(people, checker, strict=True))
        for human, one in zip(theirs, ours, strict=True)
        if human is not None
    ]
    clusters = [cluster for cluster, _, _ in claims]
    first, second = [human for _, human, _ in claims], [one or "" for _, _, one in claims]
    scores = [
        f1([one in side for one in first], [one in side for one in second], np.random.default_rng(seed), clusters)
        for side in ({_FACTUAL}, {*CLAIM_LABELS} - {_FACTUAL})
    ]
    return LabelAgreement(accuracy(first, second, clusters), *scores)


def rate_correlations(
    people: Sequence[SharesOf | None], checker: Sequence[SharesOf | None], seed: int = 0
) -> RateCorrelations:
    """Correlate a checker's rates with rates by human labels; ignore responses without rates or claims."""
    both = [(one, other) for one, other in zip(people, checker, strict=True) if one and other]
    pairs = [(one, other) for one, other in both if not (one["Abstain"] or other["Abstain"])]
    values = {label: ([one[label] for one, _ in pairs], [other[label] for _, other in pairs]) for label in CLAIM_LABELS}
    return RateCorrelations(
        len(pairs),
        {label: pearson_r(*both, np.random.default_rng(seed)) for label, both in values.items()},
        {label: spearman_rho(*both, np.random.default_rng(seed)) for label, both in values.items()},
    )


def pearson_r(first: Sequence[float], second: Sequence[float], rng: Generator) -> Interval | None:
    """Return Pearson's correlation in [-1, 1], with a bootstrap interval; None if one side's values are constant."""
    if len({*first}) < 2 or len({*second}) < 2:
        return None
    x, y = np.asarray(first, float), np.asarray(second, float)
    x, y = x - x.mean(), y - y.mean()

    def correlation(totals: Floats) -> Floats:
        count, sums = totals[..., 0], totals[..., 1:]
        a, b, aa, bb, ab = (sums[..., at] / count for at in range(5))
        coefficients: Floats = (ab - a * b) / np.sqrt((aa - a**2) * (bb - b**2))
        return np.clip(coefficients, -1, 1)

    return bootstrap(np.column_stack([np.ones(len(x)), x, y, x * x, y * y, x * y]), correlation, rng)
