"""Replies to questions of which no graph is known, as people grade them."""

from __future__ import annotations

import pytest

import factprobe

PLANETS = ("Which planet is closest to the sun?", ["Mercury", "Venus", "Earth", "Mars"], "Mercury")
CAPITAL = ("What is the capital of Australia?", ["Sydney", "Canberra", "Melbourne", "Perth"], "Canberra")


def verdict(question: str, answer: str, reply: str, **more: object) -> str:
    (found,) = factprobe.grade_answers([{"question": question, "answers": [answer], "response": reply, **more}])
    return found.verdict


Options = tuple[str, list[str], str]

OPTIONS: list[tuple[Options, str, str]] = [
    (CAPITAL, "It's not C. The correct answer is B.", "correct"),
    (CAPITAL, "I ruled out C. The answer is B.", "correct"),
    (CAPITAL, "We can eliminate D. The remaining best choice is B.", "correct"),
]


@pytest.mark.parametrize(("options", "reply", "expected"), OPTIONS)
def test_options(options: Options, reply: str, expected: str) -> None:
    question, choices, right = options
    assert verdict(question, right, reply, choices=choices) == expected


@pytest.mark.parametrize(
    ("answer", "reply", "expected"),
    [
        ("vitamin D", "It is not vitamin C. It is vitamin D.", "correct"),
        ("vitamin C", "It is not vitamin C. It is vitamin D.", "incorrect"),
        ("hepatitis B", "Not hepatitis C. It is hepatitis B.", "correct"),
        ("Microsoft", "It wasn't Apple Inc. It was Microsoft.", "correct"),
        ("Hank Aaron", "Not Martin Luther King Jr. The answer is Hank Aaron.", "correct"),
        ("J. R. R. Tolkien", "It is not J. R. R. Tolkien.", "incorrect"),
    ],
)
def test_answers_in_words(answer: str, reply: str, expected: str) -> None:
    assert verdict("Which is it?", answer, reply) == expected
