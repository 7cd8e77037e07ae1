"""Strata of questions: popularity and sizes of answer sets."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.metrics.strata import answer_set_size, degrees, popularity
from factprobe.records import POPULARITIES
from tests.tables import for_each_row


def test_degrees_count_both_ends_of_facts() -> None:
    assert degrees([("Q1", "Q2"), ("Q1", "Q3"), ("Q2", "Q1"), ("Q4", "Q4")]) == {"Q1": 3, "Q2": 2, "Q3": 1, "Q4": 1}


THREE_EACH = [(one, f"{one}{at}") for one in "bc" for at in range(3)]
THREE = [(subject, f"{subject}{at}") for subject in "abc" for at in range(3)]


@for_each_row(
    ("facts", "counts", "expected"),
    [
        # a stands in six facts, b and c in three each, d to i in one: 18, of which 6 are a third
        (
            [("a", f"o{at}") for at in range(6)] + THREE_EACH + [(one, f"p{one}") for one in "defghi"],
            {},
            {"a": "head", "b": "torso", "c": "torso", **dict.fromkeys("defghi", "tail")},
        ),
        # Bar alone stands in two facts; of seven facts the first three are of Bar and the neighbours of Rome
        (
            [("a", "Rome"), ("b", "Rome"), ("c", "Rome"), ("d", "Ulm"), ("e", "Ulm"), ("f", "Bar"), ("Bar", "x")],
            {},
            {"Bar": "head", **dict.fromkeys("abc", "torso"), **dict.fromkeys("def", "tail")},
        ),
        (THREE, {"c": 2.5, "b": 2}, {"a": "tail", "b": "torso", "c": "head"}),  # a file goes before the graph
        (THREE, {}, dict.fromkeys("abc", "torso")),  # equal subjects stay together
        # the middle of a's facts lies at 2 of 6, a third
        ([("a", "1"), ("a", "2"), ("a", "3"), ("a", "4"), ("b", "5"), ("b", "6")], {}, {"a": "head", "b": "tail"}),
        ([], {}, {}),
    ],
)
def test_a_third_of_the_facts_each(
    facts: list[tuple[str, str]], counts: dict[str, float], expected: dict[str, str]
) -> None:
    assert popularity(facts, counts) == expected


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
