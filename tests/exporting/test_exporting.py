"""Exams and results in the formats of other tools, read by their packages where these are installed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import factprobe as package
from factprobe.exporting.exam import exam_rows
from factprobe.records import Message, Question
from tests.command_line import CommandLine

BASE = ["kg=trex", "relations=[P36,P37]", "limit=3"]
TOTAL = ("total", "micro")

INSPECT = """
import json
import sys

sys.path.insert(0, sys.argv[1])
import inspect_ai
from exam import exam
from inspect_ai.model import ModelOutput, ModelUsage, get_model

task = exam()
targets = [sample.target if isinstance(sample.target, list) else [sample.target] for sample in task.dataset]
outputs = [ModelOutput.from_content("mockllm/model", ", ".join(target)) for target in targets]
for output in outputs:
    output.usage = ModelUsage()  # which it would count with a tokeniser from the network
model = get_model("mockllm/model", custom_outputs=outputs)
[log] = inspect_ai.eval(task, model=model, display="none", log_dir="logs", max_samples=1)
print(json.dumps([sample.scores["answer_scorer"].value for sample in log.samples]))
"""
LM_EVAL = """
import json
import sys

import lm_eval
from lm_eval.tasks import TaskManager

manager = TaskManager(include_path=sys.argv[1], include_defaults=False)
found = lm_eval.simple_evaluate(model="dummy", tasks=["factprobe_trex"], task_manager=manager, bootstrap_iters=0)
print(json.dumps([found["results"]["factprobe_trex"], len(found["samples"]["factprobe_trex"])], default=str))
"""
HF = """
import json
import sys

import datasets

print(json.dumps([dict(row) for row in datasets.load_dataset(sys.argv[1])["test"]]))
"""


def output_of(script: str, folder: Path, package: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the JSON that a script of another tool prints last."""
    if find_spec(package) is None:
        pytest.skip(f"{package} is not installed; make test-logs installs it")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_CACHE", str(folder / "cache"))
    command = [sys.executable, "-c", script, str(folder)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def export(factprobe: CommandLine, format_: str) -> Path:
    for step in ("extract", "generate"):
        assert factprobe(f"step={step}", *BASE).code == 0
    ended = factprobe("step=export", *BASE, f"format={format_}")
    assert ended.code == 0, ended.err
    return factprobe.folder / "outputs/trex/export" / format_


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_rows_are_graded_like_replies_of_a_file(factprobe: CommandLine) -> None:
    exam = rows(export(factprobe, "lm_eval") / "exam.jsonl")
    assert {row["question_type"] for row in exam} == {
        "binary_answer",
        "multi_choices",
        "multiple_answer",
        "single_answer",
    }
    right = [{**row, "response": ", ".join(names[-1] for names in row["answers"])} for row in exam]
    assert {grade.verdict for grade in package.grade_answers(right)} == {"correct"}
    declined = [{**row, "response": "I don't know."} for row in exam]
    assert {grade.verdict for grade in package.grade_answers(declined)} == {"abstained"}


def test_questions_that_others_cannot_grade_are_counted() -> None:
    left_out: Counter[str] = Counter()
    asked = Question("1", "single_answer", (Message("user", "Who?"),), (), "P1", "s", "o", given="made_up")
    assert list(exam_rows([asked], left_out)) == []
    assert left_out == {"have no right answer": 1}


def test_exam_of_inspect_ai(factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = export(factprobe, "inspect")
    values = output_of(INSPECT, folder, "inspect_ai", monkeypatch)
    assert values == ["C"] * len(rows(folder / "exam.jsonl"))


def test_task_of_lm_eval(factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = export(factprobe, "lm_eval")
    found, count = output_of(LM_EVAL, folder, "lm_eval", monkeypatch)
    assert count == len(rows(folder / "exam.jsonl"))
    assert found["factprobe_acc,none"] == 0


def test_data_set_of_hugging_face(factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = export(factprobe, "hf")
    found = output_of(HF, folder, "datasets", monkeypatch)
    assert found == rows(folder / "exam.jsonl")
    assert "3 of the type `single_answer`" in (folder / "README.md").read_text()


def test_results_are_those_of_the_report(factprobe: CommandLine) -> None:
    assert factprobe("step=all", *BASE, "model=scripted", "model.name=someone/scripted").code == 0
    assert factprobe("step=export", *BASE, "format=every_eval_ever").code == 0
    root = factprobe.folder / "outputs/trex"
    folder = root / "export/every_eval_ever/data/factprobe_trex/someone/scripted"
    [aggregate], [samples] = folder.glob("*.json"), folder.glob("*_samples.jsonl")
    found = json.loads(aggregate.read_text())
    [total] = [row for row in json.loads((root / "scores.json").read_text()) if (row["level"], row["average"]) == TOTAL]
    [score] = [row["score_details"] for row in found["evaluation_results"] if row["evaluation_name"] == "trex"]
    assert score["score"] == total["accuracy"]
    assert score["uncertainty"]["confidence_interval"]["upper"] == total["accuracy_high"]
    assert found["detailed_evaluation_results"]["checksum"] == sha256(samples.read_bytes()).hexdigest()
    replies = rows(samples)
    assert len(replies) == total["questions"] == found["detailed_evaluation_results"]["total_rows"]
    assert sum(reply["evaluation"]["is_correct"] for reply in replies) == total["correct"]


def test_what_is_missing_is_one_line(factprobe: CommandLine) -> None:
    assert "run step=extract" in factprobe.fails("step=export", *BASE, "format=inspect")
    assert factprobe("step=extract", *BASE).code == 0
    assert "run step=generate" in factprobe.fails("step=export", *BASE, "format=inspect")
    assert "run step=report" in factprobe.fails("step=export", *BASE, "format=every_eval_ever")
