"""Logs that the other tools make here and now, where they are installed: `make test-logs`."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import factprobe
from tests.inputs.replies import ROWS, json_lines

LM_EVAL = """
import lm_eval
from lm_eval.loggers import EvaluationTracker

task = {"dataset_path": "json", "dataset_kwargs": {"data_files": {"test": "data.jsonl"}}, "test_split": "test"}
task["doc_to_text"] = "Q: {{question}}\\nA:"
made = {**task, "task": "made", "output_type": "generate_until", "doc_to_target": "answers"}
chosen = {**task, "task": "chosen", "output_type": "multiple_choice", "doc_to_target": "gold"}
chosen["doc_to_choice"] = "choices"
tracker = EvaluationTracker(output_path="out")
results = lm_eval.simple_evaluate(model="dummy", tasks=[made, chosen], evaluation_tracker=tracker, bootstrap_iters=0)
samples = results.pop("samples")
tracker.save_results_aggregated(results=results, samples=samples)
for name in samples:
    tracker.save_results_samples(task_name=name, samples=samples[name])
"""
INSPECT = """
import json, sys
from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.solver import generate

rows = [json.loads(line) for line in open("data.jsonl", encoding="utf-8")]
outputs = [ModelOutput.from_content("mockllm/model", text) for text in ("It is Paris.", "Emily Brontë")]
for output in outputs:  # else they are counted by what must be downloaded
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
samples = [Sample(id=row["id"], input=row["question"], target=row["answers"]) for row in rows]
task = Task(name="made", dataset=MemoryDataset(samples), solver=generate())
model = get_model("mockllm/model", custom_outputs=outputs)
eval(task, model=model, log_dir="out", log_format=sys.argv[1], display="none", max_samples=1)
"""


def made(folder: Path, package: str, script: str, *arguments: str) -> Path:
    """Where a script has left its logs."""
    if find_spec(package) is None:
        pytest.skip(f"{package} is not installed; make test-logs installs it")
    rows = [{**row, "choices": ["Lyon", row["answers"][0]], "gold": 1} for row in ROWS[:2]]
    (folder / "data.jsonl").write_text(json_lines(rows), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return folder / "out"


def test_lm_evaluation_harness(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path / "cache"))
    folder = made(tmp_path, "lm_eval", LM_EVAL)
    graded = factprobe.grade_answers(str(folder / "*/samples_made_*.jsonl"))
    assert [(grade.id, grade.verdict) for grade in graded] == [("0", "incorrect"), ("1", "incorrect")]
    [log] = folder.glob("*/samples_chosen_*.jsonl")
    own = [json.loads(line)["acc"] == 1 for line in log.read_text().splitlines()]
    assert [grade.verdict == "correct" for grade in factprobe.grade_answers(log)] == own


@pytest.mark.parametrize("kind", ["eval", "json"])
def test_inspect(tmp_path: Path, kind: str) -> None:
    [log] = made(tmp_path, "inspect_ai", INSPECT, kind).glob(f"*.{kind}")
    graded = factprobe.grade_answers(log)
    assert [(grade.id, grade.verdict) for grade in graded] == [("q1", "correct"), ("q2", "incorrect")]
    assert [(row.model, row.relation) for row in graded.scores if row.level == "cell"] == [("mockllm/model", "made")]
