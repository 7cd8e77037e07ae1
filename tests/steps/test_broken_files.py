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
