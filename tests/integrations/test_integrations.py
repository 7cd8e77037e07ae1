"""Grading inside other tools."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from factprobe.errors import ConfigError, DataError
from factprobe.integrations.lm_eval import grade
from factprobe.integrations.reply_grader import ReplyGrader

RIGHT: dict[str, Any] = {"question": "What is the capital of France?", "answers": ["Paris"], "response": "Paris."}

TESTS = """
ROWS = [{"question": f"What is {i}?", "answers": str(i), "response": str(i if i < 8 else 0)} for i in range(1, 41)]


def test_enough(assert_accuracy):
    assert assert_accuracy(ROWS[:7], at_least=0.9)[0].verdict == "correct"


def test_too_few_to_say(assert_accuracy):
    assert_accuracy(ROWS[6:9], at_least=0.6)


def test_too_weak(assert_accuracy):
    assert_accuracy(ROWS, at_least=0.9)


def test_no_replies(assert_accuracy):
    dead = [{**row, "system": "dead", "response": None} for row in ROWS]
    assert_accuracy([*ROWS[:7], *dead], at_least=0.1)


def test_few_replies(assert_accuracy):
    assert_accuracy([*ROWS[:19], *({**row, "response": None} for row in ROWS[19:])], at_least=0.1)


def test_percentage(assert_accuracy):
    assert_accuracy(ROWS, at_least=80)


def test_true(assert_factual):
    assert_factual("Paris is the capital of France.")


def test_false(assert_factual):
    assert_factual(["Paris is the capital of France.", "Lima is the capital of Chile."])


def test_nothing(assert_factual):
    assert_factual("It is sunny.")


def test_with_a_model(assert_factual):
    def model(prompt: str) -> str:
        return "Contradiction" if "Rome" in prompt else "Entailment"

    assert_factual("Ada was in Rome.", reference="She was in Oslo.", model=model, claim_extractor="sentences")
"""


TASK = """
import inspect_ai
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.solver import generate

from factprobe.integrations.inspect_ai import answer_scorer

outputs = [ModelOutput.from_content("mockllm/model", reply) for reply in ("It is Paris.", "Lyon", "I don't know.")]
for output in outputs:
    output.usage = ModelUsage()  # which it would count with a tokeniser from the network
samples = [Sample(input="What is the capital of France?", target=["Paris", "City of Light"]) for _ in outputs]
task = inspect_ai.Task(dataset=samples, solver=generate(), scorer=answer_scorer())
model = get_model("mockllm/model", custom_outputs=outputs)
[log] = inspect_ai.eval(task, model=model, display="none", log_dir="logs", max_samples=1)
for sample in log.samples:
    score = sample.scores["answer_scorer"]
    print(score.value, score.answer, score.metadata["verdict"])
"""


def test_fixtures_of_pytest(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(TESTS)
    plugin = ["-p", "no:cacheprovider", "-p", "no:xdist"]
    command = [sys.executable, "-m", "pytest", *plugin, "-q", "--rootdir", str(tmp_path), str(tmp_path)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "7 failed, 3 passed" in ended.stdout, ended.stdout + ended.stderr
    assert "surely below 0.9" in ended.stdout
    assert "at_least: 80 is not within 0 and 1" in ended.stdout
    assert "surely below 80" not in ended.stdout
    assert "dead has no reply to any of 40 questions" in ended.stdout
    assert "has no reply to 21 of 40 questions" in ended.stdout
    assert "'What is 8?' → '0', not 8 (incorrect)" in ended.stdout
    assert "and 28 more" in ended.stdout
    assert "1 of 2 claims are contradicted:" in ended.stdout
    assert "Lima capital of Chile (the graph has Peru)" in ended.stdout
    assert "no claim could be checked; name another graph with kg=, or a model with model=" in ended.stdout
    assert "1 of 1 claims are contradicted:" in ended.stdout


def test_single_replies_are_graded() -> None:
    grader = ReplyGrader()
    assert grader.grade(RIGHT).verdict == "correct"
    assert grader.grade({**RIGHT, "response": "Lyon"}).verdict == "incorrect"
    assert ReplyGrader(match="all").grade({**RIGHT, "answers": ["Paris", "Lyon"]}).verdict == "incorrect"
    with pytest.raises(DataError, match="has no right answer"):
        grader.grade({**RIGHT, "answers": []})


def test_unknown_match_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"ReplyGrader.match: .*every"):
        ReplyGrader(match="every")  # type: ignore[arg-type]


def test_columns_are_given_as_to_grade_answers() -> None:
    record = {"question": "What is the capital of France?", "gold": "Paris", "response": "Paris"}
    assert ReplyGrader(columns={"answers": "gold"}).grade(record).verdict == "correct"
    with pytest.raises(ConfigError, match="golds"):
        ReplyGrader(columns={"golds": "gold"})


def test_process_results_of_lm_eval() -> None:
    doc = {"query": "What is the capital of France?", "gold": {"names": ["Paris"]}}
    columns = {"question": "query", "answers": "gold.names"}
    assert grade(doc, ["It is Paris."], **columns)["factprobe_acc"] == 1
    assert grade(doc, [], **columns)["factprobe_acc"] == 0
    assert grade(doc, ["I don't know."], **columns) == {
        "factprobe_acc": 0,
        "factprobe_abstained": 1,
        "factprobe_probability": 0,
    }


@pytest.mark.parametrize("bad", [{"answers": []}, {"answers": None}, {"answers": "D", "choices": ["Paris", "Lyon"]}])
def test_document_that_cannot_be_graded_leaves_the_others_of_lm_eval(
    caplog: pytest.LogCaptureFixture, bad: dict[str, Any]
) -> None:
    assert grade({"question": "What is the capital of France?", **bad}, ["Paris"]) == {}
    assert "right answer" in caplog.text
    assert grade({"question": "What is the capital of France?", "answers": "Paris"}, ["Paris"])["factprobe_acc"] == 1
    with pytest.raises(DataError, match="has no 'answers'"):
        grade({"question": "What is the capital of France?"}, ["Paris"])


def test_scorer_of_inspect_ai(tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai", exc_type=ImportError)
    (tmp_path / "task.py").write_text(TASK)
    command = [sys.executable, "task.py"]  # in a process of its own, since it leaves streams open
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.stdout.splitlines()[-3:] == [
        "C Paris correct",
        "I Lyon incorrect",
        "N I don't know. abstained",
    ], ended.stderr
