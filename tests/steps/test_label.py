"""step=label up to its page: the replies of a file and of an exam, a judge's verdicts, and what is missing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from factprobe.errors import DataError
from factprobe.inputs import ReplyFiles
from factprobe.inputs.labels import reply_hash
from factprobe.labelling.replies import answered_replies, exam_replies, judge_verdicts
from factprobe.storage import GradedFolder
from tests.command_line import CommandLine
from tests.extras import needs
from tests.inputs.replies import json_lines

EXAM = ["kg=trex", "model=scripted", "relations=[P36,P37]", "limit=3"]
REPLIES: list[dict[str, Any]] = [
    {"id": "q1", "question": "Who wrote Emma?", "answers": ["Jane Austen", "Austen"], "response": "Jane Austen."},
    {"id": "q2", "question": "Who wrote Ulysses?", "answers": "James Joyce", "response": None},
    {"id": "q3", "question": "Is Rome in Italy?", "answers": "yes", "response": "No.", "system": "b"},
]


def test_the_replies_of_a_file(factprobe: CommandLine, write: Callable[[str, str], Path]) -> None:
    path = write("answers.jsonl", json_lines(REPLIES))
    assert factprobe("step=grade", "input=answers.jsonl").code == 0
    grades = factprobe.folder / "outputs/answers/grades.jsonl"
    first, third = answered_replies(ReplyFiles([str(path)]), grades)
    assert (first.question, first.answers, first.response) == (
        "Who wrote Emma?",
        ("Jane Austen", "Austen"),
        "Jane Austen.",
    )
    assert first.verdict == "correct"
    assert first.candidate.prediction > 0.5
    assert first.candidate.digest == reply_hash("Who wrote Emma?", "Jane Austen.")
    assert third.candidate.key == ("b", "q3")
    assert third.answers == ("correct: the statement is true",)
    assert first.candidate.is_contested is None


def test_grades_of_other_replies_are_one_line(factprobe: CommandLine, write: Callable[[str, str], Path]) -> None:
    write("answers.jsonl", json_lines(REPLIES))
    assert factprobe("step=grade", "input=answers.jsonl").code == 0
    path = write("answers.jsonl", json_lines(REPLIES[::-1]))
    grades = factprobe.folder / "outputs/answers/grades.jsonl"
    with pytest.raises(DataError, match="holds grades of other replies than the input; give step=label the input"):
        list(answered_replies(ReplyFiles([str(path)]), grades))
    with pytest.raises(DataError, match="holds grades of other replies"):
        list(answered_replies(ReplyFiles([str(path)]), grades, limit=1))


def test_name_reserved_for_settled_disagreements(factprobe: CommandLine, write: Callable[[str, str], Path]) -> None:
    write("answers.jsonl", json_lines(REPLIES))
    assert factprobe("step=grade", "input=answers.jsonl").code == 0
    told = factprobe.fails("step=label", "input=answers.jsonl", "label.annotator=' adjudication'")
    assert "label.annotator: is the name under which disagreements are settled" in told


def test_the_replies_of_an_exam(factprobe: CommandLine) -> None:
    for step in ("extract", "generate", "answer", "evaluate"):
        assert factprobe(f"step={step}", *EXAM).code == 0
    folder = factprobe.folder / "outputs/trex/grades/template/scripted"
    found = [*exam_replies(GradedFolder("template", "scripted", folder), ["P36", "P37", "P19"])]
    lines = [line for path in sorted(folder.glob("*.jsonl")) for line in path.read_text().splitlines()]
    assert [one.candidate.id for one in found] == [json.loads(line)["question_id"] for line in lines]
    assert {one.candidate.system for one in found} == {"scripted"}
    question = json.loads((factprobe.folder / "outputs/trex/questions/template/P36.jsonl").read_text().splitlines()[0])
    assert found[0].question == question["prompts"][-1]["content"]
    assert all(one.answers and one.response for one in found)


def test_the_verdicts_of_a_judge(write: Callable[[str, str], Path], tmp_path: Path) -> None:
    records: list[dict[str, Any]] = [
        {"id": "q1", "verdict": "correct"},
        {"question_id": "q2", "verdict": "incorrect", "system": "b"},
        {"x": 1},
    ]
    assert judge_verdicts(write("judge.jsonl", json_lines(records))) == {
        ("", "q1"): "correct",
        ("b", "q2"): "incorrect",
    }
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match=r"holds no verdicts; set label\.judge to"):
        judge_verdicts(tmp_path / "empty")


def test_judge_and_grader_contradict_each_other(factprobe: CommandLine, write: Callable[[str, str], Path]) -> None:
    path = write("answers.jsonl", json_lines(REPLIES[:1]))
    assert factprobe("step=grade", "input=answers.jsonl").code == 0
    grades = factprobe.folder / "outputs/answers/grades.jsonl"
    for verdict, is_contested in (("incorrect", True), ("correct", False), ("failed", None)):
        [found] = answered_replies(ReplyFiles([str(path)]), grades, judge_by_key={("", "q1"): verdict})
        assert found.candidate.is_contested is is_contested
    grade = json.loads(grades.read_text())
    grade |= {"rule": "judge", "verdict": "incorrect", "probability": 0.7}
    grades.write_text(json.dumps(grade) + "\n")
    [found] = answered_replies(ReplyFiles([str(path)]), grades)
    assert found.candidate.is_contested is True
    grades.write_text(json.dumps(grade | {"verdict": "correct", "probability": None}) + "\n")
    [found] = answered_replies(ReplyFiles([str(path)]), grades)
    assert found.candidate.is_contested is False


@pytest.mark.parametrize("name", ["answers.jsonl", "outputs/answers/grades.jsonl", "judged.jsonl"])
def test_labels_are_not_written_into_what_is_read(
    factprobe: CommandLine, write: Callable[[str, str], Path], name: str
) -> None:
    write("answers.jsonl", json_lines(REPLIES))
    write("judged.jsonl", json_lines([{"id": "q1", "verdict": "correct"}]))
    line = factprobe.fails("step=label", "input=answers.jsonl", f"label.file={name}", "label.judge=judged.jsonl")
    assert f"label.file: {name} is read by step=label" in line


@needs("nicegui")
def test_what_is_missing_is_one_line(factprobe: CommandLine, write: Callable[[str, str], Path]) -> None:
    line = factprobe.fails("step=label", "input=nowhere.jsonl")
    assert "nowhere.jsonl" in line
    assert not (factprobe.folder / "outputs").exists()
    write("answers.jsonl", json_lines(REPLIES))
    line = factprobe.fails("step=label", "input=answers.jsonl")
    assert "outputs/answers/grades.jsonl: is not there; run step=grade with the same input first" in line
    assert factprobe("step=grade", "input=answers.jsonl").code == 0
    line = factprobe.fails("step=label", "input=answers.jsonl", "label.order=disagreement")
    assert "label.order: no reply has a judge's verdict; grade them with model@judge=" in line
    assert "run step=extract " in factprobe.fails("step=label", *EXAM)
