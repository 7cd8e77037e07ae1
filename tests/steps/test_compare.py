"""step=compare on the command line, with graded scripted models."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

import factprobe as package
from factprobe.errors import ConfigError
from factprobe.metrics.gate import Check
from factprobe.metrics.statistics.intervals import Interval
from tests.command_line import CommandLine
from tests.exams import run_once

BASE = ["kg=trex", "relations=[P36,P37]", "limit=8", "model=scripted"]


@pytest.fixture
def graded(factprobe: CommandLine) -> CommandLine:
    """Two models' grades: one always right, one by turns."""
    run_once(factprobe, "step=all", *BASE)
    run_once(factprobe, "step=all", *BASE, "model.rule=gold", "model.name=gold")
    return factprobe


def test_all_graded_models_are_compared(graded: CommandLine, tmp_path: Path) -> None:
    code, out, err = graded("step=compare", *BASE)
    assert code == 0, err
    assert re.search(
        r"^ True/false\n +gold +better .*^ Short answer\n +gold +no difference ", out, re.MULTILINE | re.DOTALL
    )
    assert "compare: 2 models → outputs/trex/comparison.json; step=report puts the comparison on the page" in out
    rows = json.loads((tmp_path / "outputs/trex/comparison.json").read_text())
    total = rows[-1]
    scores = json.loads((tmp_path / "outputs/trex/scores.json").read_text())
    accuracy = {
        score["model"]: score["accuracy"]
        for score in scores
        if (score["level"], score["average"]) == ("total", "micro")
    }
    assert (total["question_type"], total["first"], total["second"]) == ("all", "gold", "scripted")
    assert (total["accuracy_first"], total["accuracy_second"]) == (1.0, accuracy["scripted"])
    assert total["verdict"] == "first"
    assert total["bootstrap"]["low"] <= total["difference"]["estimate"] <= total["bootstrap"]["high"]
    with (tmp_path / "outputs/trex/comparison.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    assert len(table) == len(rows)
    assert float(table[-1]["difference_low"]) == total["difference"]["low"]
    assert int(table[-1]["needed_questions"]) == total["needed"]["questions"]
    manifest = json.loads((tmp_path / "outputs/trex/manifest.json").read_text())
    assert manifest["compare"]["counts"]["models"] == ["gold", "scripted"]


def test_the_named_models_in_the_order_named(graded: CommandLine, tmp_path: Path) -> None:
    assert graded("step=compare", *BASE, "models=[scripted,gold]").code == 0
    [*_, total] = json.loads((tmp_path / "outputs/trex/comparison.json").read_text())
    assert (total["first"], total["second"], total["verdict"]) == ("scripted", "gold", "second")


def test_what_cannot_be_compared_is_one_line(graded: CommandLine) -> None:
    assert "unknown graded model 'gould'; did you mean 'gold'?" in graded.fails(
        "step=compare", "models=[gould,scripted]"
    )
    line = graded.fails("step=compare", "models=gold")
    assert "only gold is there to compare" in line
    assert "models=[a,b]" in line


def test_one_graded_model_is_too_few(factprobe: CommandLine) -> None:
    assert "run step=extract" in factprobe.fails("step=compare")
    assert factprobe("step=extract", *BASE).code == 0
    assert "no model is there to compare" in factprobe.fails("step=compare")
    assert factprobe("step=all", *BASE).code == 0
    assert "only scripted is there to compare" in factprobe.fails("step=compare")


def test_one_model_is_enough_for_a_least_accuracy(factprobe: CommandLine, tmp_path: Path) -> None:
    assert factprobe("step=extract", *BASE).code == 0
    assert "no model is there" in factprobe.fails("step=compare", "fail_below=0.05")
    assert factprobe("step=all", *BASE).code == 0
    for named in ([], ["models=scripted"]):
        code, out, err = factprobe("step=compare", "fail_below=0.05", *named)
        assert (code, err) == (0, "")
        assert "accuracy of scripted is " in out
        assert "compare: 1 model → outputs/trex/checks.xml" in out
    assert not (tmp_path / "outputs/trex/comparison.json").exists()
    assert "accuracy of scripted is " in factprobe.fails("step=compare", "fail_below=0.99", code=5)


def test_models_that_are_left_out_are_not_counted(graded: CommandLine, tmp_path: Path) -> None:
    table = ["kg=csv", "kg.source=f.csv", "kg.name=mine"]
    (tmp_path / "f.csv").write_text("subject,relation,object\nFrance,capital,Paris\nPeru,capital,Lima\n")
    assert graded("step=all", *table, "model=scripted").code == 0
    changed = [*table, 'kg.templates={capital: "The capital of [X] is [Y]."}', "model=scripted"]
    for name in ("one", "two"):
        assert graded("step=all", *changed, f"model.name={name}").code == 0
    out = graded("step=compare", *changed).out
    assert "compare: 2 models → " in out
    assert json.loads((tmp_path / "outputs/mine/manifest.json").read_text())["compare"]["counts"]["models"] == [
        "one",
        "two",
    ]
    gate = ["step=compare", *changed, "fail_below=0.01"]
    assert graded(*gate).code == 0
    assert "accuracy of scripted is unknown: no replies" in graded.fails(*gate, "models=[scripted,one,two]", code=5)


def test_models_without_a_common_question(factprobe: CommandLine) -> None:
    assert factprobe("step=extract", *BASE).code == 0
    assert factprobe("step=generate", *BASE).code == 0
    for relation, name in (("P36", "one"), ("P37", "other")):
        for step in ("answer", "evaluate"):
            settings = [f"step={step}", "model=scripted", f"relations=[{relation}]", f"model.name={name}"]
            assert factprobe(*settings).code == 0
    assert "no two of one, other have answered a question in common" in factprobe.fails("step=compare")


def test_the_same_from_python() -> None:
    kg = package.load_kg("trex")
    questions = package.make_questions(kg, ["P36"], limit=5)
    graded = {}
    for rule in ("gold", "wrong"):
        responses = package.ask_model(package.load_model("scripted", rule=rule), questions)
        graded[rule] = package.grade_responses(kg, questions, responses)
    table = package.compare(graded)
    assert (table[-1].question_type, table[-1].verdict) == ("all", "first")
    assert "gold" in str(table)
    with pytest.raises(ConfigError, match="no two of gold"):
        package.compare({"gold": graded["gold"]})


def test_a_model_that_is_surely_too_weak_fails_the_gate(graded: CommandLine) -> None:
    error = graded.fails("step=compare", *BASE, "fail_below=0.95", code=5)
    assert error.startswith("factprobe: error: 1 of 2 checks failed: accuracy of scripted is ")
    assert "gold" not in error
    suite = ElementTree.parse(graded.folder / "outputs/trex/checks.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert [case.get("name") for case in suite if len(case)] == ["scripted"]
    assert graded("step=compare", *BASE, "fail_below=0.05").code == 0


def test_a_model_that_is_surely_worse_than_the_baseline_fails_the_gate(graded: CommandLine) -> None:
    error = graded.fails("step=compare", *BASE, "fail_if_worse=gold", code=5)
    assert "accuracy of scripted minus that of gold is -" in error
    better = graded("step=compare", *BASE, "fail_if_worse=scripted", "format=github")
    assert better.code == 0
    assert "**factprobe: 0 of 1 checks failed**" in better.out
    assert "| gold | `fail_if_worse` |" in better.out
    assert (graded.folder / "outputs/trex/comparison.json").exists()


def test_a_model_without_answers_to_most_questions_of_the_baseline_fails_the_gate(
    graded: CommandLine, caplog: pytest.LogCaptureFixture
) -> None:
    """The model is always right, so that it is not worse on the questions that it was asked."""
    part = ["model.rule=gold", "model.name=part"]
    for step in ("answer", "evaluate"):
        assert graded(f"step={step}", *BASE, *part, "relations=[P36]").code == 0
    gate = ["step=compare", *BASE, "models=[scripted,part]", "fail_if_worse=scripted"]
    assert graded(*gate, "relations=[P36]").code == 0
    assert "lack a reply" not in caplog.text
    assert graded(*gate).code == 0
    assert re.search(r"part: (\d+) of \d+ questions lack a reply", caplog.text)
    grades = graded.folder / "outputs/trex/grades/template/part/P36.jsonl"
    grades.write_text("".join(grades.read_text().splitlines(keepends=True)[:4]))
    assert "accuracy of part minus that of scripted is unknown: " in graded.fails(*gate, code=5)
    assert graded("step=compare", *BASE, "models=[scripted,part]", "fail_if_worse=part").code == 0


def test_the_baseline_is_one_of_the_models(graded: CommandLine) -> None:
    assert "did you mean 'gold'" in graded.fails("step=compare", *BASE, "fail_if_worse=golt")


def test_the_point_alone_fails_no_gate() -> None:
    wide = Check("m", "fail_below", 0.5, Interval(0.4, 0.2, 0.6), "")
    assert not wide.has_failed
    assert replace(wide, interval=Interval(0.3, 0.2, 0.49)).has_failed
