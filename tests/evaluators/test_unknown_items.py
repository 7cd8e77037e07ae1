"""Wrong items of a set that no graph knows, wherever they stand in the list."""

from __future__ import annotations

import pytest

import factprobe
from tests.tables import for_each_row

SETS = {
    "airports": ["LHR", "LGW", "STN", "LTN"],
    "novels": ["Emma", "Persuasion", "Pride and Prejudice"],
    "colours": ["red", "white", "blue"],
    "cities": ["Paris", "Lyon", "Nice"],
    "Beatles": ["John Lennon", "Paul McCartney", "George Harrison"],
}


@for_each_row(
    ("name", "reply", "is_right"),
    [
        ("airports", "JFK, LHR, LGW, STN, LTN", False),
        ("airports", "LHR, LGW, JFK, STN, LTN", False),
        ("novels", "Jane Eyre, Emma, Persuasion and Pride and Prejudice", False),
        ("colours", "1. green 2. red 3. white 4. blue", False),
        ("cities", "- Marseille\n- Paris\n- Lyon\n- Nice", False),
        ("cities", "Marseille\nParis\nLyon\nNice", False),
        ("airports", "LHR, LGW, STN, LTN", True),
        ("cities", "Of course: Paris, Lyon, Nice", True),
        ("cities", "French Cities:\n- Paris\n- Lyon\n- Nice", True),
        ("cities", "Paris, France, Lyon, France, Nice, France", True),
        ("Beatles", "John, Paul and George: John Lennon, Paul McCartney, George Harrison", True),
    ],
)
def test_an_unknown_item_of_a_list_is_wrong(name: str, reply: str, is_right: bool) -> None:
    record = {"question": f"Which are the {name}?", "answers": SETS[name], "response": reply}
    (grade,) = factprobe.grade_answers([record], match="all")
    assert (grade.verdict == "correct") is is_right


PRIMES = "What are the prime numbers below 10?", ["2", "3", "5", "7"]
DIVISORS = "What are the divisors of 6?", ["1", "2", "3", "6"]
EVEN = "What are the even numbers between 1 and 9?", ["2", "4", "6", "8"]
ROOTS = "Which numbers solve x^2 = 4?", ["2", "-2"]
QUADRATIC = "What are the roots of x^2 - 5x + 6 = 0?", ["2", "3"]
DNA = "Who discovered the structure of DNA?", ["James Watson", "Francis Crick"]
GOOGLE = "Who founded Google?", ["Larry Page", "Sergey Brin"]
HOMES = "Where did he live?", ["Paris", "London"]
SYMPTOMS = "What are the symptoms?", ["cough", "headache"]
QUEEN = "Who was in Queen?", ["Freddie Mercury", "Brian May"]
STATES = "Which states does the Hudson part?", ["New York", "New Jersey"]
SISTERS = "Who were the Brontë sisters?", ["Charlotte Brontë", "Emily Brontë", "Anne Brontë"]
CHIEFS = "Who led Apple?", ["Tim Cook", "Steve Jobs"]


@for_each_row(
    ("asked", "reply", "is_right"),
    [
        (PRIMES, "The primes below 10 are 2, 3, 5, and 7.", True),
        (PRIMES, "2, 3, 5, 7 are the prime numbers below 10.", True),
        (PRIMES, "There are 4 prime numbers below 10: 2, 3, 5, 7.", True),
        (PRIMES, "There are four prime numbers: two, three, five and seven.", True),
        (PRIMES, "two, three, five and nine", False),
        (PRIMES, "2, 3, 5, 7, 10", False),
        (PRIMES, "2, 3, 5, 7 and 9", False),
        (EVEN, "The even numbers between 1 and 9 are 2, 4, 6 and 8.", True),
        (EVEN, "2, 4, 6, 8 and 9", False),
        (DIVISORS, "The divisors of 6 are 1, 2, 3, and 6.", True),
        (DIVISORS, "The divisors of 6 are 1, 2 and 3.", False),
        (ROOTS, "x = ±2", True),
        (ROOTS, "+/- 2", True),
        (ROOTS, "2", False),
        (ROOTS, "±3", False),
        (QUADRATIC, "x = 2 or x = 6", False),
        (DNA, "James Watson and Francis Crick, in Cambridge in 1953", True),
        (DNA, "James Watson and Francis Crick at a desk in the Cavendish Laboratory", True),
        (DNA, "James D. Watson and Francis H. C. Crick", True),
        (DNA, "James Watson and Francis Crick, with Maurice Wilkins", False),
        (DNA, "James Watson and Francis Crick in collaboration with Maurice Wilkins", False),
        (DNA, "James D. Watson and Maurice H. Wilkins", False),
        (GOOGLE, "Google was founded by Larry Page and Sergey Brin in 1998 at Stanford University.", True),
        (GOOGLE, "Larry Page and Sergey Brin in Menlo Park, California", True),
        (GOOGLE, "Dr. Larry Page and Sir Sergey Brin", True),
        (GOOGLE, "Larry Page, Sergey Brin and Bill Gates in Menlo Park", False),
        (HOMES, "Paris and London, in Europe", True),
        (HOMES, "In Paris, in London and in Rome", False),
        (SYMPTOMS, "coughing, headaches", True),
        (SYMPTOMS, "coughing, headaches, fever", False),
        (CHIEFS, "Timothy Cook and Steven Jobs", True),
        (CHIEFS, "Timothy D. Cook and Steve Jobs", True),
        (CHIEFS, "James Cook and Steve Jobs", False),
        (QUEEN, "Freddie Mercury and Brian Jones", False),
        (STATES, "York and Jersey", False),
        (SISTERS, "Charlotte, Emily and Anne", True),
        (SISTERS, "Charlotte, Emily and Branwell Brontë", False),
    ],
)
def test_items_are_compared_as_single_answers_are(asked: tuple[str, list[str]], reply: str, is_right: bool) -> None:
    record = {"question": asked[0], "answers": asked[1], "response": reply}
    (grade,) = factprobe.grade_answers([record], match="all")
    assert (grade.verdict == "correct") is is_right


@pytest.mark.parametrize(
    ("answers", "reply", "expected"),
    [
        (["Joe Biden", "Barack Obama"], "Jill Biden, Michelle Obama", "incorrect"),
        (["Joe Biden", "Barack Obama"], "JOE BIDEN, BARACK OBAMA", "correct"),
        (["Guinea", "Mali"], "Papua New Guinea, Mali", "incorrect"),
        (["Sudan", "Chad"], "South Sudan and Chad", "incorrect"),
        (["Mexico", "Spain"], "New Mexico, Spain", "incorrect"),
        (["Mexico", "Spain"], "Mexico, Spain", "correct"),
    ],
)
def test_longer_names_in_a_bare_list_are_other_names(answers: list[str], reply: str, expected: str) -> None:
    records = [{"question": "Which ones are right?", "answers": answers, "response": reply}]
    [grade] = factprobe.grade_answers(records, match="all")
    assert grade.verdict == expected, grade
