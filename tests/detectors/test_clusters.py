"""Clusters of answers, and the numbers that follow from them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import entropy

from factprobe.detectors.answer_clusters import cluster_answers, disagreement, semantic_entropy


def test_answer_joins_the_first_cluster_whose_first_member_means_the_same() -> None:
    near = cluster_answers([0, 3, 1, 4, 9], lambda first, answer: abs(first - answer) <= 2)
    assert near == [0, 1, 0, 1, 2], "4 is near 3, a cluster's first member; 1 is nearer to 3 than to 9, but 0 is first"


@pytest.mark.parametrize(
    ("clusters", "share"), [([0, 0], 0.0), ([0, 1], 1.0), ([0, 1, 0, 2, 0], 0.5), ([0, 1, 1, 1], 1.0)]
)
def test_disagreement_is_the_share_of_the_others_that_say_something_else(clusters: list[int], share: float) -> None:
    assert disagreement(clusters) == share


@given(st.lists(st.integers(0, 4), min_size=2, max_size=12))
def test_entropy_is_that_of_the_shares_over_the_most_there_can_be(clusters: list[int]) -> None:
    counts = [clusters.count(number) for number in {*clusters}]
    assert semantic_entropy(clusters) == pytest.approx(entropy(counts, base=len(clusters)), abs=1e-6)
    assert 0 <= semantic_entropy(clusters) <= 1


def test_entropy_is_0_where_all_mean_the_same_and_1_where_none_do() -> None:
    assert semantic_entropy([0]) == semantic_entropy([0, 0, 0]) == 0
    assert [str(semantic_entropy([*range(count)])) for count in range(2, 12)] == ["1.0"] * 10
    assert [str(semantic_entropy([0] * count)) for count in range(1, 12)] == ["0.0"] * 11
