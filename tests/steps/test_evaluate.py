"""step=evaluate with a second set of rules beside the own ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import CommandLine
from tests.exams import run_once

BASE = ["kg=trex", "model=scripted", "relations=[P36,P37]", "limit=6"]
GRADES = "outputs/trex/grades/template/scripted"


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture
def answered(factprobe: CommandLine) -> CommandLine:
    for step in ("extract", "generate", "answer"):
        run_once(factprobe, f"step={step}", *BASE)
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
        run_once(answered, "step=evaluate", *BASE, *compat)
    assert "only scripted is there to compare" in answered.fails("step=compare", *BASE)
    assert answered("step=report", *BASE).code == 0
    rows = json.loads((tmp_path / "outputs/trex/scores.json").read_text())
    assert {row["model"] for row in rows} == {"scripted"}
    [total] = [row for row in rows if (row["level"], row["average"]) == ("total", "micro")]
    assert total["questions"] == len(
        records(tmp_path / GRADES / "P36.jsonl") + records(tmp_path / GRADES / "P37.jsonl")
    )


FAILING = """
from factprobe.evaluators import evaluators
from factprobe.evaluators.single.evaluator import SingleEvaluator

@evaluators.register("failing")
class Failing(SingleEvaluator):
    def judge(self, question, reply):
        if question.subject_uri[-1] in "13579":
            raise KeyError(reply)
        return super().judge(question, reply)
"""


@pytest.fixture
def failing(answered: CommandLine, tmp_path: Path) -> list[str]:
    """Settings under which an evaluator fails on some replies."""
    (tmp_path / "failing.py").write_text(FAILING)
    return ["step=evaluate", *BASE, "plugins=[failing]", "evaluator.single_answer=failing"]


@pytest.mark.parametrize("command", [[], ["-m"]], ids=["a run", "a sweep"])
def test_a_reply_that_a_rule_fails_on_ends_no_run(
    answered: CommandLine, failing: list[str], tmp_path: Path, command: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    code, _, err = answered(*command, *failing)
    assert code == 0, err
    grades = records(tmp_path / GRADES / "P36.jsonl") + records(tmp_path / GRADES / "P37.jsonl")
    ids = [found["question_id"] for found in grades if found["rule"] == "rule_error"]
    assert 0 < len(ids) < len(grades)
    counts = json.loads((tmp_path / "outputs/trex/manifest.json").read_text())["evaluate"]["counts"]
    assert counts["rule_errors"] == {"KeyError in failing, line 9": len(ids)}
    assert counts["rule_errors_named"] == [f"{name}: KeyError in failing, line 9" for name in ids]
    assert counts["verdicts"]["unparsed"] == len(ids)
    (told,) = caplog.records
    assert told.getMessage().startswith(f"{len(ids)} replies are unparsed by rule_error, since a rule failed: KeyError")
    assert not told.exc_info
    caplog.clear()
    assert answered(*command, *failing, "debug=true").code == 0
    assert [bool(record.exc_info) for record in caplog.records] == [True, False]


def test_other_rules_that_fail_are_told_apart_and_no_judge_is_asked_about_them(
    answered: CommandLine, failing: list[str], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    mine = tmp_path / "my_conf/evaluator/mine.yaml"
    mine.parent.mkdir(parents=True)
    mine.write_text("name: mine\nsingle_answer: failing\n")
    judge = ["model@judge=scripted", "judge.name=judge", "judge_rules=[unparsed,rule_error]"]
    code, _, err = answered("--config-dir", "my_conf", *failing, "+evaluator@compat=mine", *judge)
    assert code == 0, err
    counts = json.loads((tmp_path / "outputs/trex/manifest.json").read_text())["evaluate"]["counts"]
    assert counts["compat"]["rule_errors"] == counts["rule_errors"]
    assert counts["judge"]["open"] == 0
    assert len(caplog.messages) == 2


def test_where_no_rule_fails_nothing_is_told_of_it(answered: CommandLine, tmp_path: Path) -> None:
    assert answered("step=evaluate", *BASE, "compat=llm_facteval", "debug=true").code == 0
    counts = json.loads((tmp_path / "outputs/trex/manifest.json").read_text())["evaluate"]["counts"]
    assert not {"rule_errors", "rule_errors_named"} & {*counts, *counts["compat"]}
