"""step=grade on logs of other tools."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.command_line import CommandLine
from tests.inputs.replies import LOGS, grades, totals


@pytest.mark.parametrize(("task", "kind"), [("capitals_list", "single_answer"), ("capitals_mc", "multi_choices")])
def test_log_of_lm_evaluation_harness(factprobe: CommandLine, task: str, kind: str) -> None:
    [log] = LOGS.glob(f"dummy__model/samples_{task}_*.jsonl")
    code, _, err = factprobe("step=grade", f"input={log}", "output_dir=outputs/log")
    assert (code, err) == (0, "")
    own = [json.loads(line) for line in log.read_text().splitlines()]
    right = [sample.get("acc", sample.get("exact_match")) == 1 for sample in own]
    assert [row["verdict"] == "correct" for row in grades(factprobe.folder, "log")] == right
    assert totals(factprobe.folder, "log") == {"dummy/model": (sum(right), len(right))}
    [cell] = [row for row in json.loads(Path("outputs/log/scores.json").read_text()) if row["level"] == "cell"]
    assert (cell["relation"], cell["question_type"]) == (task, kind)


@pytest.mark.skipif(find_spec("inspect_ai") is not None, reason="inspect_ai is installed")
def test_log_of_inspect_without_its_package(factprobe: CommandLine) -> None:
    told = factprobe.fails("step=grade", f"input={LOGS / 'mc.eval'}")
    assert told.endswith("inspect_ai is not installed; pip install 'factprobe[inspect]'")


@pytest.mark.skipif(find_spec("inspect_ai") is None, reason="inspect_ai is not installed")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("capitals", {"a": ("correct", "model"), "2": ("incorrect", "model")}),
        ("mc", {"1": ("correct", "options.letter")}),
    ],
)
def test_log_of_inspect(factprobe: CommandLine, name: str, expected: Mapping[str, tuple[str, str]]) -> None:
    code, out, err = factprobe("step=grade", f"input={LOGS / name}.eval")
    assert (code, err) == (0, "")
    assert {row["id"]: (row["verdict"], row["rule"]) for row in grades(factprobe.folder, name)} == expected
    assert list(totals(factprobe.folder, name)) == ["mockllm/model"]
    assert ("were cut off by max_tokens" in out) == (name == "capitals")
