"""Models that answered different questions: said, and not ranked."""

from __future__ import annotations

import re
from pathlib import Path

from msgspec.structs import replace

from factprobe import grade_answers
from factprobe.collection.current import QuestionSets, unequal_questions
from factprobe.collection.vocabulary import GRAPH
from factprobe.reports.summary import summary_sentences
from tests.command_line import CommandLine
from tests.exams import run_once
from tests.inputs.replies import csv_text
from tests.reports.pages import page
from tests.reports.test_summary_sentences import NAMES, totals

BASE = ["kg=trex", "relations=[P36,P37]", "model=scripted"]
UNEQUAL = "different questions"


def sets(**asked: str) -> QuestionSets:
    """Questions of each model, a letter each."""
    found = QuestionSets()
    for model, questions in asked.items():
        for question in questions:
            found.add(("template", model), question)
    return found


def test_sets_of_one_size_may_differ() -> None:
    names = {("template", "a"): "a", ("template", "b"): "b"}
    assert unequal_questions(sets(a="xy", b="yx"), names, GRAPH) == ""
    assert "(a 2, b 2)" in unequal_questions(sets(a="xy", b="xz"), names, GRAPH)
    both = QuestionSets.joined([sets(a="xy", b="xy"), sets(a="z")])
    assert "(a 3, b 2)" in unequal_questions(both, names, GRAPH)


def test_summary_says_so_before_accuracies_and_names_no_best() -> None:
    many = (*totals(), *(replace(totals()[0], model=name) for name in "abc"))
    names = NAMES | {("template", name): name for name in "abc"}
    data = replace(page(), scores=many, comparisons=(), unequal="The models answered different questions.")
    first, *others = summary_sentences(data, names)
    assert first == data.unequal
    assert not any("best" in sentence or "correctly" in sentence for sentence in others)
    first, *others = summary_sentences(replace(data, scores=totals()), NAMES)
    assert first == data.unequal
    assert others[0].startswith("large answers 75.0%")


def test_an_exam_that_grew_is_told(factprobe: CommandLine, tmp_path: Path) -> None:
    run_once(factprobe, "step=all", *BASE, "limit=1")
    out = factprobe("step=all", *BASE, "limit=1", "model.rule=gold", "model.name=gold").out
    report = tmp_path / "outputs/trex/report.html"
    assert UNEQUAL not in out + report.read_text()
    out = factprobe("step=all", *BASE, "limit=3", "model.rule=gold", "model.name=gold").out
    assert out.count(UNEQUAL) == report.read_text().count(UNEQUAL) == 1


def test_systems_that_replied_to_other_questions_are_told(factprobe: CommandLine, tmp_path: Path) -> None:
    row = {"question": "What is the capital of France?", "answers": "Paris", "response": "Paris", "system": "a"}
    same, other = {**row, "system": "b"}, {**row, "system": "b", "question": "Where is the Louvre?"}
    for second, count in ((same, 0), (other, 1)):
        (tmp_path / "r.csv").write_text(csv_text([row, second]))
        out = factprobe("step=grade", "input=r.csv").out
        page_text = (tmp_path / "outputs/r/report.html").read_text()
        assert out.count(UNEQUAL) == page_text.count(UNEQUAL) == count


def test_names_of_systems_are_kept(factprobe: CommandLine, tmp_path: Path) -> None:
    row = {"question": "What is the capital of France?", "answers": "Paris", "response": "Paris"}
    rows = [{**row, "system": "model-a"}, {**row, "system": "Relation model"}]
    (tmp_path / "r.csv").write_text(csv_text([*rows, {**rows[1], "question": "Where is the Louvre?"}]))
    printed = [factprobe(f"step={step}", "input=r.csv").out for step in ("grade", "compare")]
    for text in (*printed, (tmp_path / "outputs/r/report.html").read_text(), str(grade_answers("r.csv"))):
        [sentence] = re.findall(f"[^.>]*{UNEQUAL}[^.]*", text)
        assert "(model-a 1, Relation model 2)" in sentence
        assert "step=compare" not in text  # the pairs are there already


def test_comparison_is_named_where_it_can_be_made(factprobe: CommandLine) -> None:
    run_once(factprobe, "step=all", *BASE, "limit=1")
    other_model = ["model.rule=gold", "model.name=gold"]
    out = factprobe("step=all", *BASE, "limit=3", *other_model).out
    assert "step=compare" in out
    factprobe("step=compare", *BASE)
    out = factprobe("step=report", *BASE).out
    assert UNEQUAL in out
    assert "step=compare" not in out


def test_comparison_is_not_named_for_one_model(factprobe: CommandLine) -> None:
    run_once(factprobe, "step=all", *BASE, "limit=1")
    out = factprobe("step=all", *BASE, "limit=3", "generator.name=other").out
    assert UNEQUAL in out
    assert "step=compare" not in out
