"""Strata of questions: popularity and sizes of answer sets."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.metrics.strata import POPULARITIES, answer_set_size, degrees, popularity


def test_degrees_count_both_ends_of_facts() -> None:
    assert degrees([("Q1", "Q2"), ("Q1", "Q3"), ("Q2", "Q1"), ("Q4", "Q4")]) == {"Q1": 3, "Q2": 2, "Q3": 1, "Q4": 1}


def test_a_third_of_all_degrees_each() -> None:
    counts = {"a": 30, "b": 20, "c": 10} | {f"t{at}": 1 for at in range(30)}
    found = popularity(counts)
    assert [found[name] for name in "abc"] == ["head", "torso", "torso"]
    assert Counter(found.values()) == {"head": 1, "torso": 2, "tail": 30}


def test_equal_degrees_stay_together() -> None:
    assert set(popularity({"a": 2, "b": 2, "c": 2}).values()) == {"torso"}
    assert popularity({"a": 1, "b": 1, "c": 2, "d": 2}) == {"a": "tail", "b": "tail", "c": "head", "d": "head"}


def test_a_sum_that_ends_at_the_cut_is_above_it() -> None:
    # the middle of the first lies at 4 of 12, a third
    assert popularity({"a": 8, "b": 3, "c": 1}) == {"a": "head", "b": "tail", "c": "tail"}


def test_no_entities() -> None:
    assert popularity({}) == {}


@given(st.dictionaries(st.text(max_size=3), st.integers(1, 50), max_size=30))
def test_more_popular_is_never_further_down(counts: dict[str, int]) -> None:
    found = popularity(counts)
    assert list(found) == list(counts)
    ranked = [POPULARITIES.index(found[uri]) for uri in sorted(counts, key=counts.__getitem__, reverse=True)]
    assert ranked == sorted(ranked)
    assert found == {uri: popularity(dict(reversed(counts.items())))[uri] for uri in counts}


@pytest.mark.parametrize(
    ("answers", "name"),
    [(1, "1"), (2, "2"), (3, "3-5"), (5, "3-5"), (6, "6-10"), (10, "6-10"), (11, "11+"), (400, "11+")],
)
def test_sizes_of_answer_sets(answers: int, name: str) -> None:
    assert answer_set_size(answers) == name


def test_no_answer_at_all() -> None:
    with pytest.raises(ValueError, match="an answer or more, not 0"):
        answer_set_size(0)
