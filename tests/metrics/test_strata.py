"""Strata of questions: popularity and sizes of answer sets."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.metrics.strata import answer_set_size, degrees, popularity
from factprobe.records import POPULARITIES


def test_degrees_count_both_ends_of_facts() -> None:
    assert degrees([("Q1", "Q2"), ("Q1", "Q3"), ("Q2", "Q1"), ("Q4", "Q4")]) == {"Q1": 3, "Q2": 2, "Q3": 1, "Q4": 1}


def test_a_third_of_the_facts_each() -> None:
    # a stands in six facts, b and c in three each, d to i in one: 18, of which 6 are a third
    facts = [("a", f"o{at}") for at in range(6)] + [(one, f"{one}{at}") for one in "bc" for at in range(3)]
    found = popularity(facts + [(one, f"p{one}") for one in "defghi"])
    assert found == {"a": "head", "b": "torso", "c": "torso", **dict.fromkeys("defghi", "tail")}


def test_subjects_of_one_fact_are_told_apart_by_their_neighbours() -> None:
    facts = [("a", "Rome"), ("b", "Rome"), ("c", "Rome"), ("d", "Ulm"), ("e", "Ulm"), ("f", "Bar"), ("Bar", "x")]
    assert degrees(facts)["f"] == degrees(facts)["a"] == 1
    # Bar alone stands in two facts; of seven facts the first three are of Bar and the neighbours of Rome
    assert popularity(facts) == {"Bar": "head", **dict.fromkeys("abc", "torso"), **dict.fromkeys("def", "tail")}


def test_a_file_goes_before_the_graph() -> None:
    facts = [("a", "x"), ("a", "y"), ("a", "z"), ("b", "v"), ("b", "w"), ("b", "u"), ("c", "s"), ("c", "r"), ("c", "q")]
    assert popularity(facts, {"c": 2.5, "b": 2}) == {"a": "tail", "b": "torso", "c": "head"}
    assert set(popularity(facts).values()) == {"torso"}


def test_equal_subjects_stay_together() -> None:
    assert set(popularity([("a", "x"), ("b", "y"), ("c", "z")]).values()) == {"torso"}


def test_facts_that_end_at_the_cut_are_above_it() -> None:
    # the middle of a's facts lies at 2 of 6, a third
    facts = [("a", "1"), ("a", "2"), ("a", "3"), ("a", "4"), ("b", "5"), ("b", "6")]
    assert popularity(facts) == {"a": "head", "b": "tail"}


def test_no_facts() -> None:
    assert popularity([]) == {}


_URI = st.text("abcd", max_size=2)


@given(st.lists(st.tuples(_URI, _URI), max_size=40, unique=True), st.dictionaries(_URI, st.integers(0, 3)))
def test_more_popular_is_never_further_down(facts: list[tuple[str, str]], counts: dict[str, int]) -> None:
    found = popularity(facts, counts)
    assert found.keys() == {subject for subject, _ in facts}
    degree = degrees(facts)
    ranked = sorted(found, key=lambda uri: (counts.get(uri, 0), degree[uri]), reverse=True)
    for one, other in pairwise(ranked):
        apart = (counts.get(one, 0), degree[one]) > (counts.get(other, 0), degree[other])
        assert not apart or POPULARITIES.index(found[one]) <= POPULARITIES.index(found[other])
    assert found == popularity(facts[::-1], counts)


@given(st.lists(st.tuples(_URI, _URI), min_size=1, max_size=60, unique=True))
def test_no_stratum_is_far_from_a_third(facts: list[tuple[str, str]]) -> None:
    """By as much as the subjects that are alike at a cut, whose middle lies on one side of it."""
    found, degree = popularity(facts), degrees(facts)
    asked, near = Counter(subject for subject, _ in facts), Counter[str]()
    for subject, object_ in facts:
        near[subject] += degree[object_]
        near[object_] += degree[subject]
    alike = Counter[tuple[int, int]]()
    for uri, count in asked.items():
        alike[degree[uri], near[uri]] += count
    head = sum(asked[uri] for uri in found if found[uri] == "head")
    assert abs(head - len(facts) / 3) <= max(alike.values()) / 2 + 1e-9


@pytest.mark.parametrize(
    ("answers", "name"),
    [(1, "1"), (2, "2"), (3, "3-5"), (5, "3-5"), (6, "6-10"), (10, "6-10"), (11, "11+"), (400, "11+")],
)
def test_sizes_of_answer_sets(answers: int, name: str) -> None:
    assert answer_set_size(answers) == name
