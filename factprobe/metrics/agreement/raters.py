"""Agreement of graders, judges and people on the same items, in pairs and in groups of raters."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Literal, get_args

from msgspec import Struct
from numpy.random import default_rng

from factprobe.metrics.agreement.coefficients import (
    accuracy,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    spearman_rho,
)
from factprobe.metrics.statistics.intervals import Estimated, Interval, ends_of
from factprobe.records import subject_of

log = logging.getLogger(__name__)

MEASURES = {
    "accuracy": "accuracy",
    "cohen_kappa": "Cohen's κ",
    "fleiss_kappa": "Fleiss' κ",
    "krippendorff_alpha": "Kripp. α",
    "spearman_rho": "Spearman ρ",
}

Consensus = Literal["all", "low", "high", "unanimous"]
CONSENSUS: tuple[Consensus, ...] = get_args(Consensus)
_HIGH = 0.75
_NO_ANSWER = {"abstained", "unparsed"}
"""Verdicts on replies without an answer, which people who only tell right from wrong call incorrect."""


class Rated(Struct, frozen=True, gc=False):
    """Label of one rater for one item."""

    label: str | None = None
    probability: float | None = None
    annotators: tuple[str, ...] = ()
    """Labels of the annotators that `label` summarises."""


Ratings = Mapping[str, Rated]
RaterLabels = Mapping[str, Sequence[str | None]]
"""Labels of one or several raters, by the item's id."""


class Agreement(Estimated, frozen=True):
    """One measure of agreement between raters, undefined if all labels are equal."""

    raters: str
    consensus: Consensus
    """Consensus of a rater's annotators on the items (see `consensus_of`); `all` for all items."""
    measure: str
    items: int
    left_out: int
    """Number of items without a label of some rater."""


def consensus_of(labels: Sequence[str]) -> Consensus:
    """Return the consensus of annotators: `unanimous`, `high` if three quarters or more agree, or else `low`.

    Four of five annotators are `high`, three of five `low`. Fewer than two annotators give `all`, since they have no
    consensus.
    """
    if len(labels) < 2:
        return "all"
    [(_, most)] = Counter(labels).most_common(1)
    return "unanimous" if most == len(labels) else "high" if most >= _HIGH * len(labels) else "low"


def agreements(sources: Mapping[str, Ratings], gold: str | None = None, seed: int = 0) -> list[Agreement]:
    """Measure the agreement of pairs of raters, then of groups.

    The pairs are `gold` with each other rater, or all pairs without `gold`. They are measured on all items and, if one
    of the two has annotators, by their consensus. The groups are all raters, the annotators of each rater, and the
    annotators of each rater together with each other rater. In each comparison `abstained` and `unparsed` count as
    `incorrect` if a member never gives the verdict.
    """
    pairs = combinations(sources, 2) if gold is None else ((gold, name) for name in sources if name != gold)
    rows = [row for first, second in pairs for row in _of_pair(first, second, sources[first], sources[second], seed)]
    labels = {name: _labels(ratings) for name, ratings in sources.items()}
    if len(sources) > 1:
        rows += _of_group(" + ".join(sources), list(labels.values()), seed)
    for name, ratings in sources.items():
        several: RaterLabels = {item: rated.annotators for item, rated in ratings.items() if rated.annotators}
        if several:
            rows += _of_group(f"annotators of {name}", [several], seed)
            for other in (other for other in sources if other != name):
                rows += _of_group(f"annotators of {name} + {other}", [several, labels[other]], seed)
    return rows


def _labels(ratings: Ratings) -> RaterLabels:
    return {item: (rated.label,) for item, rated in ratings.items()}


def _with_common_verdicts(members: Sequence[RaterLabels]) -> list[RaterLabels]:
    """Replace the verdicts on replies without an answer by `incorrect` where a member never gives them."""
    given = [{label for labels in member.values() for label in labels} for member in members]
    replaced = {verdict: "incorrect" for verdict in _NO_ANSWER if not all(verdict in labels for labels in given)}
    return [
        {item: [replaced.get(label or "", label) for label in labels] for item, labels in member.items()}
        for member in members
    ]


def _of_pair(name: str, other: str, first: Ratings, second: Ratings, seed: int) -> Iterator[Agreement]:
    raters, common = f"{name} + {other}", [item for item in first if item in second]
    one, two = _with_common_verdicts([_labels(first), _labels(second)])
    levels = {item: consensus_of(first[item].annotators or second[item].annotators) for item in common}
    for level in CONSENSUS:
        of_level = [item for item in common if level in ("all", levels[item])]
        total = len(first.keys() | second.keys()) if level == "all" else len(of_level)
        items = [item for item in of_level if first[item].label is not None and second[item].label is not None]
        if items:
            ones, others = ([str(labels[item][0]) for item in items] for labels in (one, two))
            clusters = [subject_of(item) for item in items]
            yield _make_agreement(raters, level, "accuracy", total, items, accuracy(ones, others, clusters))
            kappa = cohen_kappa(ones, others, default_rng(seed), clusters)
            yield _make_agreement(raters, level, "cohen_kappa", total, items, kappa)
            if level == "all" and not {*ones} & {*others}:
                log.warning("%s and %s have no label in common; labels.<name>.map={theirs: ours} renames", name, other)
        items = [item for item in of_level if None not in (first[item].probability, second[item].probability)]
        if items:
            left, right = ([float(ratings[item].probability or 0) for item in items] for ratings in (first, second))
            rho = spearman_rho(left, right, default_rng(seed), [subject_of(item) for item in items])
            yield _make_agreement(raters, level, "spearman_rho", total, items, rho)


def _of_group(raters: str, members: Sequence[RaterLabels], seed: int) -> Iterator[Agreement]:
    """Yield Fleiss' kappa over the items with all labels, and Krippendorff's alpha over those with two or more."""
    members = _with_common_verdicts(members)
    every = list(dict.fromkeys(item for labels in members for item in labels))
    given = {item: [one for labels in members for one in labels.get(item, ()) if one is not None] for item in every}
    most = max(map(len, given.values()), default=0)
    for measure, function, least in (
        ("fleiss_kappa", fleiss_kappa, most),
        ("krippendorff_alpha", krippendorff_alpha, 2),
    ):
        items = [item for item in every if len(given[item]) >= max(least, 2)]
        if items:
            ratings = [given[item] for item in items]
            interval = function(ratings, default_rng(seed), [subject_of(item) for item in items])
            yield _make_agreement(raters, "all", measure, len(every), items, interval)


def _make_agreement(
    raters: str, consensus: Consensus, measure: str, total: int, items: Sequence[str], interval: Interval | None
) -> Agreement:
    return Agreement(raters, consensus, measure, len(items), total - len(items), **ends_of(interval))
