"""A run with made-up subjects and without any, from the questions to the page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import factprobe

RUN = ("kg=trex", "model=scripted", "relations=[P36]", "limit=6")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "outputs/trex"


def test_made_up_subjects_are_told_beside_the_scores_and_not_in_them(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for generator in ("template", "prior", "placebo"):
        factprobe.run("step=all", f"generator={generator}", *RUN)
    scores = json.loads((folder / "scores.json").read_text())
    assert {row["generator"] for row in scores} == {"template", "prior"}
    guesses = json.loads((folder / "guesses.json").read_text())
    assert {row["generator"] for row in guesses} == {"placebo"}
    total = guesses[0]
    assert total["questions"] == 18  # a statement, options and a gap for each of six
    answered, declined = total["guessed"]["estimate"], total["declined"]["estimate"]
    assert answered + declined == pytest.approx(1)
    [prior, *_] = json.loads((folder / "prior.json").read_text())
    assert (prior["generator"], prior["without"]) == ("template", "prior")
    assert prior["difference"]["estimate"] == 0  # scripted answers do not heed the question
    assert {row["answer"] for row in json.loads((folder / "bias.json").read_text())} >= {"correct", "incorrect", "A"}
    told = capsys.readouterr().out
    assert f"made-up subjects: {100 * answered:.1f}%" in told
    assert "right without the subject" in told
    page = (folder / "report.html").read_text()
    assert "to decline: the subject is made up" in page
    for title in ("Made-up subjects", "With and without the subject", "Answers given"):
        assert f"<h3>{title}</h3>" in page
        assert f"## {title}" in (folder / "report.md").read_text()


def test_made_up_subjects_alone_make_a_report(folder: Path) -> None:
    factprobe.run("step=all", "generator=placebo", "model.rule=gold", *RUN)
    [total, *_] = json.loads((folder / "guesses.json").read_text())
    assert (total["guessed"]["estimate"], total["declined"]["estimate"]) == (0, 1)
    assert json.loads((folder / "scores.json").read_text()) == []
    assert "<h3>Made-up subjects</h3>" in (folder / "report.html").read_text()
