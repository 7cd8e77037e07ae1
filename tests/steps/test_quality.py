"""step=quality on the command line."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import CommandLine
from tests.exams import run_once
from tests.extras import needs

pytestmark = needs("sacrebleu", "sentence_transformers")

BASE = ["kg=trex", "relations=[P36,P138]", "limit=20"]


@pytest.fixture
def made(factprobe: CommandLine) -> CommandLine:
    run_once(factprobe, "step=extract", *BASE)
    run_once(factprobe, "step=generate", *BASE)
    return factprobe


def rows(root: Path) -> dict[tuple[str, str], dict[str, Any]]:
    found = json.loads((root / "outputs/trex/quality.json").read_text())
    return {(row["generator"], row["question_type"]): row for row in found}


def test_the_relations_own_sentences_are_their_own_template(made: CommandLine, tmp_path: Path) -> None:
    code, out, err = made("step=quality", "kg=trex")
    assert code == 0, err
    found = rows(tmp_path)
    assert {row["similarity"] for row in found.values()} == {1}
    single = found["template", "single_answer"]
    files = (tmp_path / "outputs/trex/questions/template").glob("*.jsonl")
    asked = [json.loads(line) for path in files for line in path.read_text().splitlines()]
    assert single["questions"] == sum(question["question_type"] == "single_answer" for question in asked)
    assert single["leaks"] == single["leaks_by_subject"] > 0  # the Star of David
    assert "   Short answer" in out
    manifest = json.loads((tmp_path / "outputs/trex/manifest.json").read_text())
    assert manifest["quality"]["counts"] == {"questions": len(asked)}


@pytest.mark.slow
def test_another_wording_is_compared_by_a_real_model(made: CommandLine, tmp_path: Path) -> None:
    folder = tmp_path / "outputs/trex/questions/own"
    folder.mkdir()
    for name, bare in (("P36", "Which city is the seat of France's government?"), ("P138", "How deep is the sea?")):
        question = {
            "question_id": f"s:o:{name}:single_answer:ask_object",
            "question_type": "single_answer",
            "prompts": [],
            "answers": [],
            "relation": name,
            "subject_uri": "s",
            "object_uri": "o",
            "bare": bare,
        }
        (folder / f"{name}.jsonl").write_text(json.dumps(question) + "\n")
    assert made("step=quality", "kg=trex", "relations=P36").code == 0
    near = rows(tmp_path)["own", "single_answer"]["similarity"]
    assert made("step=quality", "kg=trex", "relations=P138").code == 0
    far = rows(tmp_path)["own", "single_answer"]["similarity"]
    assert isinstance(near, float)
    assert isinstance(far, float)
    assert -1 <= far < near < 1
    assert f"embedder={tmp_path}: cannot be loaded: " in made.fails("step=quality", "kg=trex", f"embedder={tmp_path}")


def test_without_an_embedder_no_wording_is_compared(made: CommandLine, tmp_path: Path) -> None:
    assert made("step=quality", "kg=trex", "embedder=none").code == 0
    assert {row["similarity"] for row in rows(tmp_path).values()} == {None}


@pytest.mark.slow
def test_the_report_has_it_as_long_as_it_holds(
    made: CommandLine, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert made("step=quality", *BASE).code == 0
    for step in ("answer", "evaluate", "report"):
        assert made(f"step={step}", *BASE, "model=scripted").code == 0
    assert "Quality of the questions</h3>" in (tmp_path / "outputs/trex/report.html").read_text()
    assert "## Quality of the questions\n\n| generator |" in (tmp_path / "outputs/trex/report.md").read_text()
    assert made("step=generate", *BASE, "seed=1").code == 0
    assert made("step=report", *BASE, "model=scripted").code == 0
    assert (
        "quality.json: its inputs have changed since step=quality, and it is left out; run step=quality again"
        in caplog.text
    )
    assert "Quality of the questions" not in (tmp_path / "outputs/trex/report.md").read_text()


def test_what_is_missing_is_one_line(factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    assert factprobe("step=extract", *BASE).code == 0
    assert "run step=generate kg=trex" in factprobe.fails("step=quality", *BASE)
    assert factprobe("step=generate", *BASE).code == 0
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert "pip install 'factprobe[quality]'" in factprobe.fails("step=quality", *BASE)
