"""Files of an earlier step that were broken or edited stop a step, with the step to run again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import CommandLine
from tests.exams import run_once
from tests.steps.test_unfinished import BASE, ROOT, write_graph


@pytest.fixture
def run(factprobe: CommandLine, tmp_path: Path) -> CommandLine:
    """A run that is done."""
    write_graph(tmp_path)
    run_once(factprobe, "step=all", *BASE)
    return factprobe


@pytest.mark.parametrize("content", [b"", b"null", b"[]", b'{"kg": "trex"', bytes(8)], ids=repr)
@pytest.mark.parametrize("name", ["summary.json", "P1.summary.json"])
def test_broken_summary_names_the_step_to_run_again(run: CommandLine, name: str, content: bytes) -> None:
    path = ROOT / "triplets" / name
    path.write_bytes(content)
    line = run.fails("step=generate", *BASE)
    assert str(path) in line
    assert "again" in line
    assert run("step=all", *BASE).code == 0


@pytest.mark.parametrize("step", ["answer", "evaluate"])
def test_question_that_is_there_twice_stops_the_step(run: CommandLine, step: str) -> None:
    path = ROOT / "questions/template/P1.jsonl"
    content = path.read_bytes()
    path.write_bytes(content + content.splitlines(keepends=True)[0])
    responses = (ROOT / "responses/template/scripted/P1.jsonl").read_bytes()
    line = run.fails(f"step={step}", *BASE)
    assert f"{path}:{len(content.splitlines()) + 1}" in line
    assert "step=generate again" in line
    assert (ROOT / "responses/template/scripted/P1.jsonl").read_bytes() == responses
    assert run("step=all", *BASE).code == 0
    assert path.read_bytes() == content


def test_fact_that_is_there_twice_stops_the_step(run: CommandLine) -> None:
    path = ROOT / "triplets/P1.jsonl"
    path.write_bytes(path.read_bytes() * 2)
    line = run.fails("step=generate", *BASE)
    assert f"{path}:6" in line
    assert "step=extract again" in line
