"""What is otherwise on Windows, as far as it can be tried here."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from factprobe.cli.sweeps import JobResult, Sweep, _stop_without


@pytest.mark.parametrize(
    ("missing", "told"),
    [
        ("commonpath", None),
        ("relpath", "sweep: one table over all of it: step=report output_dir={}"),
    ],
)
def test_a_sweep_over_several_drives(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, missing: str, told: str | None
) -> None:
    def raise_as_windows_does(*_: object) -> str:
        raise ValueError("Paths don't have the same drive")

    sweep = Sweep(0.0)
    for name in ("a", "b"):
        grades = tmp_path / name / "grades/template/scripted"
        grades.mkdir(parents=True)
        (grades / "P36.jsonl").touch()
        sweep.results[name] = JobResult("", str(tmp_path / name), None)
    monkeypatch.setattr(os.path, missing, raise_as_windows_does)
    assert sweep.summary() == (told and told.format(tmp_path))


def test_a_job_stops_as_by_ctrl_c_and_is_not_killed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / ".sweep"
    folder.mkdir()
    monkeypatch.setattr(os, "kill", pytest.fail)  # which ends a process on Windows
    monkeypatch.setattr(sys, "platform", "win32")

    def job() -> None:
        with _stop_without(folder):
            folder.rmdir()
            for _ in range(1000):
                time.sleep(0.01)

    with pytest.raises(KeyboardInterrupt):
        job()
