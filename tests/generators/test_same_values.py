"""Numbers and dates as options: the same in another writing, or coarser, is no wrong answer."""

from __future__ import annotations

from itertools import permutations

import pytest

from factprobe.generators.same_values import value_names
from factprobe.generators.sampling import Candidate, Names
from factprobe.records import Entity, Relation
from tests.generators.graphs import graph, make

SAME = [
    ("1000", "1000.0", "1.0e3", "01000", "1,000", "+1000", "1E3"),
    ("1906-12-09", "9 December 1906", "December 9, 1906", "1906-12-09T00:00:00Z", "+1906-12-09"),
    ("1906-12", "December 1906", "1906-12-00"),
    ("1906", "1906-00-00", "1906.0"),
    ("5 km", "5.0 km", "5km"),
    ("0.5", ".5", "0.50", "5e-1"),
]
COARSER = [("1906-12-09", "1906-12"), ("1906-12-09", "1906"), ("9 December 1906", "1906"), ("1906-12", "1906")]
ELSE = [
    ("1000", "10000"),
    ("1906-12-09", "1906-12-10"),
    ("1906-12", "1906-11"),
    ("1906-12-09", "1907"),
    ("5 km", "5 miles"),
    ("1.5", "15"),
    ("12345678901234567", "12345678901234568"),
    ("2001: A Space Odyssey", "2001"),
    ("Apollo 11", "11"),
    ("9 December", "1906"),
]


def clashes(one: str, other: str) -> bool:
    names = Names()
    names.add(Candidate(Entity("a", one)))
    return names.clash(Candidate(Entity("b", other)))


@pytest.mark.parametrize(("one", "other"), [pair for same in SAME for pair in permutations(same, 2)])
def test_the_same_value_cannot_stand_beside_itself(one: str, other: str) -> None:
    assert clashes(one, other)
    assert value_names(one)[0] == value_names(other)[0]


@pytest.mark.parametrize(("fine", "coarse"), COARSER)
def test_a_date_cannot_stand_beside_one_that_says_less_of_it(fine: str, coarse: str) -> None:
    assert clashes(fine, coarse)
    assert clashes(coarse, fine)


@pytest.mark.parametrize(("one", "other"), ELSE)
def test_other_values_can(one: str, other: str) -> None:
    assert not clashes(one, other)
    assert not clashes(other, one)


def test_a_number_whose_dot_may_part_thousands_cannot_stand_beside_either() -> None:
    assert all(clashes(*pair) for number in ("169176", "169.176") for pair in permutations(("169.176", number)))


def test_no_wrong_answer_is_a_right_one_in_another_writing() -> None:
    pop = graph(
        [("Aton", "1000"), ("Beton", "1000.0"), ("Ceton", "01000"), ("Deton", "1.0e3"), ("Eton", "7"), ("Fton", "7.0")],
        Relation("pop", "[X] has [Y] inhabitants.", "population"),
    )
    for question in make(pop).questions:
        values = [value_names(option)[0] for option in question.choices]
        assert len(values) == len({*values}) <= 2
        if question.question_type == "binary_answer" and question.subject_uri == "Aton":
            assert ("has 7" in question.prompts[0].content) == (question.answers == "incorrect")


def test_no_wrong_answer_says_less_or_more_of_the_right_day() -> None:
    died = graph(
        [("Aton", "1906-12-09"), ("Eton", "1906"), ("Fton", "1906-12"), ("Gton", "1815-12-10")],
        Relation("d", "[X] died on [Y].", "date of death"),
    )
    for question in make(died).questions:
        assert sum("1906" in option for option in question.choices) <= 1
        if question.question_type == "binary_answer":
            right = ("1906" in question.prompts[0].content) == (question.subject_uri != "Gton")
            assert right == (question.answers == "correct")
