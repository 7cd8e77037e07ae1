"""Rates of what responses claim, and how a checker agrees with people."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import pearsonr

from factprobe.checkers.aggregators import shares
from factprobe.metrics.agreement.claims import claim_rates, label_agreement, pearson_r, rate_correlations
from factprobe.metrics.statistics.classes import f1
from factprobe.records import CLAIM_LABELS, ClaimLabel
from tests.optional import estimate

E, N, C = CLAIM_LABELS
RESPONSES: list[list[ClaimLabel]] = [[E, E, N, C], [], [E], [C, C], []]


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def test_every_response_counts_alike() -> None:
    found = claim_rates([shares(labels) for labels in RESPONSES])
    assert (found.responses, found.with_claims) == (5, 3)
    rates = {label: interval.estimate for label, interval in found.rates.items()}
    assert rates == pytest.approx({E: 1.5 / 5, N: 0.25 / 5, C: 1.25 / 5, "Abstain": 2 / 5})
    claimed = {label: interval.estimate for label, interval in found.rates_with_claims.items()}
    assert claimed == pytest.approx({E: 1.5 / 3, N: 0.25 / 3, C: 1.25 / 3})
    assert all(one.low <= one.estimate <= one.high for one in found.rates.values())


def test_of_nothing_there_are_no_rates() -> None:
    found = claim_rates([])
    assert (found.responses, found.rates, found.rates_with_claims) == (0, {}, {})
    assert claim_rates([shares([])]).rates_with_claims == {}


@given(st.lists(st.lists(st.sampled_from(CLAIM_LABELS), max_size=4), min_size=1, max_size=12))
def test_the_rates_add_up(responses: list[list[ClaimLabel]]) -> None:
    found = claim_rates([shares(labels) for labels in responses])
    assert sum(one.estimate for one in found.rates.values()) == pytest.approx(1)


def test_labels_beside_peoples() -> None:
    people: list[list[ClaimLabel | None]] = [[E, N, None], [C], [E]]
    checker: list[list[ClaimLabel | None]] = [[E, E, E], [N], [None]]
    found = label_agreement(people, checker)
    assert estimate(found.accuracy) == 1 / 4
    assert estimate(found.f1_factual) == pytest.approx(2 * 1 / (2 * 1 + 1 + 1))
    assert estimate(found.f1_nonfactual) == pytest.approx(2 * 1 / (2 * 1 + 0 + 1))
    with pytest.raises(ValueError, match="zip"):
        label_agreement([[E]], [[E, E]])


def test_without_a_claim_there_is_nothing_to_tell() -> None:
    found = label_agreement([[]], [[]])
    assert (found.accuracy, found.f1_factual, found.f1_nonfactual) == (None, None, None)


def test_f1_of_none_that_is_there() -> None:
    assert f1([False, False], [False, False], rng()) is None
    assert estimate(f1([True, False], [False, True], rng())) == 0


NUMBERS = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), min_size=3, max_size=20)


@given(NUMBERS)
def test_pearson_is_that_of_scipy(pairs: list[tuple[int, int]]) -> None:
    first, second = ([one / 8 for one in side] for side in zip(*pairs, strict=True))
    found = pearson_r(first, second, rng())
    if len({*first}) == 1 or len({*second}) == 1:
        assert found is None
    else:
        assert found is not None
        assert found.estimate == pytest.approx(pearsonr(first, second).statistic, abs=1e-9)
        assert -1 <= found.low <= found.estimate <= found.high <= 1
        assert found == pearson_r(first, second, rng())


def test_rates_go_along_where_both_have_claims() -> None:
    people: list[Any] = [shares([E]), shares([E, N]), shares([N]), shares([]), shares([E]), None]
    checker: list[Any] = [shares([E]), shares([E, C]), shares([C]), shares([E]), shares([]), shares([E])]
    found = rate_correlations(people, checker)
    assert found.responses == 3
    assert estimate(found.pearson[E]) == pytest.approx(1)
    assert found.pearson[C] is None
    assert found.spearman[N] is None
