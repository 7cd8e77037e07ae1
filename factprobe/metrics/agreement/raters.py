"""Agreement of raters (graders, judges, people) on the same items, in pairs and in groups."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations
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
from factprobe.metrics.statistics.intervals import EstimateRecord, Interval, ends_of
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
_HIGH_CONSENSUS = 0.75
_NO_ANSWER = {"abstained", "unparsed"}
"""Verdicts on replies without an answer; raters with two labels call them incorrect."""


class RaterLabel(Struct, frozen=True, gc=False):
    """One rater's label for one item."""

    label: str | None = None
    probability: float | None = None
    annotators: tuple[str, ...] = ()
    """Labels of several annotators, if `label` summarises them."""


Ratings = Mapping[str, RaterLabel]
RaterLabels = Mapping[str, Sequence[str | None]]
"""Labels of one or several raters by item; None for a missing label."""


class Agreement(EstimateRecord, frozen=True):
    """Value of one measure of agreement between raters; None if undefined, e.g. if all labels are equal."""

    raters: str
    consensus: Consensus
    """Level of consensus of a rater's annotators on the items (see `consensus_of`); `all` for all items."""
    measure: str
    items: int
    left_out: int
    """Number of items for which a label is missing."""


def consensus_of(labels: Sequence[str]) -> Consensus:
    """Return `unanimous`, `high` if three quarters of annotators agree, else `low`; `all` for fewer than two."""
    if len(labels) < 2:
        return "all"
    [(_, max_count)] = Counter(labels).most_common(1)
    return "unanimous" if max_count == len(labels) else "high" if max_count >= _HIGH_CONSENSUS * len(labels) else "low"


def agreements(sources: Mapping[str, Ratings], gold: str | None = None, seed: int = 0) -> list[Agreement]:
    """Measure the agreement of pairs of raters, then of groups.

    The pairs are `gold` with each other rater, or all pairs without `gold`. They are measured on all items and, if one
    of the two has several annotators, by level of their consensus. The groups are: all raters; the annotators of a
    rater; the annotators of a rater and one other rater. In a comparison, `abstained` (or `unparsed`) counts as
    `incorrect` if one of the raters never uses it.
    """
    pairs = combinations(sources, 2) if gold is None else ((gold, name) for name in sources if name != gold)
    rows = [row for one, two in pairs for row in _pair_agreements(one, two, sources[one], sources[two], seed)]
    labels = {name: _labels(ratings) for name, ratings in sources.items()}
    if len(sources) > 1:
        rows += _group_agreements(" + ".join(sources), list(labels.values()), seed)
    for name, ratings in sources.items():
        several: RaterLabels = {item: rated.annotators for item, rated in ratings.items() if rated.annotators}
        if several:
            rows += _group_agreements(f"annotators of {name}", [several], seed)
            for other in (other for other in sources if other != name):
                rows += _group_agreements(f"annotators of {name} + {other}", [several, labels[other]], seed)
    return rows


def _labels(ratings: Ratings) -> RaterLabels:
    return {item: (rated.label,) for item, rated in ratings.items()}


def _with_common_verdicts(members: Sequence[RaterLabels]) -> list[RaterLabels]:
    """Replace `abstained` and `unparsed` by `incorrect` if one of the members never uses that verdict."""
    labels_used = [{label for labels in member.values() for label in labels} for member in members]
    replaced = {verdict: "incorrect" for verdict in _NO_ANSWER if not all(verdict in labels for labels in labels_used)}
    return [
        {item: [replaced.get(label or "", label) for label in labels] for item, labels in member.items()}
        for member in members
    ]


def _pair_agreements(name: str, other: str, first: Ratings, second: Ratings, seed: int) -> Iterator[Agreement]:
    raters, common = f"{name} + {other}", [item for item in first if item in second]
    one, two = _with_common_verdicts([_labels(first), _labels(second)])
    levels = {item: consensus_of(first[item].annotators or second[item].annotators) for item in common}
    for level in CONSENSUS:
        of_level = [item for item in common if level in ("all", levels[item])]
        total = len(first.keys() | second.keys()) if level == "all" else len(of_level)
        items = [item for item in of_level if first[item].label is not None and second[item].label is not None]
        if items:
            first_labels, second_labels = ([str(labels[item][0]) for item in items] for labels in (one, two))
            clusters = [subject_of(item) for item in items]
            rate = accuracy(first_labels, second_labels, clusters)
            yield _make_agreement(raters, level, "accuracy", total, items, rate)
            kappa = cohen_kappa(first_labels, second_labels, default_rng(seed), clusters)
            yield _make_agreement(raters, level, "cohen_kappa", total, items, kappa)
            if level == "all" and not {*first_labels} & {*second_labels}:
                log.warning("%s and %s have no label in common; labels.<name>.map={theirs: ours} renames", name, other)
        items = [item for item in of_level if None not in (first[item].probability, second[item].probability)]
        if items:
            left, right = ([float(ratings[item].probability or 0) for item in items] for ratings in (first, second))
            rho = spearman_rho(left, right, default_rng(seed), [subject_of(item) for item in items])
            yield _make_agreement(raters, level, "spearman_rho", total, items, rho)


def _group_agreements(raters: str, members: Sequence[RaterLabels], seed: int) -> Iterator[Agreement]:
    """Yield Fleiss' kappa over items with all labels, and Krippendorff's alpha over items with two or more labels."""
    members = _with_common_verdicts(members)
    labels_by_item: dict[str, list[str]] = {}
    for item, labels in chain.from_iterable(map(Mapping.items, members)):
        labels_by_item.setdefault(item, []).extend(label for label in labels if label is not None)
    most = max(map(len, labels_by_item.values()), default=0)
    measures = {"fleiss_kappa": (fleiss_kappa, most), "krippendorff_alpha": (krippendorff_alpha, 2)}
    for measure, (function, min_labels) in measures.items():
        items = [item for item, labels in labels_by_item.items() if len(labels) >= max(min_labels, 2)]
        if items:
            ratings = [labels_by_item[item] for item in items]
            interval = function(ratings, default_rng(seed), [subject_of(item) for item in items])
            yield _make_agreement(raters, "all", measure, len(labels_by_item), items, interval)


def _make_agreement(
    raters: str, consensus: Consensus, measure: str, total: int, items: Sequence[str], interval: Interval | None
) -> Agreement:
    return Agreement(raters, consensus, measure, len(items), total - len(items), **ends_of(interval))
