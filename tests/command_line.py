"""Runs the command line inside the test's process, or as a process of its own."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from factprobe.cli.main import main

ROOT = Path(__file__).resolve().parents[1]


class Result(NamedTuple):
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str


class CommandLine:
    """The command `factprobe` in the test's own folder."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys
        monkeypatch.chdir(folder)
        monkeypatch.setenv("HYDRA_FULL_ERROR", "1")
        monkeypatch.setattr(sys, "path", list(sys.path))
        monkeypatch.setattr(gc, "freeze", lambda: None)  # this process goes on after the command
        self.folder = folder

    def __call__(self, *arguments: str) -> Result:
        _assert_own_cache()
        self._monkeypatch.setattr(sys, "argv", ["factprobe", *arguments])
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = int(stop.code or 0)
        printed = self._capsys.readouterr()
        return Result(code, printed.out, printed.err)

    def fails(self, *arguments: str, code: int = 2) -> str:
        """The one line with which a command ends that must fail."""
        ended, _, err = self(*arguments)
        lines = [line for line in err.splitlines() if not line.startswith("WARNING:")]
        assert ended == code, err
        assert len(lines) == 1, err
        assert lines[0].startswith("factprobe: error: ")
        return lines[0]


def process(*arguments: str, folder: Path, **environment: str) -> subprocess.Popen[str]:
    """The command as a process of its own."""
    _assert_own_cache()
    return subprocess.Popen(
        [sys.executable, "-m", "factprobe", *arguments],
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _assert_own_cache() -> None:
    """Assert that the command cannot write to the user's own response cache."""
    assert "FACTPROBE_CACHE" in os.environ, "the test has unset the response cache of the session"
