"""The app as a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.app.markup import MARKUP
from tests.command_line import ROOT

PATIENCE = 60
IMPATIENCE = 2.5
"""Seconds after which a second Ctrl-C ends what the first one has not."""

HOSTILE_FAULT = f"ZeroDivisionError: {MARKUP}"
"""The last line of the traceback of the claim extractor of `tests/app/hostile.py`, which fails when it is told to."""


@contextmanager
def served(folder: Path, *arguments: str, at: str = "127.0.0.1") -> Iterator[str]:
    """The app as a process of its own; its address. Ctrl-C ends it, or a second one; no fault was its own.

    What it writes on standard error is in the folder's `terminal`.
    """
    command = [sys.executable, "-m", "factprobe", "step=app", "app.port=0", *arguments]
    environment = {**os.environ, "FACTPROBE_CACHE": str(folder / "cache"), "PYTHONPATH": str(ROOT)}
    environment.pop("PYTEST_CURRENT_TEST", None)  # by which NiceGUI takes itself to be under its own tests
    terminal = folder / "terminal"
    with terminal.open("w") as err:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=err, text=True)
    assert process.stdout
    line = process.stdout.readline()
    try:
        assert line.startswith(f"app: http://{at}:"), terminal.read_text()
        address = line.split()[1]
        yield address
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.communicate(timeout=IMPATIENCE)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=PATIENCE)
    said = terminal.read_text()
    assert said.count("Traceback") == said.count(f"\n{HOSTILE_FAULT}\n"), said
    assert process.returncode == 130
