"""A manifest that was damaged is told in one line; one of another make is read as far as it goes."""

from __future__ import annotations

import json
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from factprobe.steps.manifest import Manifest
from tests.command_line import CommandLine
from tests.exams import run_once

EXAM = ["kg=trex", "relations=[P36]", "limit=1", "model=scripted"]
MANIFEST = Path("outputs/trex/manifest.json")
STEPS = ["generate", "evaluate", "report"]

BROKEN: list[tuple[Any, str]] = [
    ([], "is broken: "),
    ({"generate": 5}, "is broken under generate: "),
    ({"generate": None}, "is broken under generate: "),
    ({"evaluate": []}, "is broken under evaluate: "),
    ({"report": "now"}, "is broken under report: "),
    ({"history": 5}, "is broken under history: "),
    ({"history": None}, "is broken under history: "),
    ({"history": [5]}, "is broken under history: "),
    ({"history": [{"step": 5}]}, "is broken under history: "),
    ({"history": [{"step": "evaluate", "inputs": []}]}, "is broken under history: "),
    ({"generate": {"inputs": {}, "outputs": 3}}, "is broken under generate: "),
    ({"generate": {"inputs": {"P36.jsonl": 3}}}, "is broken under generate: "),
    ({"generate": {"config": 3}}, "is broken under generate: "),
    ({"generate": {"sweep": "x"}}, "is broken under generate: "),
]
FOREIGN: list[tuple[Any, str]] = [
    ({}, "report"),
    ({"note": "by hand", "format": 2}, "report"),
    ({"generate": {}, "evaluate": {}, "history": [{}]}, "evaluate"),
    ({"generate": {"inputs": {}, "config": {}}}, "report"),
    ({"generate": {"outputs": {"P36.jsonl": "0"}}, "extract": {"config": {"kg": {}}}}, "evaluate"),
    ({"generate": {"config": {"kg": None, "seed": None}}}, "report"),
]


@pytest.fixture
def run(factprobe: CommandLine) -> CommandLine:
    """A run that is done."""
    run_once(factprobe, "step=all", *EXAM)
    return factprobe


def test_a_broken_one_is_one_line(run: CommandLine) -> None:
    for (content, told), step in zip(BROKEN, cycle(STEPS), strict=False):
        text = json.dumps(content)
        MANIFEST.write_text(text)
        line = run.fails(f"step={step}", *EXAM)
        assert f"{MANIFEST}: {told}" in line, content
        assert "; fix it, or move it away" in line
        assert MANIFEST.read_text() == text


def test_a_broken_one_is_one_line_in_a_sweep(run: CommandLine) -> None:
    MANIFEST.write_text('{"generate": 5}')
    code, _, err = run("-m", "step=generate", *EXAM)
    assert (code, f"{MANIFEST}: is broken under generate: " in err, "Traceback" in err) == (2, True, False)


@pytest.mark.parametrize("kg", [5, {"data_dir": 5}])
def test_settings_that_a_report_cannot_show_are_one_line(run: CommandLine, kg: Any) -> None:
    MANIFEST.write_text(json.dumps({"generate": {"config": {"kg": kg}}}))
    assert f"{MANIFEST}: is broken under generate.config: " in run.fails("step=report", *EXAM)


def test_one_of_another_make_is_read_as_far_as_it_goes(run: CommandLine) -> None:
    for content, step in FOREIGN:
        MANIFEST.write_text(json.dumps(content))
        code, _, err = run(f"step={step}", *EXAM)
        assert (code, err) == (0, ""), (content, step)
        kept = json.loads(MANIFEST.read_text())
        assert {**content, step: 0, "history": 0} == {**kept, step: 0, "history": 0}
        if step in content:
            assert kept["history"][-1] == {"step": step, **content[step]}


def test_moved_away_it_is_begun_anew(run: CommandLine) -> None:
    MANIFEST.unlink()
    assert run("step=report", *EXAM).code == 0
    assert list(json.loads(MANIFEST.read_text())) == ["report"]


def test_a_step_that_was_stopped_is_not_made_for_the_other_jobs_of_a_sweep(tmp_path: Path) -> None:
    config = {"seed": 0, "generator": {"name": "llm_mask"}}
    manifest = Manifest(tmp_path / "manifest.json", sweep_started=1.0)
    manifest.add("generate", config, [], {"asked": 1, "stopped": "max_cost_usd=1: $1.0 are spent"})
    assert not manifest.is_done_in_sweep("generate", {"seed": 0}, "llm_mask")
    manifest.add("generate", config, [], {"questions": {}})
    assert manifest.is_done_in_sweep("generate", {"seed": 0}, "llm_mask")


def test_a_report_shows_no_settings_of_a_step_that_was_stopped(tmp_path: Path) -> None:
    manifest = Manifest(tmp_path / "manifest.json")
    manifest.add("generate", {"seed": 77}, [], {"asked": 1, "stopped": "max_cost_usd=1: $1.0 are spent"})
    assert manifest.settings("generate") is None
    manifest.add("generate", {"seed": 0}, [], {"questions": {}})
    manifest.add("generate", {"seed": 77}, [], {"asked": 1, "stopped": "max_cost_usd=1: $1.0 are spent"})
    found = manifest.settings("generate")
    assert found is not None
    assert found.seed == 0
