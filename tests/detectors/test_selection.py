"""Algorithm 1 on an example worked by hand, as printed and diverse."""

from __future__ import annotations

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.detectors.shroom import negative_entropy, select

# Unit vectors at 0, 60, 90 and 180 degrees, so that similarities are cosines of differences.
VECTORS = [(1.0, 0.0), (0.5, sqrt(3) / 2), (0.0, 1.0), (-1.0, 0.0)]


def test_negative_entropy_by_hand() -> None:
    assert negative_entropy(0) == negative_entropy(1) == 0
    assert negative_entropy(0.5) == pytest.approx(-log(2))
    assert negative_entropy(0.9) == negative_entropy(1 - 0.9) == pytest.approx(-0.325083, abs=1e-6)
    assert negative_entropy(0.8) == pytest.approx(-0.500402, abs=1e-6)


def test_as_printed_by_hand() -> None:
    """F0 of 1.0, 0.9, 0.9, 0.95: 0, -0.3251, -0.3251, -0.1985.

    First 0. Then F = F0 - 0.2 (1 - sim): -0.3251 - 0.1 = -0.4251; -0.3251 - 0.2 = -0.5251; -0.1985 - 0.4 = -0.5985, so
    1. Then, the larger distance counting: -0.3251 - 0.2 max(1, 0.134) = -0.5251; -0.1985 - 0.2 max(2, 1.5) = -0.5985,
    so 2.
    """
    assert select([1.0, 0.9, 0.9, 0.95], VECTORS, 4) == [0, 1, 2, 3]


def test_diverse_by_hand() -> None:
    """F = F0 - 0.2 max(sim): -0.3251 - 0.1; -0.3251 - 0; -0.1985 + 0.2 = 0.0015, so 3.

    Then -0.3251 - 0.2 max(0.5, -0.5) = -0.4251; -0.3251 - 0.2 max(0, 0) = -0.3251, so 2.
    """
    assert select([1.0, 0.9, 0.9, 0.95], VECTORS, 4, selection="diverse") == [0, 3, 2, 1]


def test_weight_balances_certainty_and_similarity() -> None:
    given = [1.0, 0.8, 0.9]  # F0: 0, -0.5004, -0.3251; 1 - sim to the first: 0.5, 1
    assert select(given, VECTORS[:3], 2, weight=0.2) == [0, 2]  # -0.6004 and -0.5251
    assert select(given, VECTORS[:3], 2, weight=0.5) == [0, 1]  # -0.7504 and -0.8251
    assert select(given, VECTORS[:3], 2, weight=0) == [0, 2]


def test_ties_keep_order_and_count_is_bounded() -> None:
    assert select([0.9, 1.0, 1.0], VECTORS[:3], 1) == [1]
    assert select([0.6], VECTORS[:1], 5) == [0]
    assert select([], np.zeros((0, 2)), 5) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8), st.integers(0, 10), st.sampled_from(["printed", "diverse"]))
def test_each_is_chosen_once_by_the_formula(given: list[float], count: int, how: str) -> None:
    vectors = np.random.default_rng(0).normal(size=(len(given), 3))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    chosen = select(given, vectors, count, selection=how)  # type: ignore[arg-type]
    assert len({*chosen}) == len(chosen) == min(count, len(given))
    for place, item in enumerate(chosen):
        before, left = chosen[:place], [at for at in range(len(given)) if at not in chosen[:place]]

        def value(at: int, before: list[int] = before) -> float:
            alike = [float(vectors[at] @ vectors[other]) for other in before]
            far = max((one if how == "diverse" else 1 - one for one in alike), default=0)
            return negative_entropy(given[at]) - 0.2 * far

        assert value(item) >= max(map(value, left)) - 1e-12
