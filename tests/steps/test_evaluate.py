"""step=evaluate with a second set of rules beside the own ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import CommandLine

BASE = ["kg=trex", "model=scripted", "relations=[P36,P37]", "limit=6"]
GRADES = "outputs/trex/grades/template/scripted"


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture
def answered(factprobe: CommandLine) -> CommandLine:
    for step in ("extract", "generate", "answer"):
        assert factprobe(f"step={step}", *BASE).code == 0
    return factprobe


def test_compat_grades_lie_beside_the_own_ones(answered: CommandLine, tmp_path: Path) -> None:
    assert answered("step=evaluate", *BASE).code == 0
    own = {path.name: path.read_bytes() for path in (tmp_path / GRADES).glob("*.jsonl")}
    code, out, err = answered("step=evaluate", *BASE, "compat=llm_facteval")
    assert code == 0, err
    assert {path.name: path.read_bytes() for path in (tmp_path / GRADES).glob("*.jsonl")} == own
    for name, content in own.items():
        beside = records(tmp_path / GRADES / "compat/llm_facteval" / name)
        assert [grade["question_id"] for grade in beside] == [
            json.loads(x)["question_id"] for x in content.splitlines()
        ]
    assert "; by llm_facteval " in out
    counts = json.loads((tmp_path / "outputs/trex/manifest.json").read_text())["evaluate"]["counts"]
    assert counts["compat"]["name"] == "llm_facteval"
    assert sum(counts["compat"]["verdicts"].values()) == sum(counts["verdicts"].values())


def test_compat_takes_any_evaluator_config_and_its_settings(answered: CommandLine, tmp_path: Path) -> None:
    mine = tmp_path / "my_conf/evaluator/mine.yaml"
    mine.parent.mkdir(parents=True)
    mine.write_text(
        "name: mine/rules\nbinary_answer: llm_facteval_binary\nmulti_choices: multi_choices\n"
        "single_answer: single_answer\nmultiple_answer: multiple_answer\n"
    )
    result = answered("--config-dir", "my_conf", "step=evaluate", *BASE, "+evaluator@compat=mine")
    assert result.code == 0, result.err
    assert (tmp_path / GRADES / "compat/mine%2Frules/P36.jsonl").exists()
    result = answered("step=evaluate", *BASE, "compat=llm_facteval", "compat.settings.aliases=true")
    assert result.code == 0, result.err
    assert "compat.setings" in answered.fails(
        "step=evaluate", *BASE, "compat=llm_facteval", "compat.setings.aliases=true"
    )
    assert "unknown compat 'nonsense'; known: llm_facteval" in answered.fails("step=evaluate", "compat=nonsense")


def test_compat_grades_are_no_other_model(answered: CommandLine, tmp_path: Path) -> None:
    for compat in ([], ["compat=llm_facteval"]):
        assert answered("step=evaluate", *BASE, *compat).code == 0
    assert "only scripted is there to compare" in answered.fails("step=compare", *BASE)
    assert answered("step=report", *BASE).code == 0
    rows = json.loads((tmp_path / "outputs/trex/scores.json").read_text())
    assert {row["model"] for row in rows} == {"scripted"}
    [total] = [row for row in rows if (row["level"], row["average"]) == ("total", "micro")]
    assert total["questions"] == len(
        records(tmp_path / GRADES / "P36.jsonl") + records(tmp_path / GRADES / "P37.jsonl")
    )
