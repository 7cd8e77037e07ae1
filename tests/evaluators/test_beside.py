"""Open answers that stand beside another one: a rounded number, a value of something else, who came before."""

from __future__ import annotations

import pytest

import factprobe


def verdict(question: str, answer: str, reply: str) -> str:
    (found,) = factprobe.grade_answers([{"question": question, "answers": [answer], "response": reply}])
    return found.verdict


@pytest.mark.parametrize(
    ("question", "right", "reply", "expected"),
    [
        ("How long is a marathon?", "42.195 km", "It is 42.2 kilometres long.", "correct"),
        ("How long is a marathon?", "42.2 km", "42.195 km", "correct"),
        ("How tall is he?", "1.85 m", "1.9 m", "correct"),
        ("How long is a marathon?", "42.195 km", "42.1 km", "incorrect"),
        ("How long is a marathon?", "42.195 km", "42 km", "incorrect"),
        ("How long is a marathon?", "42.195 km", "42.2 miles", "incorrect"),
        ("How long is a marathon?", "42.2 km", "42.25 km", "incorrect"),
        ("What is the latest version?", "3.11", "3.1", "incorrect"),
    ],
)
def test_a_quantity_may_be_rounded(question: str, right: str, reply: str, expected: str) -> None:
    assert verdict(question, right, reply) == expected


BLUE = "How many points is the blue ball worth in snooker?"


@pytest.mark.parametrize(
    ("question", "right", "reply", "expected"),
    [
        (BLUE, "5", "The pink ball is worth 5 points, while the blue ball is worth 6 points.", "incorrect"),
        (BLUE, "5", "The pink ball is worth 5. The blue ball is worth 6.", "incorrect"),
        (BLUE, "5", "The pink ball is worth 6 and the blue ball is worth 5.", "correct"),
        (BLUE, "5", "Five points; the pink ball is worth six.", "correct"),
        (BLUE, "5", "The blue ball is worth 5 points, one less than the pink ball (6).", "correct"),
        (
            "When did the museum open?",
            "1985",
            "The theatre opened in 1985, but the museum opened in 1990.",
            "incorrect",
        ),
        ("When did the museum open?", "1985", "The old wing opened in 1985, and the museum closed in 1990.", "correct"),
        (
            "How many medals did Austria win in 2011?",
            "8",
            "Austria's medals in 2011: Austria won a total of 8 medals (3 gold, 5 bronze).",
            "correct",
        ),
    ],
)
def test_a_value_of_something_else_is_none(question: str, right: str, reply: str, expected: str) -> None:
    assert verdict(question, right, reply) == expected


THIRD = "Who was the 3rd president of the US?"


@pytest.mark.parametrize(
    ("question", "right", "reply", "expected"),
    [
        (THIRD, "Thomas Jefferson", "James Madison, who was preceded by Thomas Jefferson.", "incorrect"),
        (THIRD, "Thomas Jefferson", "John Adams, followed by Thomas Jefferson.", "incorrect"),
        (THIRD, "Thomas Jefferson", "Thomas Jefferson, preceded by John Adams.", "correct"),
        (THIRD, "Thomas Jefferson", "John Adams was followed by Thomas Jefferson as the 3rd president.", "correct"),
        ("Who succeeded Washington?", "John Adams", "Washington was succeeded by John Adams.", "correct"),
        ("Who wrote Emma?", "Jane Austen", "It is by Jane Austen.\n\nEngland", "correct"),
        ("Who wrote Emma?", "Jane Austen", "It is by Jane Austen.\n\nCharlotte Brontë", "incorrect"),
        ("Where is it set?", "Highbury", "It is set in Highbury.\n\nEngland", "incorrect"),
    ],
)
def test_who_comes_beside_an_answer_is_none(question: str, right: str, reply: str, expected: str) -> None:
    assert verdict(question, right, reply) == expected


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("I am an AI assistant created by a company.", "abstained"),
        ("I'm a chatbot and I have no opinions on this.", "abstained"),
        ("I am an AI assistant, but it is Jane Austen.", "correct"),
        ("It was written by an AI named Bard.", "incorrect"),
    ],
)
def test_who_speaks_of_itself_declines(reply: str, expected: str) -> None:
    assert verdict("Who wrote Emma?", "Jane Austen", reply) == expected
