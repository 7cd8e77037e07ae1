"""step=grade on the command line and from Python: anybody's replies, without a graph."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import factprobe as package
from factprobe.collection.replies import GradedReplies
from factprobe.config import EvaluatorConfig, compose, from_omegaconf
from factprobe.errors import ConfigError, DataError
from factprobe.evaluators.answered_questions import grade_answered
from factprobe.inputs import AnsweredQuestion, ReplyFiles
from factprobe.records import AnswerGrade
from factprobe.storage import Problems
from tests.command_line import CommandLine
from tests.inputs.replies import LOGS, csv_text, grades, json_lines, totals

FRANCE = {"question": "What is the capital of France?", "answers": "Paris|City of Light"}
PERU = {"question": "What is the capital of Peru?", "answers": "Lima"}
ROWS: list[dict[str, Any]] = [
    {**FRANCE, "response": "Paris", "system": "good", "human": "correct"},
    {**PERU, "response": "Lima", "system": "good", "human": "correct"},
    {**FRANCE, "response": "Lyon", "system": "bad", "human": "incorrect"},
    {**PERU, "response": "I don't know.", "system": "bad", "human": "0"},
]


def test_a_csv_in_a_folder_with_nothing_else(factprobe: CommandLine) -> None:
    (factprobe.folder / "answers.csv").write_text(csv_text(ROWS))
    code, out, err = factprobe("step=grade", "input=answers.csv")
    assert (code, err) == (0, "")
    found = grades(factprobe.folder)
    assert [row["id"] for row in found] == ["1", "2", "3", "4"]
    assert [row["verdict"] for row in found] == ["correct", "correct", "incorrect", "abstained"]
    assert list(found[0]) == ["id", "verdict", "rule", "matched", "answer", "why", "system", "human"]
    assert (found[0]["matched"], found[0]["answer"], found[3]["human"]) == (["Paris"], "Paris", "0")
    assert totals(factprobe.folder) == {"good": (2, 2), "bad": (0, 2)}
    assert "4 replies: 2 correct, 1 incorrect, 1 abstained → outputs/answers/report.html" in out
    assert all(part in out for part in ("Totals (rates in %", " answers", "  good", "  bad", "agreement with people"))
    folder = factprobe.folder / "outputs/answers"
    table = list(csv.DictReader((folder / "scores.csv").read_text().splitlines()))
    assert [row["model"] for row in table] == [row["model"] for row in json.loads((folder / "scores.json").read_text())]
    assert (folder / "report.html").read_text(encoding="utf-8").count('data-compat="agree"') == len(ROWS)
    for name in ("report.html", "report.md"):
        text = (folder / name).read_text(encoding="utf-8")
        assert "greement with people" in text
        assert ("What is the capital of Peru?" in text) == (name == "report.html")
    assert sorted(path.name for path in factprobe.folder.iterdir()) == ["answers.csv", "outputs"]


def test_the_files_of_a_run_are_the_same_every_time(factprobe: CommandLine) -> None:
    (factprobe.folder / "answers.jsonl").write_text(json_lines([{**row, "id": n} for n, row in enumerate(ROWS * 9)]))
    runs = []
    for folder in ("one/answers", "two/answers"):
        assert factprobe("step=grade", "input=answers.jsonl", f"output_dir={folder}", "samples=5").code == 0
        files = (path for path in (factprobe.folder / folder).iterdir() if not path.name.startswith((".", "manifest")))
        runs.append({path.name: path.read_bytes() for path in files})
    assert runs[0] == runs[1]
    page = runs[0]["report.html"].decode()
    assert "a sample of the 36 graded" in page
    assert 5 <= page.count("<tr data-verdict") <= 6  # as many of each of the two systems


def test_people_and_grades(factprobe: CommandLine, caplog: pytest.LogCaptureFixture) -> None:
    rows = [{**row, "human": human} for row, human in zip(ROWS, ["yes", "no", "False", "improper"], strict=True)]
    (factprobe.folder / "answers.csv").write_text(csv_text(rows))
    assert factprobe("step=grade", "input=answers.csv").code == 0
    assert "judgment 'improper', which is neither right nor wrong; left out: 1 reply" in caplog.text
    measures = json.loads((factprobe.folder / "outputs/answers/agreement.json").read_text())
    found = {(row["raters"], row["measure"]): (row["items"], row["left_out"], row["estimate"]) for row in measures}
    assert found["good", "accuracy"] == (2, 0, 0.5)
    assert found["good", "precision"] == (2, 0, 0.5)
    assert found["good", "recall"] == (2, 0, 1.0)
    assert found["bad", "accuracy"] == (1, 1, 1.0)
    assert found["all", "accuracy"] == (3, 1, pytest.approx(2 / 3))
    assert found["all", "cohen_kappa"] == (3, 1, pytest.approx(0.4))


def test_without_people_there_is_no_agreement(factprobe: CommandLine) -> None:
    (factprobe.folder / "a.csv").write_text(csv_text([{**row, "human": ""} for row in ROWS]))
    result = factprobe("step=grade", "input=a.csv")
    assert "people" not in result.out
    assert not (factprobe.folder / "outputs/a/agreement.json").exists()
    assert "human" not in grades(factprobe.folder, "a")[0]


def test_agreement_of_an_earlier_input_does_not_stay(factprobe: CommandLine) -> None:
    for rows in (ROWS, [{**row, "human": ""} for row in ROWS]):
        (factprobe.folder / "a.csv").write_text(csv_text(rows))
        assert factprobe("step=grade", "input=a.csv", "output_dir=.").code == 0
    assert not list(factprobe.folder.glob("agreement.*"))
    assert "factprobe report: a" in (factprobe.folder / "report.md").read_text()


FRUIT = {"question": "Is a tomato a fruit?"}


@pytest.mark.parametrize(
    ("row", "match", "verdict", "kind"),
    [
        ({"answers": "Rome|Milan", "response": "Milan"}, "any", "correct", "single_answer"),
        ({"answers": "Rome|Milan", "response": "Milan"}, "all", "incorrect", "multiple_answer"),
        ({"answers": "Rome|Milan", "response": "Milan, Rome"}, "all", "correct", "multiple_answer"),
        ({"answers": "B", "choices": "Rome|Milan", "response": "B) Milan"}, "any", "correct", "multi_choices"),
        ({"answers": "Rome", "choices": "Rome|Milan", "response": "The second."}, "any", "incorrect", "multi_choices"),
        ({"answers": "yes", "question_type": "binary_answer", "response": "True."}, "any", "correct", "binary_answer"),
        (
            {"answers": "no", "question_type": "binary_answer", "response": "Correct"},
            "any",
            "incorrect",
            "binary_answer",
        ),
        ({"answers": "no", "question_type": "binary_answer", "response": "No."}, "any", "correct", "binary_answer"),
        ({**FRUIT, "answers": "yes", "response": "Botanically speaking, yes."}, "any", "correct", "binary_answer"),
        ({**FRUIT, "answers": "yes", "response": "Sure, yes"}, "any", "correct", "binary_answer"),
        ({**FRUIT, "answers": "no", "response": "I would say no"}, "any", "correct", "binary_answer"),
        ({**FRUIT, "answers": "no", "response": "No problem! Yes, it is."}, "any", "incorrect", "binary_answer"),
    ],
)
def test_each_type_of_question(row: dict[str, Any], match: Any, verdict: str, kind: str) -> None:
    graded = package.grade_answers([{"question": "Which city is it?", **row}], match=match)
    assert (graded[0].verdict, graded.scores[0].question_type) == (verdict, kind), graded[0]


def test_a_reply_that_is_not_there(factprobe: CommandLine) -> None:
    (factprobe.folder / "a.jsonl").write_text(json_lines([{**row, "response": None} for row in ROWS[:1]] + ROWS[1:2]))
    assert "1 of 2 records of good has no reply; that counts as failed, and in no rate" in factprobe.fails(
        "step=grade", "input=a.jsonl", "fail_on_missing=true", code=4
    )
    assert [row["verdict"] for row in grades(factprobe.folder, "a")] == ["failed", "correct"]


def test_what_is_broken_is_counted_and_named(factprobe: CommandLine, caplog: pytest.LogCaptureFixture) -> None:
    (factprobe.folder / "a.jsonl").write_text(json_lines([*ROWS[:2], {**ROWS[2], "answers": []}]) + "{\n")
    code, out, _ = factprobe("step=grade", "input=a.jsonl")
    assert code == 0
    assert caplog.text.count("a.jsonl:3: has no right answer under 'answers'; skipped") == 1, (
        "the second pass tells it again"
    )
    assert "; 2 records skipped → " in out
    manifest = json.loads((factprobe.folder / "outputs/a/manifest.json").read_text())["grade"]
    assert manifest["counts"]["skipped"] == len(manifest["counts"]["skipped_named"]) == 2
    assert list(manifest["inputs"]) == ["a.jsonl"]
    assert "a.jsonl:3" in factprobe.fails("step=grade", "input=a.jsonl", "strict=true")


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ([], "input: no file is named; input=answers.jsonl"),
        (["input=[]"], "no file is named"),
        (["input=none.csv"], "none.csv: cannot be read: No such file"),
        (
            ["input=a.csv", "columns.question=q"],
            "its columns are question, answers, response, system, human; name",
        ),
        (["input=a.csv", "columns.quesion=q"], "did you mean columns.question?"),
        (["input=a.csv", "columns.separator="], "columns.separator: is empty"),
        (["input=a.csv", "input_format=cvs"], "unknown input format 'cvs'; did you mean 'csv'?"),
        (["input=a.csv", "match=some"], "match: 'some' is not one of all, any"),
        (["input=empty.csv"], "empty.csv: has no records"),
    ],
)
def test_what_cannot_be_used_is_one_line(factprobe: CommandLine, settings: list[str], told: str) -> None:
    (factprobe.folder / "a.csv").write_text(csv_text(ROWS))
    (factprobe.folder / "empty.csv").write_text("")
    assert told in factprobe.fails("step=grade", *settings)
    assert not list(factprobe.folder.rglob("grades.jsonl"))


def test_no_folder_is_made_for_an_input_that_is_not_there(factprobe: CommandLine) -> None:
    factprobe.fails("step=grade", "input=none.csv")
    assert list(factprobe.folder.iterdir()) == []


def test_the_scores_of_a_graph_are_not_written_over(factprobe: CommandLine) -> None:
    assert factprobe("step=extract", "relations=[P36]").code == 0
    (factprobe.folder / "trex.csv").write_text(csv_text(ROWS))
    assert "outputs/trex: holds the files of a graph" in factprobe.fails("step=grade", "input=trex.csv")
    assert factprobe("step=grade", "input=trex.csv", "output_dir=other").code == 0


def test_a_sweep_over_inputs(factprobe: CommandLine) -> None:
    for name in ("one", "two"):
        (factprobe.folder / f"{name}.csv").write_text(csv_text(ROWS))
    ended = factprobe("-m", "step=grade", "input=one.csv,two.csv", "output_dir=here")
    assert "another job of this sweep grades here with another input; give each a folder" in ended.err


@pytest.mark.parametrize(
    ("settings", "folder"),
    [
        (["input=logs/gpt.v2.jsonl"], "outputs/gpt.v2"),
        (["input=[logs/one.csv,two.csv]"], "outputs/one"),
        (["input='results/*/samples_*.jsonl'"], "outputs/results"),
        (["input='*.csv'"], "outputs/replies"),
        (["input=.csv"], "outputs/%2Ecsv"),
        (["input=a.csv", "output_dir=here"], "here"),
        (["input=a.csv", "step=all"], "outputs/trex"),
    ],
)
def test_the_folder_is_called_as_the_input(settings: list[str], folder: str) -> None:
    assert from_omegaconf(compose(["step=grade", *settings])).output_dir == folder


def test_columns_files_and_parts_by_name(factprobe: CommandLine) -> None:
    renamed = [
        {"q": row["question"], "gold": row["answers"].replace("|", " / "), "out": row["response"]} for row in ROWS
    ]
    for name, rows in (("gpt", renamed[:2]), ("llama", renamed[2:])):
        (factprobe.folder / f"{name}.csv").write_text(csv_text(rows, ";"))
    names = ["columns.question=q", "columns.answers=gold", "columns.response=out", "columns.separator=/"]
    assert factprobe("step=grade", "input=[gpt.csv,llama.csv]", *names).code == 0
    assert totals(factprobe.folder, "gpt") == {"gpt": (2, 2), "llama": (0, 2)}


def test_the_relation_has_rows_of_its_own(factprobe: CommandLine) -> None:
    rows = [{**row, "relation": kind} for row, kind in zip(ROWS, ["city", "river"] * 2, strict=True)]
    (factprobe.folder / "a.csv").write_text(csv_text(rows[:2]))
    out = factprobe("step=grade", "input=a.csv").out
    assert " city " in out
    assert "total (macro)" in out


def test_other_evaluators(factprobe: CommandLine) -> None:
    (factprobe.folder / "a.csv").write_text(csv_text(ROWS))
    assert factprobe("step=grade", "input=a.csv", "evaluator=llm_facteval").code == 0
    own = grades(factprobe.folder, "a")
    assert [row["rule"] for row in own] == [
        row.rule for row in package.grade_answers("a.csv", evaluator="llm_facteval")
    ]
    assert own[0]["rule"] != package.grade_answers("a.csv")[0].rule


def test_python_gives_what_the_files_hold(factprobe: CommandLine) -> None:
    (factprobe.folder / "answers.csv").write_text(csv_text(ROWS))
    code, out, _ = factprobe("step=grade", "input=answers.csv")
    assert code == 0
    graded = package.grade_answers("answers.csv")
    assert [grade.verdict for grade in graded] == [row["verdict"] for row in grades(factprobe.folder)]
    assert all(isinstance(grade, AnswerGrade) for grade in graded)
    assert str(graded) in out
    same = package.grade_answers(({**row} for row in ROWS), name="answers")
    assert (list(same), same.scores, same.agreement) == (list(graded), graded.scores, graded.agreement)
    assert package.grade_answers([Path("answers.csv")], columns={"separator": ";"})[0].matched == (
        "Paris|City of Light",
    )


def test_python_tells_what_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="the records: there are none"):
        package.grade_answers([])
    with pytest.raises(DataError, match="record 1: has no right answer"):
        package.grade_answers([{**ROWS[0], "answers": ""}], strict=True)
    with pytest.raises(ConfigError, match="match: 'al' is not one of all, any; did you mean all"):
        package.grade_answers(ROWS, match="al")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="match: null is not one of all, any"):
        package.grade_answers(ROWS, match=None)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match=r"columns\.quesion"):
        package.grade_answers(ROWS, columns={"quesion": "q"})


def test_no_replies_are_held() -> None:
    read = 0

    def replies() -> Iterator[AnsweredQuestion]:
        nonlocal read
        [first, *_] = ReplyFiles([str(next(LOGS.glob("*/*list*")))]).read(Problems())
        while True:
            read += 1
            yield first

    graded = grade_answered(replies(), EvaluatorConfig(name="rules"))
    for _ in range(500):
        next(graded)
    assert read <= 502


def test_questions_about_no_fact_have_no_other_forms() -> None:
    found = GradedReplies("log")
    replies = ReplyFiles([str(next(LOGS.glob("*/*list*")))]).read(Problems())
    assert len(list(found.count_while_iterating(grade_answered(replies, EvaluatorConfig(name="rules"))))) == 2
    assert [table.rows for table in found.breakdowns.tables() if table.name == "consistency"] == [()]
