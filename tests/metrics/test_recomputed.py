"""Every figure of a summary is that of the grades, by code that shares none with the tool."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import groupby
from math import ceil
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import CommandLine
from tests.exams import run_once
from tests.inputs.replies import json_lines
from tests.metrics.recomputed import Row, figures

LABELS = {
    "binary_answer": "True/false",
    "multi_choices": "Multiple choice",
    "single_answer": "Short answer",
    "multiple_answer": "List of answers",
}
SIZES = {"1": (1, 1), "2": (2, 2), "3-5": (3, 5), "6-10": (6, 10), "11+": (11, 10**9)}


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def exam_rows(folder: Path) -> list[Row]:
    """The grades of an exam with what is needed of their questions."""
    places, types = popularity(folder), {}
    for relation in json.loads((folder / "triplets/summary.json").read_text())["relations"]:
        types[relation["relation"]] = relation["type"]
    rows = []
    for path in sorted(folder.glob("grades/template/scripted/*.jsonl")):
        questions = {one["question_id"]: one for one in read(folder / "questions/template" / path.name)}
        for grade in read(path):
            asked = questions[grade["question_id"]]
            kind, named = asked["question_type"], asked["answers"]
            rows.append(
                {
                    **grade,
                    "subject": asked["subject_uri"],
                    "relation": asked["relation"],
                    "relation_type": types[asked["relation"]],
                    "options": {"binary_answer": 2, "multi_choices": len(asked.get("choices", ()))}.get(kind, 0),
                    "popularity": places[asked["subject_uri"]],
                    "size": len(named) if kind in ("single_answer", "multiple_answer") else 0,
                }
            )
    return rows


def popularity(folder: Path) -> dict[str, str]:
    """The third of the facts in which each subject lies, the most popular subjects first."""
    summaries = [json.loads(path.read_text())["node_summary"] for path in folder.glob("triplets/*.summary.json")]
    ends = [(subject, node["objects"]) for found in summaries for subject, node in found["subjects"].items()]
    facts = [(subject, other) for subject, others in ends for other in others]
    degree = Counter(uri for fact in facts for uri in {*fact})
    near, asked = Counter[str](), Counter(subject for subject, _ in facts)
    for subject, other in facts:
        near[subject] += degree[other]
        near[other] += degree[subject]
    ranked = sorted(asked, key=lambda uri: (-degree[uri], -near[uri]))
    found: dict[str, str] = {}
    before = 0
    for _, alike in groupby(ranked, lambda uri: (degree[uri], near[uri])):
        group = list(alike)
        share = sum(asked[uri] for uri in group)
        third = ceil(Fraction(3 * (2 * before + share), 2 * len(facts))) - 1
        found |= dict.fromkeys(group, ["head", "torso", "tail"][third])
        before += share
    return found


def is_summed(row: Row, score: dict[str, str]) -> bool:
    """Whether a line of scores.csv sums over a grade."""
    if score["answer_set_size"] != "all":
        low, high = SIZES[score["answer_set_size"]]
        return bool(low <= row["size"] <= high)
    columns = ["question_type", "popularity", "relation", *(["relation_type"] * (score["level"] == "relation_type"))]
    return all(score[column] in ("all", row[column]) for column in columns)


def assert_same(scores: Path, rows: Sequence[Row], of: Callable[[Row, dict[str, str]], bool]) -> int:
    """Assert that each figure of scores.csv is that of the grades; return how many there are."""
    count = 0
    with scores.open(encoding="utf-8") as file:
        for score in csv.DictReader(file):
            expected = figures([row for row in rows if of(row, score)], score["average"])
            assert expected.keys() == {*score} - NAMES
            for column, value in expected.items():
                found = float(score[column]) if score[column] else None
                where = f"{column} of {[score[name] for name in sorted(NAMES)]}"
                assert found == (None if value is None else pytest.approx(value, abs=1e-9)), where
                count += found is not None
    return count


NAMES = {
    *("level", "average", "kg", "generator", "model", "relation", "relation_label", "relation_type"),
    *("question_type", "popularity", "answer_set_size"),
}


def printed(text: str) -> dict[str, list[str]]:
    """The figures of each line of the printed score table, by the line's name."""
    scores = text.partition("Systems in pairs")[0]
    found = [re.split(" {2,}", line.strip()) for line in scores.splitlines() if line[:1] == " "]
    return {name: cells for name, *cells in found if len(cells) > 5}


def shown(rows: Sequence[Row], average: str = "micro") -> list[str]:
    """The figures of the line of a printed table."""
    found = figures(rows, average)

    def percent(name: str) -> str:
        value = found[name]
        return "–" if value is None else f"{100 * value:.1f}"

    counts = [f"{found[name]:,}" for name in ("correct", "incorrect", "abstained", "unparsed", "failed")]
    ends = f"{percent('accuracy_low')}–{percent('accuracy_high')}"
    return [f"{len(rows):,}", percent("accuracy"), ends, *counts, percent("precision"), percent("f1")]


def test_every_figure_of_an_exam(factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    run_once(factprobe, "step=all", "kg=trex", "model=scripted", "limit=6")
    folder = factprobe.folder / "outputs/trex"
    rows = exam_rows(folder)
    assert assert_same(folder / "scores.csv", rows, is_summed) > 2_000
    table = printed(factprobe("step=report", "kg=trex").out)
    assert table["total"] == shown(rows)
    assert table["total (macro)"] == shown(rows, "macro")
    for kind in {row["question_type"] for row in rows}:
        assert table[LABELS[kind]] == shown([row for row in rows if row["question_type"] == kind])


def replies() -> list[dict[str, Any]]:
    """Replies of two systems to questions of three types, some more than once."""
    kinds: list[dict[str, Any]] = [
        {"question_type": "single_answer", "answers": ["Paris"]},
        {"question_type": "multi_choices", "answers": ["Rome"], "choices": ["Rome", "Milan", "Oslo"]},
        {"question_type": "binary_answer", "answers": "yes"},
    ]
    texts = [
        ["Paris", "Lyon", "I don't know.", "Paris"],
        ["A", "B", "C) Oslo", "I don't know."],
        ["Yes.", "No.", "yes"],
    ]
    rows = []
    for number in range(90):
        kind = number % 3
        text = texts[kind][number // 3 % len(texts[kind])] if number % 20 else None
        asked = f"Question {number % 45}?"
        system = "one" if number < 50 else "other"
        rows.append(
            {"question": asked, **kinds[kind], "response": text, "system": system, "relation": f"r{number % 2}"}
        )
    return rows


def test_every_figure_of_replies(factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    given = replies()
    (factprobe.folder / "a.jsonl").write_text(json_lines(given), encoding="utf-8")
    table = printed(factprobe("step=grade", "input=a.jsonl").out)
    folder = factprobe.folder / "outputs/a"
    rows = [
        {
            **grade,
            **{name: asked[name] for name in ("relation", "system", "question_type")},
            "subject": asked["question"],
            "options": {"single_answer": 0, "multi_choices": 3, "binary_answer": 2}[asked["question_type"]],
        }
        for asked, grade in zip(given, read(folder / "grades.jsonl"), strict=True)
    ]

    def is_of(row: Row, score: dict[str, str]) -> bool:
        of_system = row["system"] == score["model"]
        return of_system and all(score[name] in ("all", row[name]) for name in ("relation", "question_type"))

    assert {row["verdict"] for row in rows} >= {"correct", "incorrect", "abstained", "failed"}
    assert assert_same(folder / "scores.csv", rows, is_of) > 500
    for system in ("one", "other"):
        assert table[system] == shown([row for row in rows if row["system"] == system])
