"""Tests and intervals of paired outcomes: by hand, and against statsmodels and scipy."""

from __future__ import annotations

from math import log, sqrt
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.stats import binomtest
from statsmodels.stats.contingency_tables import mcnemar as mcnemar_oracle
from statsmodels.stats.multitest import multipletests

from factprobe.metrics.statistics.paired import holm, mcnemar, paired_difference, questions_needed, score_interval


@pytest.mark.parametrize(("first", "second"), [(0, 0), (0, 5), (3, 3), (1, 9), (12, 2), (40, 61)])
def test_mcnemar(first: int, second: int) -> None:
    exact, mid = mcnemar(first, second)
    assert exact == pytest.approx(mcnemar_oracle([[7, first], [second, 3]], exact=True).pvalue)
    if first + second:
        assert exact == pytest.approx(binomtest(first, first + second).pvalue)
    assert mcnemar(second, first) == (exact, mid)
    assert 0 < mid <= exact <= 1


def test_mid_p_by_hand() -> None:
    assert mcnemar(0, 5) == pytest.approx((2 / 32, 1 / 32))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_is_that_of_statsmodels(p_values: list[float]) -> None:
    with patch("gc.collect"):  # statsmodels collects garbage in each call: 0.2 s where PyTorch is loaded
        _, adjusted, *_ = multipletests(p_values, method="holm")
    assert holm(p_values) == pytest.approx(list(adjusted))


def test_holm_of_nothing() -> None:
    assert holm([]) == []


def tango(first: int, second: int, questions: int, delta: float) -> float:
    """The score statistic at a difference, by looking for the likeliest shares that differ by it."""

    def unlikeliness(share: float) -> float:  # share is that of questions only the second knows
        shares = (first, share + delta), (second, share), (questions - first - second, 1 - 2 * share - delta)
        return -sum(count * log(max(value, 1e-300)) for count, value in shares if count)

    bounds = max(0.0, -delta), (1 - delta) / 2
    share = minimize_scalar(unlikeliness, bounds=bounds, method="bounded", options={"xatol": 1e-13}).x
    variance = (2 * share + delta - delta**2) / questions
    return ((first - second) / questions - delta) / sqrt(variance)


@pytest.mark.parametrize(
    ("first", "second", "questions"), [(12, 2, 50), (5, 5, 30), (1, 0, 20), (30, 10, 45), (0, 9, 60), (200, 170, 1000)]
)
def test_the_score_interval_ends_where_the_likeliest_shares_are_just_rejected(
    first: int, second: int, questions: int
) -> None:
    found = score_interval(first, second, questions)
    assert tango(first, second, questions, found.low) == pytest.approx(1.959964, abs=1e-3)
    assert tango(first, second, questions, found.high) == pytest.approx(-1.959964, abs=1e-3)


@given(st.lists(st.sampled_from([(True, False), (False, True), (True, True)]), min_size=1, max_size=50))
def test_a_difference_lies_in_its_interval(outcomes: list[tuple[bool, bool]]) -> None:
    first, second = [one for one, _ in outcomes], [two for _, two in outcomes]
    found, other = paired_difference(first, second), paired_difference(second, first)
    assert found.estimate == pytest.approx(np.mean(first) - np.mean(second))
    assert -1 <= found.low <= found.estimate <= found.high <= 1
    assert (other.low, other.high) == pytest.approx((-found.high, -found.low), abs=1e-8)


def test_questions_needed_by_hand() -> None:
    # (1.95996 sqrt(0.1) + 0.84162 sqrt(0.0996))^2 / 0.0004 = (0.61980 + 0.26561)^2 / 0.0004 = 1959.9
    assert questions_needed(0.02, 0.1) == 1960
    assert questions_needed(0.02, 0.1, 2.5) == pytest.approx(2.5 * 1960, abs=3)
    assert questions_needed(0.02, 0) == questions_needed(0.02, 0.02)


def test_so_many_questions_do_settle_it() -> None:
    draws = np.random.default_rng(0).multinomial(questions_needed(0.02, 0.1), [0.06, 0.04, 0.9], size=20_000)
    first, second, _ = draws.T
    found = np.abs(first - second) > 1.959964 * np.sqrt(first + second)
    assert found.mean() == pytest.approx(0.8, abs=0.01)
