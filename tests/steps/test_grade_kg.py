"""step=grade with a graph that knows the answers: on the command line, from Python, in a sweep."""

from __future__ import annotations

import json
from typing import Any

import pytest

import factprobe as package
from factprobe.config import compose, from_omegaconf
from tests.command_line import CommandLine
from tests.inputs.replies import csv_text

ROWS: list[dict[str, Any]] = [
    {"question": "What is the capital of Italy?", "answers": "Rome", "response": "Roma!"},
    {"question": "What is the capital of Italy?", "answers": "Q220", "response": "It is Rome."},
    {"question": "What is the capital of Italy?", "answers": "Rome", "response": "Rome, on the Tiber."},
    {
        "question": "What is the capital of Italy?",
        "answers": "Rome",
        "response": "The capital is Rome and sometimes Berlin too.",
    },
    {
        "question": "Who painted the Mona Lisa?",
        "answers": "Leonardo da Vinci",
        "response": "It is by Leonardo da Vinci.",
    },
]


@pytest.fixture
def answers(factprobe: CommandLine) -> CommandLine:
    (factprobe.folder / "answers.csv").write_text(csv_text(ROWS))
    return factprobe


def verdicts(factprobe: CommandLine) -> list[str]:
    lines = (factprobe.folder / "outputs/answers/grades.jsonl").read_text().splitlines()
    return [json.loads(line)["verdict"] for line in lines]


def test_a_graph_that_is_named_helps(answers: CommandLine) -> None:
    assert answers("step=grade", "input=answers.csv").code == 0
    assert verdicts(answers) == ["correct", "incorrect", "correct", "correct", "correct"]
    code, out, err = answers("step=grade", "input=answers.csv", "kg=trex")
    assert (code, err) == (0, "")
    assert "→ outputs/answers/report.html" in out
    assert verdicts(answers) == ["correct", "correct", "correct", "incorrect", "correct"]
    assert {"matched": ["Q220"]}.items() <= json.loads(
        (answers.folder / "outputs/answers/grades.jsonl").read_text().splitlines()[1]
    ).items()
    assert sorted(path.name for path in (answers.folder / "outputs").iterdir()) == ["answers"], "a step before it ran"
    entry = json.loads((answers.folder / "outputs/answers/manifest.json").read_text())["grade"]
    assert {"answers.csv", "P36.jsonl"} <= {name.rpartition("/")[2] for name in entry["inputs"]}
    known = package.grade_answers("answers.csv", kg=package.load_kg("trex"))
    assert [grade.verdict for grade in known] == verdicts(answers)
    assert str(known) in out


def test_relations_that_are_picked(answers: CommandLine) -> None:
    assert answers("step=grade", "input=answers.csv", "kg=trex", "relations=[P19]").code == 0
    assert verdicts(answers)[3] == "correct", "of the capitals it knows nothing"
    told = answers.fails("step=grade", "input=answers.csv", "kg=trex", "relations=[P1919]")
    assert "unknown relation of trex 'P1919'" in told


@pytest.mark.parametrize(
    ("overrides", "expected"),
    [
        ([], False),
        (["kg=umls"], True),
        (["kg.data_dir=x"], True),
        (["kg=umls", "with_kg=false"], False),
        (["with_kg=true"], True),
        (["output_dir=kg"], False),
    ],
)
def test_only_a_graph_that_is_named_counts(overrides: list[str], expected: bool) -> None:
    assert from_omegaconf(compose(["step=grade", "input=a.csv", *overrides])).with_kg is expected


def test_a_graph_without_data_is_one_line(answers: CommandLine) -> None:
    assert "kg.data_dir" in answers.fails("step=grade", "input=answers.csv", "kg=ctd")
    assert not list(answers.folder.rglob("grades.jsonl"))


def test_a_sweep_over_graphs(answers: CommandLine) -> None:
    swept = answers("-m", "step=grade", "input=answers.csv", "kg=trex,umls", "output_dir='graded/${kg.name}'")
    assert swept.code == 0
    grades = [(answers.folder / "graded" / name / "grades.jsonl").read_text() for name in ("trex", "umls")]
    assert grades[0] != grades[1]
    ended = answers("-m", "step=grade", "input=answers.csv", "kg=trex,umls", "output_dir=here")
    assert "another job of this sweep grades here with another kg" in ended.err
