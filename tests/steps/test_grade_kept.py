"""step=grade: what is kept and shown of replies, and how many are taken."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

import factprobe as package
from tests.command_line import CommandLine
from tests.inputs.replies import grades, json_lines
from tests.steps.test_grade import ROWS


def test_the_page_shows_a_sample_of_each_cell_as_it_was_graded(factprobe: CommandLine) -> None:
    rows = [{**ROWS[n % 2], "id": n, "system": f"s{n % 3}", "response": f"{n} Lima"} for n in range(300)]
    (factprobe.folder / "a.jsonl").write_text(json_lines(rows))
    assert factprobe("step=grade", "input=a.jsonl", "samples=6").code == 0
    page = (factprobe.folder / "outputs/a/report.html").read_text()
    shown = re.findall(r'<tr data-verdict="(\w+)".*?data-model="(s\d)".*?(\d+) Lima', page, re.DOTALL)
    own = {row["id"]: (row["verdict"], row["system"]) for row in grades(factprobe.folder, "a")}
    assert [own[name] for *_, name in shown] == [(verdict, system) for verdict, system, _ in shown]
    assert [int(name) for *_, name in shown] == sorted(int(name) for *_, name in shown)
    assert Counter(system for _, system, _ in shown) == {"s0": 2, "s1": 2, "s2": 2}
    hidden = {path.name for path in (factprobe.folder / "outputs/a").glob(".*")}
    assert hidden == {".begun-grade", ".lock", ".manifest.lock"}, "what was set aside is left"


CITIES = ["Bern", "Zürich", "Geneva"]
LANDING = ["20 July 1969", "1969"]


@pytest.mark.parametrize(
    ("answers", "response", "matched"),
    [
        (CITIES, "Zürich", ["Zürich"]),
        (CITIES, "It is Zurich, I think.", ["Zürich"]),
        (CITIES, "Bern and Geneva", ["Bern", "Geneva"]),
        (CITIES, "Geneva and Bern", ["Bern", "Geneva"]),
        (CITIES, "Oslo", []),
        (LANDING, "1969", ["1969"]),
        (LANDING, "It was 20 July 1969.", ["20 July 1969"]),
        (["20 July 1969", "1970"], "On July 20th, 1969", ["20 July 1969"]),
        (["1 km", "1000 m"], "1000 meters", ["1000 m"]),
        (["York", "New York"], "New York", ["New York"]),
        (["York", "New York"], "York", ["York"]),
        (["Paris", "PARIS"], "paris", ["Paris"]),
        (["Lima"], "lima", ["Lima"]),
        ([["Bern", "Berne"], "Zürich"], "Berne", ["Berne"]),
    ],
)
def test_the_right_answers_that_a_reply_names(answers: list[Any], response: str, matched: list[str]) -> None:
    [grade] = package.grade_answers([{"question": "Which is it?", "answers": answers, "response": response}])
    assert list(grade.matched) == matched, grade
    assert "another name" not in grade.why


def test_an_answer_without_an_end_is_cut() -> None:
    [grade] = package.grade_answers([{"question": "Which is it?", "answers": "Lima", "response": f"Lima{'!' * 10**6}"}])
    assert grade.verdict == "correct"
    assert len(grade.answer) == 1000


def test_what_an_earlier_run_left_goes(factprobe: CommandLine) -> None:
    (factprobe.folder / "a.jsonl").write_text(json_lines([{**row, "human": ""} for row in ROWS]))
    folder = factprobe.folder / "outputs/a"
    assert factprobe("step=grade", "input=a.jsonl").code == 0
    for name in (".grades.jsonl.123.tmp", ".scores.csv.123.tmp", "scores.parquet", "agreement.csv", "mine.txt"):
        (folder / name).touch()
    assert factprobe("step=grade", "input=a.jsonl").code == 0
    left = {path.name for path in folder.iterdir()}
    assert left.isdisjoint({".grades.jsonl.123.tmp", "scores.parquet", "agreement.csv"})
    assert left.issuperset({".scores.csv.123.tmp", "mine.txt", "grades.jsonl"}), "another may write there"


def test_a_limit_takes_the_first_replies(factprobe: CommandLine) -> None:
    unusable: dict[str, Any] = {**ROWS[0], "answers": ""}
    (factprobe.folder / "a.jsonl").write_text(json_lines([unusable, *ROWS]))
    assert "2 replies: " in factprobe("step=grade", "input=a.jsonl", "limit=2").out
    assert [row["id"] for row in grades(factprobe.folder, "a")] == ["2", "3"]


def test_judgments_on_a_scale_are_told_and_counted_by_nobody(
    factprobe: CommandLine, caplog: pytest.LogCaptureFixture
) -> None:
    rows = [{**ROWS[n % 2], "id": n, "human": n % 5 + 1} for n in range(10)]
    (factprobe.folder / "a.jsonl").write_text(json_lines(rows))
    assert factprobe("step=grade", "input=a.jsonl").code == 0
    assert "judgments are numbers on a scale, such as 2" in caplog.text
    folder = factprobe.folder / "outputs/a"
    assert not (folder / "agreement.json").exists()
    assert "people" not in (folder / "report.html").read_text().partition("<tbody>")[2]
