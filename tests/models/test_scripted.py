"""The scripted model: rules and files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from factprobe.api import ask_model, load_model
from factprobe.errors import ConfigError, DataError
from factprobe.records import Question
from tests.models.questions import binary, choices, question

Write = Callable[[str, str | bytes], Path]


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


def test_mixed_takes_turns_the_same_in_every_run() -> None:
    asked = [question(i) for i in range(300)]
    first, second = ([r.response for r in ask_model(load_model("scripted"), asked)] for _ in range(2))
    assert first == second
    assert set(first) == {"Paris", "Nowhereland", "I don't know."}


def test_answers_from_a_file(write: Write) -> None:
    path = write("answers.jsonl", json.dumps({"question_id": question(1).question_id, "response": "Lutetia"}))
    first, second = ask_model(load_model("scripted", path=str(path)), [question(1), question(2)])
    assert first.response == "Lutetia"
    assert second.error is not None
    assert question(2).question_id in second.error


def test_a_broken_or_missing_file(write: Write) -> None:
    with pytest.raises(ConfigError, match="no such file of scripted answers"):
        load_model("scripted", path="/no/such/file")
    with pytest.raises(DataError, match=r"answers.jsonl:1"):
        load_model("scripted", path=str(write("answers.jsonl", "{}\n")))
