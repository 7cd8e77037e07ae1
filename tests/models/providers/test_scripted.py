"""The scripted model: rules."""

from __future__ import annotations

import pytest

from factprobe.api import ask_model, load_model
from factprobe.records import PlainRequest, Question
from tests.models.questions import binary, choices, question


@pytest.mark.parametrize(
    ("rule", "asked", "reply"),
    [
        ("gold", question(), "Paris"),
        ("gold", binary(), "correct"),
        ("gold", choices(), "Paris"),
        ("wrong", question(), "Nowhereland"),
        ("wrong", binary(), "incorrect"),
        ("wrong", choices(), "Rome"),
        ("abstain", binary(), "I don't know."),
    ],
)
def test_rules(rule: str, asked: Question, reply: str) -> None:
    [response] = ask_model(load_model("scripted", rule=rule), [asked])
    assert response.response == reply


def test_mixed_rule_is_deterministic() -> None:
    asked = [question(i) for i in range(300)]
    first, second = ([r.response for r in ask_model(load_model("scripted"), asked)] for _ in range(2))
    assert first == second
    assert set(first) == {"Paris", "Nowhereland", "I don't know."}


@pytest.mark.parametrize("rule", ["gold", "wrong", "abstain", "mixed"])
def test_request_without_answers_gets_no_answer(rule: str) -> None:
    asked = question()
    [response] = ask_model(load_model("scripted", rule=rule), [PlainRequest(asked.question_id, asked.prompts)])
    assert (response.response, response.error) == ("I don't know.", None)
