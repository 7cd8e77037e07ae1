"""What the same question is, by hand."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from factprobe.metrics.breakdowns.question_pairs import same_question
from factprobe.records import Answer, Context, Hop, Message, Question, Statement

ASKED = Question(
    "a:b:r:multi_choices:obj",
    "multi_choices",
    (Message("user", "?"),),
    (Answer("b", "B"),),
    "r",
    "a",
    "b",
    choices=("B", "C"),
)


@pytest.mark.parametrize(
    "change",
    [
        {"prompts": (Message("user", "!"),)},
        {"choices": ("C", "B")},
        {"answers": (Answer("b", "B", ("Bee",)),)},
        {"statement": Statement("A, B", (0, 1), (3, 4))},
        {"bare": "?"},
        {"context": Context("A is B.")},
        {"given": "none"},
    ],
)
def test_other_words_ask_the_same(change: dict[str, Any]) -> None:
    assert same_question(replace(ASKED, **change)) == same_question(ASKED)


@pytest.mark.parametrize(
    "change",
    [
        {"question_id": "c:b:r:multi_choices:obj"},
        {"choices": ("B", "D")},
        {"choices": ("B", "C", "D")},
        {"answers": (Answer("d", "B"),)},
        {"answers": "correct"},
        {"shown": "b"},
        {"path": (Hop("p"), Hop("q"))},
    ],
)
def test_another_question_is_not_the_same(change: dict[str, Any]) -> None:
    assert same_question(replace(ASKED, **change)) != same_question(ASKED)


def test_the_order_of_questions_is_the_same_in_every_process() -> None:
    """Sums over questions are added in this order: Python's own hashes of texts would make other last digits."""
    assert same_question(ASKED) == 2119198573872947035
