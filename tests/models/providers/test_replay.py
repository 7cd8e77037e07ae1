"""The model `replay`: recorded responses, from this project's files and from anyone's."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from factprobe.api import ask_model, load_model
from factprobe.errors import ConfigError, DataError
from factprobe.models.base import request_hash
from tests.command_line import CommandLine
from tests.models.questions import question

Write = Callable[[str, str | bytes], Path]


def line(number: int, text: str | None, **more: object) -> str:
    return json.dumps({"question_id": question(number).question_id, "response": text, **more}) + "\n"


def test_answers_from_a_file(write: Write) -> None:
    path = write("answers.jsonl", line(1, "Lutetia", confidence=0.3))
    first, second = ask_model(load_model("replay", path=str(path)), [question(1), question(2)])
    assert first.response == "Lutetia"
    assert second.error is not None
    assert question(2).question_id in second.error


def test_last_answer_of_all_files_counts(write: Write) -> None:
    write("old/a.jsonl", line(1, "Lyon") + line(2, None, error="timeout"))
    folder = write("old/b/c.jsonl", line(1, "Paris") + line(1, None, error="timeout")).parents[1]
    first, second = ask_model(load_model("replay", path=str(folder)), [question(1), question(2)])
    assert first.response == "Paris"
    assert second.error == "timeout"


def test_many_missing_recorded_answers_do_not_end_the_run(write: Write) -> None:
    path = write("answers.jsonl", line(99, "Paris"))
    responses = ask_model(load_model("replay", path=str(path)), [question(i) for i in range(100)])
    assert [response.error is None for response in responses] == [False] * 99 + [True]


def test_broken_or_missing_file(write: Write, tmp_path: Path) -> None:
    for path in (tmp_path / "none.jsonl", tmp_path):
        with pytest.raises(ConfigError, match="no recorded responses"):
            load_model("replay", path=str(path))
    with pytest.raises(DataError, match=r"answers.jsonl:1"):
        ask_model(load_model("replay", path=str(write("answers.jsonl", "{}\n"))), [question(1)])


def test_doubtful_responses_are_warned_of_once(write: Write, caplog: pytest.LogCaptureFixture) -> None:
    lines = [
        line(1, "Lyon"),
        line(1, "Paris"),
        line(1, "Paris"),
        line(2, "x", scores=[-1.0]),
        line(7, "a"),
        line(8, ""),
    ]
    path = write("answers.jsonl", "".join(lines))
    model = load_model("replay", path=str(path))
    for _ in range(2):
        first, _ = ask_model(model, [question(1), question(2)])
    assert first.response == "Paris"
    assert caplog.messages == [
        f"model=replay: 1 response after another to the same question: the last one counts; first: {path}:2",
        f"model=replay: 1 response without as many scores as choices: the text counts; first: {path}:4",
        f"model=replay: 2 responses to questions that were not asked; first: {path}:5",
    ]


def test_response_to_another_wording_is_warned_of(write: Write, caplog: pytest.LogCaptureFixture) -> None:
    own = line(1, "Paris", prompts_hash=request_hash(question(1)))
    path = write("answers.jsonl", own + line(2, "Lyon", prompts_hash="0" * 16) + line(3, "Nice"))
    ask_model(load_model("replay", path=str(path)), [question(i) for i in (1, 2, 3)])
    [warning] = caplog.messages
    assert warning.startswith("model=replay: 1 response to questions whose prompts or choices were others")
    assert f"{path}:2" in warning


@pytest.mark.parametrize(
    ("number", "told"), [("NaN", "null or NaN in scores"), ("null", "null or NaN in scores"), ("1e400", "out of range")]
)
def test_scores_that_are_not_numbers(write: Write, number: str, told: str) -> None:
    path = write("answers.jsonl", line(1, "Paris", scores=[-1.5, -2]).replace("-1.5", number))
    with pytest.raises(DataError, match=rf"answers.jsonl:1: .*{told}.*; .* lists of finite numbers"):
        ask_model(load_model("replay", path=str(path)), [question(1)])


def test_log_probability_above_0(write: Write) -> None:
    path = write("answers.jsonl", line(1, "Paris", logprobs=[-1.5, 3]))
    with pytest.raises(DataError, match=r"answers.jsonl:1: .*logprobs.*; .* logprobs at most 0"):
        ask_model(load_model("replay", path=str(path)), [question(1)])


def test_earlier_run_is_scored_again(factprobe: CommandLine, tmp_path: Path) -> None:
    run = ["kg=trex", "relations=[P36]", "limit=4"]
    assert factprobe("step=all", *run, "model=scripted").code == 0
    recorded = tmp_path / "outputs/trex/responses/template/scripted"
    result = factprobe("step=all", *run, "model=replay", f"model.path={recorded}", "model.name=again")
    assert result.code == 0, result.err
    grades = tmp_path / "outputs/trex/grades/template"
    assert (grades / "again/P36.jsonl").read_bytes() == (grades / "scripted/P36.jsonl").read_bytes()
