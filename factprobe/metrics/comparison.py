"""Models compared two by two on the same questions, and what it would take to tell them apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import ceil, sqrt
from typing import Literal

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from factprobe.metrics.bootstrap import bootstrap
from factprobe.metrics.intervals import Codes, Floats, Interval, codes_of, correlation, numbered, z_value


class Needed(Struct, frozen=True):
    """How much would settle a given difference."""

    questions: int
    clusters: int


class Pair(Struct, frozen=True):
    """Two models on the questions that both answered."""

    first: str
    second: str
    questions: int
    clusters: int
    both: int
    """Questions that both know."""
    only_first: int
    only_second: int
    neither: int
    difference: Interval
    """The first's accuracy less the second's, by the clustered score interval, which belongs to `p_clustered`."""
    bootstrap: Interval
    """The same by the clustered bootstrap: narrower than it should be with few clusters."""
    p_exact: float
    """McNemar's exact test, which takes the questions as independent."""
    p_mid: float
    """The same with mid-p, which is less cautious."""
    p_clustered: float
    """The clustered score test, which decides."""
    p_corrected: float
    """The same by Holm's correction for the number of pairs."""
    verdict: Literal["first", "second", "tied"]
    """The better model; `tied` where the corrected test does not reject that they are equal."""
    design_effect: float
    """How many times as many questions it takes for their being clustered."""
    needed: Needed
    """What would settle a difference of `settle`, at the share of questions that the two differ on now."""


def compare(
    outcomes: Mapping[str, Sequence[bool | None]],
    rng: np.random.Generator,
    clusters: Sequence[str] | None = None,
    *,
    alpha: float = 0.05,
    settle: float = 0.02,
    resamples: int = 10_000,
) -> list[Pair]:
    """Every pair of models, in the order given.

    Args:
        outcomes: for each model whether it answered each question rightly, None where it has no answer: the same
            questions in the same order for all. A pair is judged on the questions that both answered.
        rng: the source of all randomness.
        clusters: the subject entity of each question, by default each its own.
        alpha: the error rate of the corrected tests; the intervals are of confidence 1 - alpha and not corrected.
        settle: the difference to be settled, for `needed`.
        resamples: how many times the bootstrap draws.

    Returns:
        The pairs that have a question in common.

    Raises:
        ValueError: sequences of different lengths.
    """
    pairs = []
    for first, second in combinations(outcomes, 2):
        answers = zip(outcomes[first], outcomes[second], strict=True)
        known = [(at, one, other) for at, (one, other) in enumerate(answers) if one is not None and other is not None]
        if not known:
            continue
        if clusters is not None and len(clusters) != len(outcomes[first]):
            raise ValueError(f"{len(clusters)} clusters for {len(outcomes[first])} questions")
        groups = [clusters[at] for at, _, _ in known] if clusters is not None else None
        table = np.array([answer for _, *answer in known], float)
        pairs.append(_pair(first, second, table, groups, rng, alpha, settle, resamples))
    corrected = holm([pair.p_clustered for pair in pairs])
    return [_judged(pair, p, alpha) for pair, p in zip(pairs, corrected, strict=True)]


def mcnemar(only_first: int, only_second: int) -> tuple[float, float]:
    """McNemar's test that two models are equally good, exact and with mid-p.

    Two-sided, by the binomial distribution of the questions that they differ on (McNemar 1947, Psychometrika 12;
    mid-p: Fagerland, Lydersen and Laake 2013, BMC Medical Research Methodology 13:91).

    Args:
        only_first: how many questions only the first knows.
        only_second: how many only the second knows.

    Returns:
        Both p-values, in [0, 1]; 1 where they differ on none.
    """
    from scipy.special import bdtr

    fewer, both = min(only_first, only_second), only_first + only_second
    upto = float(bdtr(fewer, both, 0.5))
    at = upto - (float(bdtr(fewer - 1, both, 0.5)) if fewer else 0.0)
    return min(2 * upto, 1.0), 2 * upto - at


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values corrected for their number (Holm 1979, Scandinavian Journal of Statistics 6), in the order given."""
    corrected = [0.0] * len(p_values)
    so_far = 0.0
    for rank, at in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        so_far = max(so_far, min((len(p_values) - rank) * p_values[at], 1.0))
        corrected[at] = so_far
    return corrected


def score_interval(only_first: float, only_second: float, questions: float, confidence: float = 0.95) -> Interval:
    """The score interval of the difference of two paired proportions (Tango 1998, Statistics in Medicine 17, 891-908).

    It leaves out 0 exactly where McNemar's test without continuity correction rejects at 1 - confidence.

    Args:
        only_first: how many questions only the first knows; like the others divided by a design effect, if there is.
        only_second: how many only the second knows.
        questions: how many there are, above 0.
        confidence: how often such intervals are to cover the truth.

    Returns:
        An interval within [-1, 1] that contains the difference.
    """
    from scipy.optimize import brentq

    z2 = z_value(confidence) ** 2
    gap, differing = only_first - only_second, only_first + only_second

    def excess(delta: float) -> float:
        # The variance is that of the likeliest shares among those that differ by delta: the root of a quadratic.
        linear = (2 * questions - gap) * delta - differing
        root = sqrt(max(linear * linear + 8 * questions * only_second * delta * (1 - delta), 0.0))
        share = (root - linear) / (4 * questions)
        return (gap - questions * delta) ** 2 - z2 * questions * (2 * share + delta * (1 - delta))

    estimate = gap / questions
    beside = 1e-9  # the estimate itself is a root too where the models differ on no question, or on all
    low = brentq(excess, -1, estimate - beside) if estimate > -1 else -1.0
    high = brentq(excess, estimate + beside, 1) if estimate < 1 else 1.0
    return Interval(estimate, float(low), float(high))


def questions_needed(
    difference: float, discordance: float, design_effect: float = 1.0, *, alpha: float = 0.05, power: float = 0.8
) -> int:
    """How many questions McNemar's test takes to find a difference.

    `(z_(1-alpha/2) sqrt(D) + z_power sqrt(D - d^2))^2 / d^2` times the design effect (Connor 1987, Biometrics 43,
    207-211, for the paired design; Donner and Klar 2000 for the design effect).

    Args:
        difference: d, between the two accuracies, in (0, 1].
        discordance: D, the share of questions that one model alone knows; taken as at least d, which it must be.
        design_effect: at least 1 for clustered questions, with clusters as large as those it was seen in.
        alpha: the error rate of the two-sided test.
        power: the chance to find it.

    Raises:
        ValueError: a difference outside (0, 1].
    """
    if not 0 < difference <= 1:
        raise ValueError(f"a difference to find lies in (0, 1], not at {difference}")
    share = max(discordance, difference)
    reach = z_value(1 - alpha) * sqrt(share) + z_value(2 * power - 1) * sqrt(share - difference**2)
    return ceil(design_effect * (reach / difference) ** 2)


def _pair(
    first: str,
    second: str,
    table: Floats,
    clusters: Sequence[str] | None,
    rng: np.random.Generator,
    alpha: float,
    settle: float,
    resamples: int,
) -> Pair:
    from scipy.special import ndtr

    gains = table[:, 0] - table[:, 1]
    questions, wins, losses = len(gains), int((gains > 0).sum()), int((gains < 0).sum())
    codes = numbered(codes_of(clusters, questions))
    size, effect = int(codes.max()) + 1, _design_effect(gains, codes)
    exact, mid = mcnemar(wins, losses)
    spread = sqrt((wins + losses) * effect)
    needed = questions_needed(settle, (wins + losses) / questions, effect, alpha=alpha)
    drawn = bootstrap(
        np.column_stack([gains, np.ones(questions)]),
        lambda totals: totals[..., 0] / totals[..., 1],
        rng,
        clusters,
        resamples=resamples,
        confidence=1 - alpha,
    )
    assert drawn is not None  # a difference of accuracies is defined wherever there is a question
    p_clustered = 2 * float(ndtr(-abs(wins - losses) / spread)) if spread else 1.0
    score = score_interval(wins / effect, losses / effect, questions / effect, 1 - alpha)
    both = int((table.sum(axis=1) == 2).sum())
    return Pair(
        first=first,
        second=second,
        questions=questions,
        clusters=size,
        both=both,
        only_first=wins,
        only_second=losses,
        neither=questions - both - wins - losses,
        difference=replace(score, estimate=(wins - losses) / questions),
        bootstrap=drawn,
        p_exact=exact,
        p_mid=mid,
        p_clustered=p_clustered,
        p_corrected=p_clustered,
        verdict="tied",
        design_effect=effect,
        needed=Needed(needed, ceil(needed * size / questions)),
    )


def _judged(pair: Pair, corrected: float, alpha: float) -> Pair:
    if corrected >= alpha:
        return replace(pair, p_corrected=corrected)
    return replace(pair, p_corrected=corrected, verdict="first" if pair.only_first > pair.only_second else "second")


def _design_effect(gains: Floats, clusters: Codes) -> float:
    """The larger of the two of `rate_interval`, for a difference: by the correlation, and between clusters."""
    residuals, sizes = gains - gains.mean(), np.bincount(clusters)
    informative = int((np.bincount(clusters, gains != 0) > 0).sum())
    rho = correlation(residuals, clusters, np.zeros_like(clusters), informative)
    by_correlation = 1 + rho * (float((sizes.astype(float) ** 2).sum()) / len(gains) - 1)
    total, many = float((residuals**2).sum()), len(sizes)
    if total == 0 or many == 1:
        return by_correlation
    return max(by_correlation, many / (many - 1) * float((np.bincount(clusters, residuals) ** 2).sum()) / total)
