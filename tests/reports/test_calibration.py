"""How sure models were, and how other tools' rules grade them: from the files of a run to its report."""

from __future__ import annotations

import json
import re
from math import log
from pathlib import Path

import msgspec
import pytest

from factprobe.records import Grade, Response
from factprobe.storage import Lines, Problems, write_lines
from tests.command_line import CommandLine
from tests.exams import run_once

BASE = ["kg=trex", "relations=[P36,P37]", "limit=6", "model=scripted"]


@pytest.fixture
def run(factprobe: CommandLine, tmp_path: Path) -> Path:
    """A scored run of a model that is right by turns; its folder."""
    run_once(factprobe, "step=all", *BASE)
    return tmp_path / "outputs/trex"


def test_a_run_without_probabilities_has_no_calibration(run: Path) -> None:
    assert json.loads((run / "calibration.json").read_text()) == []
    assert 'id="calibration"' not in (run / "report.html").read_text()


def test_probabilities_of_responses_are_set_against_verdicts(run: Path, factprobe: CommandLine) -> None:
    attempted = 0
    for path in (run / "responses/template/scripted").glob("*.jsonl"):
        found = list(Lines(path, Response, Problems(strict=True)))
        write_lines(path, [msgspec.structs.replace(one, logprobs=(log(0.75),)) for one in found])
        grades = Lines(run / "grades/template/scripted" / path.name, Grade, Problems(strict=True))
        attempted += sum(grade.verdict in ("correct", "incorrect", "unparsed") for grade in grades)
    for step in ("evaluate", "report"):
        assert factprobe(f"step={step}", *BASE).code == 0
    [row] = json.loads((run / "calibration.json").read_text())
    scores = json.loads((run / "scores.json").read_text())
    [total] = [score for score in scores if (score["level"], score["average"]) == ("total", "micro")]
    assert row["questions"] == attempted < total["questions"]
    assert row["error"]["estimate"] == pytest.approx(abs(0.75 - total["precision"]))
    [point] = row["bins"]
    assert (point["probability"], point["accuracy"]["estimate"]) == pytest.approx((0.75, total["precision"]))
    assert "Reliability: scripted" in (run / "report.html").read_text()
    before = (run / "calibration.json").read_bytes()
    assert factprobe("step=report", *BASE).code == 0
    assert (run / "calibration.json").read_bytes() == before


def test_other_tools_grades_stand_beside_ours(run: Path, factprobe: CommandLine) -> None:
    """They call every answer of one relation right, of which one failed, and have not graded the other."""
    failed, *own = Lines(run / "grades/template/scripted/P36.jsonl", Grade, Problems(strict=True))
    theirs = [msgspec.structs.replace(grade, verdict="correct") for grade in own]
    theirs.append(msgspec.structs.replace(failed, verdict="failed"))
    write_lines(run / "grades/template/scripted/compat/llm_facteval/P36.jsonl", theirs)
    assert factprobe("step=report", *BASE, "samples=8").code == 0
    text = (run / "report.html").read_text()
    wrong = sum(grade.verdict != "correct" for grade in own)
    row = text[text.index(">llm_facteval</th>") :].partition("</tr>")[0]
    assert f'data-sort="{len(own)}"' in row
    assert "100.0%" in row
    assert f'data-sort="{wrong}"' in row
    assert 'data-compat="disagree"' in text
    assert '<option value="disagree">' in text


def test_a_comparison_that_was_made_is_shown(run: Path, factprobe: CommandLine) -> None:
    assert 'id="comparison"' not in (run / "report.html").read_text()
    assert factprobe("step=all", *BASE, "model.rule=gold", "model.name=gold").code == 0
    assert factprobe("step=compare", *BASE).code == 0
    assert factprobe("step=report", *BASE).code == 0
    text = (run / "report.html").read_text()
    part = text[text.index('id="comparison"') :].partition("</section>")[0]
    assert 'class="text">gold<div class="ci">scripted</div></th><td class="n">better<br></td>' in part


def test_the_questions_say_what_was_taken_for_the_answer_and_why(run: Path, factprobe: CommandLine) -> None:
    path = run / "grades/template/scripted/P36.jsonl"
    grades = list(Lines(path, Grade, Problems(strict=True)))
    write_lines(path, [msgspec.structs.replace(grade, answer="Atlantis", why="a city of old") for grade in grades])
    assert factprobe("step=report", *BASE).code == 0
    text = (run / "report.html").read_text()
    assert text.count("<bdi>Atlantis</bdi>") == text.count("a city of old") == len(grades)


def test_what_a_statement_is_expected_to_be_is_no_verdict(run: Path) -> None:
    rows = re.findall(
        r'<tr data-verdict="\w+" data-type="binary_answer".*?</tr>', (run / "report.html").read_text(), re.S
    )
    expected = {re.findall(r"<td[^>]*>\s*<div[^>]*>([^<]*)</div>", row)[1] for row in rows}
    assert expected == {"correct: the statement is true", "incorrect: the statement is false"}
