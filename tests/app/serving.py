"""The app as a process of its own."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE, Popen, TimeoutExpired

from tests.app.markup import MARKUP
from tests.command_line import ROOT

PATIENCE = 60
IMPATIENCE = 2.5
"""Seconds after which a second Ctrl-C ends what the first one has not."""

HOSTILE_FAULT = f"ZeroDivisionError: {MARKUP}"
"""The last line of the traceback of the claim extractor of `tests/app/hostile.py`, which fails when it is told to."""


def started(folder: Path, *arguments: str, step: str = "app", at: str = "127.0.0.1") -> tuple[Popen[str], str]:
    """Start the app, or another step with a page, as a process of its own; return it with its address.

    What it writes on standard error is in the folder's `terminal`.
    """
    command = [sys.executable, "-m", "factprobe", f"step={step}", "app.port=0", *arguments]
    environment = {**os.environ, "FACTPROBE_CACHE": str(folder / "cache"), "PYTHONPATH": str(ROOT)}
    environment.pop("PYTEST_CURRENT_TEST", None)  # by which NiceGUI takes itself to be under its own tests
    terminal = folder / "terminal"
    with terminal.open("w") as err:
        process = Popen(command, cwd=folder, env=environment, stdout=PIPE, stderr=err, text=True)
    assert process.stdout
    line = process.stdout.readline()
    if not line.startswith(f"{step}: http://{at}:"):
        process.kill()
        raise AssertionError(terminal.read_text())
    return process, line.split()[1]


def stop(process: Popen[str]) -> None:
    """End the app by Ctrl-C, or a second one."""
    process.send_signal(signal.SIGINT)
    try:
        process.communicate(timeout=IMPATIENCE)
    except TimeoutExpired:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)


@contextmanager
def served(folder: Path, *arguments: str, step: str = "app", at: str = "127.0.0.1") -> Iterator[str]:
    """Yield the address of the app as a process of its own; Ctrl-C ends it, and no fault was its own."""
    process, address = started(folder, *arguments, step=step, at=at)
    try:
        yield address
    finally:
        stop(process)
    said = (folder / "terminal").read_text()
    assert said.count("Traceback") == said.count(f"\n{HOSTILE_FAULT}\n"), said
    assert process.returncode == 130
