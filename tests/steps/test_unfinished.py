"""Files of a step that was stopped while it replaced them are not taken for its result."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from factprobe.storage.locks import hold_lock
from tests.command_line import CommandLine
from tests.exams import run_once

BASE = ["kg=trex", "kg.data_dir=data", "model=scripted", "generator.negatives=random", "workers=1"]
ROOT = Path("outputs/trex")
STOPPED = {
    "extract": ("triplets", ["limit=2"], ["generate", "answer", "evaluate", "report"]),
    "generate": ("questions/template", ["generator.question_types=[multi_choices]"], ["answer", "evaluate", "report"]),
    "evaluate": ("grades/template/scripted", ["compat=llm_facteval"], ["report"]),
}
"""Folder of each step's files, settings that change them, and the later steps."""

KILLED = """
import os, pathlib, signal, sys
from factprobe.cli.main import main

replace = pathlib.Path.replace

def replace_and_die(path, target):
    replace(path, target)
    if pathlib.Path(target).suffix == ".jsonl":
        os.kill(os.getpid(), signal.SIGKILL)

pathlib.Path.replace = replace_and_die
sys.argv[0] = "factprobe"
main()
"""


def write_graph(folder: Path) -> None:
    """Write a graph of three relations."""
    (folder / "data").mkdir()
    names = ("P1", "P2", "P3")
    described = [{"relation": name, "template": "[X] is near [Y] .", "type": "N-M"} for name in names]
    (folder / "data/relations.jsonl").write_text("".join(json.dumps(relation) + "\n" for relation in described))
    facts = [{"sub_uri": f"S{i}", "sub_label": f"S {i}", "obj_uri": f"O{i}", "obj_label": f"O {i}"} for i in range(5)]
    for name in names:
        (folder / f"data/{name}.jsonl").write_text("".join(json.dumps(fact) + "\n" for fact in facts))


@pytest.fixture
def run(factprobe: CommandLine, tmp_path: Path) -> CommandLine:
    """A run that is done."""
    write_graph(tmp_path)
    run_once(factprobe, "step=all", *BASE)
    return factprobe


def kill(*arguments: str) -> None:
    """Run a command that is killed as soon as it has replaced one file of records."""
    command = [sys.executable, "-c", KILLED, *arguments]
    assert subprocess.run(command, capture_output=True, check=False).returncode == -signal.SIGKILL


def scores() -> bytes:
    return (ROOT / "scores.csv").read_bytes()


@pytest.mark.parametrize("step", STOPPED)
def test_a_killed_step_is_to_be_run_again(run: CommandLine, caplog: pytest.LogCaptureFixture, step: str) -> None:
    folder, change, later = STOPPED[step]
    before = scores()
    kill(f"step={step}", *BASE, *change)
    for name in later:
        caplog.clear()
        lines = [run.fails(f"step={name}", *BASE), *caplog.messages]
        [line] = [line for line in lines if f"{ROOT}/{folder}: has files of a step={step} that" in line]
        assert f"run step={step}" in line
    for name in (step, *later):
        code, _, err = run(f"step={name}", *BASE)
        assert (code, err) == (0, "")
    assert scores() == before


def test_a_killed_step_runs_again_with_step_all(run: CommandLine) -> None:
    before = scores()
    for step, (_, change, _) in reversed(STOPPED.items()):
        kill(f"step={step}", *BASE, *change)
    assert run("step=all", *BASE).code == 0
    assert scores() == before


def test_relations_that_are_made_again_alone_leave_the_others_unfinished(run: CommandLine) -> None:
    kill("step=generate", *BASE, *STOPPED["generate"][1])
    assert run("step=generate", *BASE, "relations=[P1]").code == 0
    assert run("step=answer", *BASE, "relations=[P1]").code == 0
    assert "has not finished" in run.fails("step=answer", *BASE)
    assert run("step=generate", *BASE, "relations=[P2,P3]").code == 0
    assert run("step=answer", *BASE).code == 0


def test_a_step_that_is_interrupted_is_unfinished_too(run: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    replace = Path.replace

    def replace_once(path: Path, target: Path) -> Path:
        if target.name == "P2.jsonl":
            raise KeyboardInterrupt
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", replace_once)
    assert run("step=generate", *BASE).code == 130
    monkeypatch.setattr(Path, "replace", replace)
    assert "step=generate that has not finished" in run.fails("step=answer", *BASE)


@pytest.mark.parametrize(
    ("step", "later", "error"),
    [
        ("extract", "generate", ["kg.templates={P1: 'nothing to fill in'}"]),
        ("generate", "answer", ["generator.prompts.single_answer=nothing"]),
        ("generate", "answer", ["dry_run=true"]),
        ("evaluate", "report", ["relations=[P4]"]),
    ],
)
def test_a_step_that_replaced_nothing_leaves_all_valid(
    run: CommandLine, step: str, later: str, error: list[str]
) -> None:
    run(f"step={step}", *BASE, *error)
    assert run(f"step={later}", *BASE) == (0, run(f"step={later}", *BASE).out, "")


def test_a_model_that_is_being_graded_is_left_out_of_a_report(
    run: CommandLine, caplog: pytest.LogCaptureFixture
) -> None:
    other = [*BASE, "model.name=other"]
    assert run("step=all", *other).code == 0
    kill("step=evaluate", *other, *STOPPED["evaluate"][1])
    folder = ROOT / "grades/template/other"
    with hold_lock(folder / ".lock", "write"):
        assert run("step=report", *BASE).code == 0
    assert "run this step again when it has ended" in caplog.text
    caplog.clear()
    assert run("step=report", *BASE).code == 0
    assert f"{folder}: has files of a step=evaluate that has not finished" in caplog.text
    rows = json.loads((ROOT / "scores.json").read_text())
    assert {row["model"] for row in rows} == {"scripted"}
    assert "has not finished" in run.fails("step=label", *other)


def test_a_folder_without_questions_has_no_mark(run: CommandLine) -> None:
    kill("step=generate", *BASE, *STOPPED["generate"][1])
    shutil.rmtree(ROOT / "questions")
    assert "is not there" in run.fails("step=answer", *BASE)
    assert not any(ROOT.rglob("unfinished.json"))
