"""Wrong answers that go by the whole graph, from the command line and from Python."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

import factprobe as package
from factprobe.records import Question
from tests.command_line import CommandLine


def test_wrong_answers_go_by_all_relations_whatever_is_asked(factprobe: CommandLine, tmp_path: Path) -> None:
    root = tmp_path / "outputs/trex"
    assert factprobe("step=extract", "kg=trex").code == 0
    settings = ["kg=trex", "generator.negatives=near", "generator.none_of_these=true"]
    asked = root / "questions/template/P36.jsonl"
    assert factprobe("step=generate", *settings, "relations=[P36]").code == 0
    alone, entry = asked.read_bytes(), json.loads((root / "manifest.json").read_text())["generate"]
    assert factprobe("step=generate", *settings).code == 0
    assert asked.read_bytes() == alone
    assert {Path(path).name for path in entry["inputs"]} >= {"P36.jsonl", "P36.summary.json", "P19.summary.json"}
    drawn = entry["counts"]["negatives"]
    assert set(drawn) == {"near", "typed", "random"}
    assert min(drawn["near"], drawn["typed"]) > 0
    questions = [msgspec.json.decode(line, type=Question) for line in alone.splitlines()]
    made = package.make_questions(package.load_kg("trex"), ["P36"], negatives="near", none_of_these=True)
    assert made == questions
    one = next(question for question in questions if question.none)
    assert (one.choices[-1], one.prompts[-1].content.splitlines()[-1]) == ("None of these", "E) None of these")


def test_questions_that_can_be_guessed_are_a_matter_of_the_report(
    factprobe: CommandLine, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    exam = ["kg=trex", "generator.question_types=[multi_choices]", "generator.negatives=random"]
    run = factprobe("step=all", "model=scripted", *exam)
    guessed = "Multiple choice by popularity 39.4% (chance 25.0%)"
    said = f"can be guessed without the facts: {guessed}"
    assert "guessed without" not in run.out + caplog.text
    for report in ("report.html", "report.md"):
        text = (tmp_path / "outputs/trex" / report).read_text().replace("\\", "")
        assert f"template questions on trex {said}" in text
    first, second = factprobe("step=generate", *exam).out.splitlines()
    assert first.startswith("generate: ")
    assert f"can be guessed without the facts (generator.negatives=random): {guessed}" in second
    assert said in factprobe("step=report", "breakdowns=true").out
    settings = ["kg=trex", "generator.question_types=[multi_choices]", "generator.name=popular"]
    factprobe("step=all", "model=scripted", *settings, "generator.method=template", "generator.negatives=popular")
    assert f"popular questions on trex {said[:15]}" not in (tmp_path / "outputs/trex/report.html").read_text()
    rows = json.loads((tmp_path / "outputs/trex/leaks.json").read_text())
    assert {row["generator"] for row in rows} == {"template", "popular"}
    assert {row["questions"] for row in rows} == {560}
    assert "Guessed without the facts" in (tmp_path / "outputs/trex/report.html").read_text()
    assert "the option most similar to the other options" in (tmp_path / "outputs/trex/report.md").read_text()


def test_guesses_are_at_the_questions_of_all_models(factprobe: CommandLine, tmp_path: Path) -> None:
    def leaks(*exams: tuple[str, int]) -> list[dict[str, Any]]:
        for model, limit in exams:
            options = [f"model.name={model}", f"limit={limit}", f"output_dir=exams-{len(exams)}"]
            assert factprobe("step=all", "kg=trex", "relations=[P30,P36]", "model=scripted", *options).code == 0
        rows: list[dict[str, Any]] = json.loads((tmp_path / f"exams-{len(exams)}" / "leaks.json").read_text())
        return rows

    whole = leaks(("a", 3))
    assert {row["questions"] for row in whole} == {6, 12}
    grown = leaks(("zzz", 1), ("aaa", 1), ("zzz", 3))
    for row, of_one_exam in zip(grown, whole, strict=True):
        assert row["questions"] == of_one_exam["questions"]
        assert row["accuracy"] == pytest.approx(of_one_exam["accuracy"])


def test_the_manifest_is_silent_on_wrong_answers_that_are_random(factprobe: CommandLine, tmp_path: Path) -> None:
    assert factprobe("step=extract", "kg=trex", "relations=[P36]").code == 0
    assert factprobe("step=generate", "kg=trex", "generator.negatives=random").code == 0
    manifest = json.loads((tmp_path / "outputs/trex/manifest.json").read_text())
    assert "negatives" not in manifest["generate"]["counts"]


def test_questions_in_the_same_words_are_counted(factprobe: CommandLine, caplog: pytest.LogCaptureFixture) -> None:
    rows = ["Q1,Springfield,state,Q3,Ohio", "Q2,Springfield,state,Q4,Utah", "Q5,Lima,state,Q3,Ohio"]
    (factprobe.folder / "g.csv").write_text("\n".join(["subject_id,subject,relation,object_id,object", *rows]))
    graph = ["kg=csv", "kg.source=g.csv", "generator.question_types=[single_answer]"]
    assert factprobe("step=extract", *graph).code == 0
    assert factprobe("step=generate", *graph, "generator.ask=subject").code == 0
    assert "the very words" not in caplog.text
    assert factprobe("step=generate", *graph, "generator.ask=object").code == 0
    told = "the very words of a question about a namesake, so that no answer tells them apart: 1 question; see"
    assert told in caplog.text
    manifest = json.loads((factprobe.folder / "outputs/csv/manifest.json").read_text())
    assert manifest["generate"]["counts"]["alike"] == 1
