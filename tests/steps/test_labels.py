"""Scores corrected by people's labels, wherever grades are scored."""

from __future__ import annotations

import csv
import json
import random
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

import factprobe as package
from tests.command_line import CommandLine
from tests.exams import run_once
from tests.inputs.replies import csv_text, json_lines

BASE = ["kg=trex", "relations=[P36,P37]", "limit=8", "model=scripted"]


def replies(system: str, right: int) -> list[dict[str, Any]]:
    return [
        {
            "id": f"{system}{number}",
            "question": f"What is the capital of country {number}?",
            "answers": f"City {number}",
            "response": f"City {number}" if number < right else f"Town {number + 1}",
            "system": system,
        }
        for number in range(60)
    ]


ROWS = [*replies("good", 50), *replies("bad", 20)]


def labels(share: int) -> list[dict[str, Any]]:
    """Labels by which every fifth right grade is wrong."""
    ids = [(row["id"], number % 60, 50 if row["system"] == "good" else 20) for number, row in enumerate(ROWS)]
    chosen = [one for number, one in enumerate(ids) if number % share == 0]
    return [
        {
            "id": name,
            "verdict": "correct" if number < right and number % 5 else "incorrect",
            "annotator": "ann",
            "time": "2026-11-27T09:00:00Z",
            "probability": 1 / share,
        }
        for name, number, right in chosen
    ]


def total(folder: Path, model: str) -> dict[str, Any]:
    rows = json.loads((folder / "scores.json").read_text())
    [row] = [row for row in rows if (row["level"], row["average"], row["model"]) == ("total", "micro", model)]
    return dict(row)


def test_grades_of_files_are_corrected(factprobe: CommandLine) -> None:
    (factprobe.folder / "a.csv").write_text(csv_text(ROWS))
    (factprobe.folder / "labels.jsonl").write_text(json_lines(labels(2)))
    code, out, err = factprobe("step=grade", "input=a.csv", "labels=labels.jsonl")
    assert (code, err) == (0, "")
    folder = factprobe.folder / "outputs/a"
    found = total(folder, "good")
    assert found["accuracy"] == pytest.approx(50 / 60)
    assert found["labels"] == 30
    assert found["corrected_accuracy_low"] < 40 / 60 < found["corrected_accuracy_high"]
    [row] = [row for row in json.loads((folder / "corrected.json").read_text()) if row["model"] == "good"]
    assert (row["labels"], row["replies"], row["estimate"]) == (30, 60, found["corrected_accuracy"])
    assert "accuracy as people would judge it" in out
    assert "30 of 60" in out
    for name in ("report.md", "report.html"):
        assert "Accuracy as people would judge it" in (folder / name).read_text()
    assert "labels.jsonl" in json.loads((folder / "manifest.json").read_text())["grade"]["inputs"]


def test_bad_labels_have_one_line_each_and_lose_nothing(
    factprobe: CommandLine, caplog: pytest.LogCaptureFixture
) -> None:
    (factprobe.folder / "a.csv").write_text(csv_text(ROWS))
    good = labels(2)
    bad = [
        {**good[0], "verdict": "perhaps"},
        {**good[1], "id": "nobody", "annotator": "bob"},
        {**good[2], "verdict": "correct", "annotator": "cy"},
        {**good[2], "verdict": "incorrect", "annotator": "cy"},
        {**good[3], "reply": "0000000000000000", "annotator": "di"},
    ]
    (factprobe.folder / "labels.jsonl").write_text(json_lines([*good[1:], *bad]))
    assert factprobe("step=grade", "input=a.csv", "labels=labels.jsonl").code == 0
    assert total(factprobe.folder / "outputs/a", "good")["labels"] == 29
    for line in (
        f"labels.jsonl:{len(good)}: unknown verdict 'perhaps'",
        "cy labels 'good4' as correct, incorrect, and none of them counts",
        "1 label of replies that are not among these; left out: nobody",
    ):
        assert caplog.text.count(line) == 1, line


def test_without_labels_it_says_how_many_would_do() -> None:
    rng = random.Random(0)
    kinds = ("City {}", "I believe it is City {}, or perhaps Town", "The town of Cty {}", "Rome")
    rows = [{**row, "response": rng.choice(kinds).format(row["id"].strip("godba"))} for row in ROWS for _ in range(5)]
    graded = package.grade_answers(rows)
    found = graded.corrected["good"]
    assert (found.labels, found.estimate, found.corrected) == (0, None, None)
    assert found.labels_needed is None or found.labels_needed >= 10
    text = str(graded)
    assert "accuracy expected from the grader's probabilities: good " in text
    assert "people's labels of some replies would correct it: 50 give ±" in text


def test_records_are_labelled_in_python(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(json_lines(labels(2)))
    by_file = package.grade_answers(ROWS, labels=path).corrected["good"]
    by_records = package.grade_answers(ROWS, labels=labels(2)).corrected["good"]
    assert by_file == by_records
    assert by_file.labels == 30
    assert by_file.low is not None
    assert by_file.high is not None
    assert by_file.low < 40 / 60 < by_file.high < 50 / 60 + 0.1
    assert (by_file.lower, by_file.upper) == (by_file.low, by_file.high)


def test_labels_of_shared_ids_name_the_system() -> None:
    rows = [{**row, "id": row["id"].strip("godba")} for row in ROWS]
    named = [{**one, "id": one["id"].strip("godba"), "system": one["id"].rstrip("0123456789")} for one in labels(2)]
    corrected = package.grade_answers(rows, labels=named).corrected
    assert [corrected[system].labels for system in ("good", "bad")] == [30, 30]


def test_labels_of_the_page_are_mentioned_until_they_are_used(factprobe: CommandLine) -> None:
    (factprobe.folder / "a.csv").write_text(csv_text(ROWS))
    assert "labels=" not in factprobe("step=grade", "input=a.csv").out
    (factprobe.folder / "outputs/a/labels.jsonl").write_text(json_lines(labels(60)))
    told = "outputs/a/labels.jsonl has 2 labelled replies; labels=outputs/a/labels.jsonl corrects the scores by them"
    for step in ("grade", "compare"):
        assert told in factprobe(f"step={step}", "input=a.csv").out
        assert "labels=" not in factprobe(f"step={step}", "input=a.csv", "labels=outputs/a/labels.jsonl").out


def test_labels_of_an_exam_are_mentioned(factprobe: CommandLine) -> None:
    run_once(factprobe, "step=all", *BASE)
    (factprobe.folder / "outputs/trex/labels.jsonl").write_text(json_lines(labels(60)))
    for command in (["step=report"], ["step=compare", "fail_below=0.01"]):
        out = factprobe(*command, "kg=trex").out
        assert "outputs/trex/labels.jsonl has 2 labelled replies; labels=outputs/trex/labels.jsonl corrects " in out


def test_the_grades_of_an_exam_are_corrected_and_compared(factprobe: CommandLine) -> None:
    run_once(factprobe, "step=all", *BASE)
    run_once(factprobe, "step=all", *BASE, "model.rule=gold", "model.name=gold")
    folder = factprobe.folder / "outputs/trex"
    made = []
    for path in sorted(folder.glob("grades/template/*/P*.jsonl")):
        grades = [json.loads(line) for line in path.read_text().splitlines()]
        made += [
            {"id": one["question_id"], "verdict": one["verdict"], "system": path.parent.name}
            for one in grades
            if one["verdict"] in ("correct", "incorrect", "abstained")
        ]
    (factprobe.folder / "labels.jsonl").write_text(json_lines(made))
    result = factprobe("step=report", "kg=trex", "labels=labels.jsonl")
    assert result.code == 0, result.err
    assert "accuracy as people would judge it" in result.out
    gold = total(folder, "gold")
    assert gold["corrected_accuracy"] == 1.0
    assert gold["labels"] == gold["questions"]
    result = factprobe("step=compare", *BASE, "labels=labels.jsonl")
    assert result.code == 0, result.err
    row = json.loads((folder / "comparison.json").read_text())[-1]
    assert row["corrected"]["estimate"] == pytest.approx(row["difference"]["estimate"], abs=0.15)
    assert "as people would judge, accuracy of gold minus that of scripted: " in result.out
    result = factprobe("step=report", "kg=trex")
    assert "ifference as people would judge" in (folder / "report.md").read_text()
    assert "ifference as people would judge" in (folder / "report.html").read_text()


def test_scores_and_comparisons_in_python_are_corrected() -> None:
    kg = package.load_kg("trex")
    questions = package.make_questions(kg, relations=["P36", "P37"], limit=8)
    graded = {}
    for rule in ("gold", "mixed"):
        responses = package.ask_model(package.load_model("scripted", rule=rule), questions)
        graded[rule] = package.grade_responses(kg, questions, responses)
    made = [
        {"id": grade.question_id, "system": model, "verdict": "correct" if grade.verdict == "correct" else "incorrect"}
        for model, grades in graded.items()
        for grade in grades
    ]
    table = package.score(kg, questions, graded["gold"], model="gold", labels=made)
    assert table.corrected["gold"].labels == len(graded["gold"])
    assert "accuracy as people would judge it" in str(table)
    *_, row = package.compare(graded, labels=made)
    assert row.corrected is not None
    assert row.corrected.low <= row.difference.estimate <= row.corrected.high
    assert package.compare(graded)[-1].corrected is None


def test_differences_and_checks_of_files_are_corrected(factprobe: CommandLine) -> None:
    asked = {row["question"] for row in ROWS}
    assert len(asked) == 60  # both systems answer the same questions
    (factprobe.folder / "a.csv").write_text(csv_text(ROWS))
    (factprobe.folder / "labels.jsonl").write_text(json_lines(labels(1)))
    assert factprobe("step=compare", "input=a.csv", "labels=labels.jsonl").code == 0
    [*_, row] = json.loads((factprobe.folder / "outputs/a/comparison.json").read_text())
    assert (row["labels_first"], row["labels_second"]) == (60, 60)
    assert row["difference"]["estimate"] == pytest.approx(30 / 60)
    assert row["corrected"]["estimate"] == pytest.approx((40 - 16) / 60)
    failed = factprobe.fails("step=compare", "input=a.csv", "labels=labels.jsonl", "fail_below=0.85", code=5)
    assert "accuracy of good is 66.7% " in failed  # by the grades it is 83.3 %, and passes
    assert "corrected by labels" in failed
    assert "accuracy of good" not in factprobe.fails("step=compare", "input=a.csv", "fail_below=0.85", code=5)


@pytest.mark.parametrize("named", ["a", "z"])
def test_a_system_without_labels_is_compared_by_its_grades(factprobe: CommandLine, named: str) -> None:
    (factprobe.folder / "a.csv").write_text(csv_text(sorted([*ROWS, *replies(named, 30)], key=itemgetter("system"))))
    (factprobe.folder / "labels.jsonl").write_text(json_lines(labels(1)))
    assert factprobe("step=grade", "input=a.csv", "labels=labels.jsonl").code == 0
    with (factprobe.folder / "outputs/a/comparison.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["question_type"] == "all"]
    assert len(rows) == 3
    for row in rows:
        is_corrected = named not in (row["first"], row["second"])
        assert [bool(row[name]) for name in ("corrected", "corrected_low", "corrected_high")] == [is_corrected] * 3


def test_differences_are_corrected_in_python() -> None:
    people = {one["id"]: one["verdict"] for one in labels(1)}
    graded = {
        name: package.grade_answers([{**row, "human": people[row["id"]]} for row in ROWS if row["system"] == name])
        for name in ("good", "bad")
    }
    [*_, row] = package.compare(graded)
    assert row.corrected is not None
    assert row.corrected.estimate == pytest.approx((40 - 16) / 60)
    [*_, by_labels] = package.compare(
        graded, labels=[{**one, "system": one["id"].rstrip("0123456789")} for one in labels(1)]
    )
    assert by_labels.corrected == row.corrected
