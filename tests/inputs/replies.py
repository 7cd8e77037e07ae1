"""The same replies in every format that is registered, as whoever writes such files would write them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

LOGS = Path(__file__).parent / "logs"
"""Written by lm-evaluation-harness 0.4.13 and inspect_ai 0.3.285, with models that need no weights."""
ROWS: list[dict[str, Any]] = [
    {
        "id": "q1",
        "question": "What is the capital of France?",
        "answers": ["Paris", "City of Light"],
        "response": "Paris.",
    },
    {
        "id": "q2",
        "question": "Who wrote “Emma”, and when?",
        "answers": ["Jane Austen"],
        "response": 'Said "Austen",\nI think',
    },
    {"id": "q3", "question": "日本の首都は?", "answers": ["東京"], "response": ""},
]
"""Questions with right answers and replies."""


class Case(NamedTuple):
    """A format as the contract tries it."""

    name: str
    """Of a file of it."""
    write: Callable[[Path], None]
    """Writes `ROWS` into a file."""
    system: str = ""
    """Who replies by what the format tells."""


def json_lines(rows: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def csv_text(rows: list[dict[str, Any]], delimiter: str = ",") -> str:
    file = io.StringIO()
    writer = csv.DictWriter(file, list(rows[0]), delimiter=delimiter, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows({key: "|".join(v) if isinstance(v, list) else v for key, v in row.items()} for row in rows)
    return file.getvalue()


def lm_eval_sample(row: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A sample that was generated, as lm-evaluation-harness 0.4.13 logs it."""
    doc = {"question": row["question"], "answers": row["answers"]}
    prompt = f"Q: {row['question']}\nA:"
    sample = {
        "doc_id": row["id"],
        "doc": doc,
        "target": str(row["answers"]),
        "arguments": {"gen_args_0": {"arg_0": prompt, "arg_1": {"until": ["\n"]}}},
        "resps": [[row["response"]]],
        "filtered_resps": [row["response"]],
        "filter": "none",
        "metrics": ["exact_match"],
        "doc_hash": "2ddb",
        "prompt_hash": "0b2c",
        "target_hash": "5dd2",
        "exact_match": 0.0,
    }
    return {**sample, **changes}


def helm_state(row: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A request of HELM's with the reply to it, as HELM 0.5.16 logs it."""
    references = [{"output": {"text": name}, "tags": ["correct"]} for name in row["answers"]]
    completion = {"text": row["response"], "logprob": 0, "tokens": [{"text": row["response"], "logprob": 0}]}
    state = {
        "instance": {
            "input": {"text": row["question"]},
            "references": references,
            "split": "test",
            "id": row["id"],
        },
        "train_trial_index": 0,
        "request": {
            "model_deployment": "simple/model1",
            "model": "simple/model1",
            "prompt": f"Question: {row['question']}\nAnswer:",
            "temperature": 0.0,
            "max_tokens": 5,
            "stop_sequences": ["\n"],
        },
        "result": {"success": True, "embedding": [], "completions": [completion], "cached": True, "request_time": 0.1},
        "num_train_instances": 0,
        "prompt_truncated": False,
        "num_conditioning_tokens": 0,
    }
    return {**state, **changes}


def helm_text(states: list[dict[str, Any]]) -> str:
    """The `scenario_state.json` of a run."""
    spec = {"method": "generation", "instructions": "", "model_deployment": "simple/model1", "model": "simple/model1"}
    return json.dumps({"adapter_spec": spec, "request_states": states}, indent=2)


def write_parquet(path: Path) -> None:
    import pyarrow
    from pyarrow.parquet import write_table

    write_table(pyarrow.Table.from_pylist(ROWS), path)


def write_inspect(path: Path) -> None:
    """A log as the package itself writes it."""
    log = pytest.importorskip("inspect_ai.log")
    model = pytest.importorskip("inspect_ai.model")
    outputs = [model.ModelOutput.from_content("mockllm/model", row["response"]) for row in ROWS]
    samples = [
        log.EvalSample(id=row["id"], epoch=1, input=row["question"], target=row["answers"], output=output)
        for row, output in zip(ROWS, outputs, strict=True)
    ]
    spec = log.EvalSpec(
        created="2026-01-01T00:00:00+00:00",
        task="capitals",
        dataset=log.EvalDataset(),
        model="mockllm/model",
        config=log.EvalConfig(),
    )
    log.write_eval_log(log.EvalLog(eval=spec, samples=samples, status="success"), str(path))


CASES = {
    "csv": Case("answers.csv", lambda path: void(path.write_text(csv_text(ROWS), encoding="utf-8"))),
    "helm": Case(
        "natural_qa:mode=closedbook,model=simple_model1/scenario_state.json",
        lambda path: void(path.write_text(helm_text([helm_state(row) for row in ROWS]), encoding="utf-8")),
        "simple/model1",
    ),
    "inspect": Case("log.eval", write_inspect, "mockllm/model"),
    "json": Case("answers.jsonl", lambda path: void(path.write_text(json_lines(ROWS), encoding="utf-8"))),
    "lm_eval": Case(
        "some__model/samples_capitals_2026-11-22T09-10-36.710645.jsonl",
        lambda path: void(path.write_text(json_lines([lm_eval_sample(row) for row in ROWS]), encoding="utf-8")),
        "some/model",
    ),
    "parquet": Case("answers.parquet", write_parquet),
}
"""By the name that each is registered under."""


def void(_: object) -> None:
    """Nothing, for a lambda that is run for what it does."""


def grades(folder: Path, name: str = "answers") -> list[dict[str, Any]]:
    """The grades of an input, as they lie in its folder."""
    lines = (folder / "outputs" / name / "grades.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def totals(folder: Path, name: str = "answers") -> dict[str, tuple[int, int]]:
    """Correct replies and all, by system."""
    rows = json.loads((folder / "outputs" / name / "scores.json").read_text())
    found = [row for row in rows if (row["level"], row["average"]) == ("total", "micro")]
    return {row["model"]: (row["correct"], row["questions"]) for row in found}
