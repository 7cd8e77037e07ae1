"""All answers in words: replies with the answers that a careful person finds in them, and why."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

import factprobe
from factprobe.records import Answer, Message
from tests.evaluators import worlds as w
from tests.evaluators.worlds import graded

SWISS = w.ask_object(w.SPEAKS, "Switzerland")


def test_a_megabyte_of_answers_is_read() -> None:
    found = graded(SWISS, "German, Dutch, French, Klingon\n" * 33_000)
    assert (found.true_positives, found.false_positives, found.false_negatives) == (2, 2, 2)


def test_one_name_names_every_answer_that_bears_it() -> None:
    # Two towns are called Springfield and both are answers: a list of labels cannot name them one by one.
    towns = (Answer("Q1", "Springfield"), Answer("Q2", "Springfield"), Answer("Q3", "Boston"))
    asked = SWISS._replace(question=replace(SWISS.question, answers=towns))
    found = graded(asked, "Springfield, Boston")
    assert found.verdict == "correct"
    assert set(found.matched) == {"Q1", "Q2", "Q3"}
    assert (found.true_positives, found.false_positives, found.false_negatives) == (3, 0, 0)


def test_a_tag_before_a_name_is_a_part_of_it_and_answers_below_each_other_are_no_echo() -> None:
    tagged = (Answer("Q1", "[X]Other cyst"), Answer("Q2", "Cyst of bursa"), Answer("Q3", "[EDTA] Membranous disease"))
    asked = SWISS._replace(question=replace(SWISS.question, answers=tagged))
    assert graded(asked, "Cyst of bursa\n[X]Other cyst\n[EDTA] Membranous disease").verdict == "correct"
    prompts = (Message("user", "List every answer: Cologne Bonn Airport is named after ____."),)
    cities = (Answer("Q1", "Cologne"), Answer("Q2", "Bonn"))
    asked = SWISS._replace(question=replace(SWISS.question, answers=cities, prompts=prompts))
    assert graded(asked, "Cologne\nBonn").verdict == "correct"


def test_a_wrong_answer_in_a_sentence_counts_as_one_unless_it_is_a_denial() -> None:
    replies = {
        "Swiss people speak a dialect of the mountains.": 1,
        "Dutch, Klingon": 2,
        "Not Dutch.": 0,
    }
    found = {reply: graded(SWISS, reply) for reply in replies}
    assert {grade.rule for grade in found.values()} == {"set.no_match"}
    assert {reply: grade.false_positives for reply, grade in found.items()} == replies


@pytest.mark.parametrize(
    ("right", "other"),
    [("U.S.", "US"), ("Washington D.C.", "Washington DC"), ("The Beatles", "Beatles"), ("H₂O", "H2O"), ("AA", "Aa")],
)
def test_names_that_differ_in_dots_or_an_article_alone_are_right_answers(right: str, other: str) -> None:
    facts = [
        ("Sub A", "likes", "Oslo"),
        ("Sub A", "likes", right),
        ("Sub B", "likes", other),
        ("Sub B", "likes", "Rio"),
    ]
    kg = factprobe.load_kg(facts, templates={"likes": "[X] likes [Y]."})
    asked = factprobe.make_questions(kg, question_types=["multiple_answer"])
    for question, names in zip(asked, (["Oslo", right], [other, "Rio"]), strict=True):
        graded = factprobe.grade_responses(
            kg, [question] * 2, [", ".join(names), "\n".join(f"- {one}" for one in names)]
        )
        assert [grade.rule for grade in graded] == ["set.exact"] * 2


@pytest.mark.parametrize(
    ("reply", "expected"),
    [("Aa", "correct"), ("AA", "incorrect"), ("The genotype is aa.", "incorrect"), ("The genotype is Aa.", "correct")],
)
def test_names_that_differ_in_case_are_told_apart(reply: str, expected: str) -> None:
    facts = [("dominant", "genotype", "AA"), ("mixed", "genotype", "Aa"), ("recessive", "genotype", "aa")]
    kg = factprobe.load_kg(facts, templates={"genotype": "The genotype of [X] is [Y]."})
    question = {"question": "The genotype of mixed is ____.", "answers": ["Aa"], "response": reply}
    [grade] = factprobe.grade_answers([question], kg=kg)
    assert grade.verdict == expected, grade
