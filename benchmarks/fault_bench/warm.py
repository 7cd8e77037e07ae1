"""Runs the command in forks of a process that has loaded its modules, which takes longer than a small run.

As a script it is that process: it reads what to run, a line of JSON each, and writes the status and the most memory.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

LOADED = (
    *("factprobe.api", "factprobe.cli.main", "factprobe.cli.sweeps", "factprobe.config.loader", "factprobe.pipeline"),
    *("factprobe.evaluators.options.evaluator", "factprobe.evaluators.true_false.evaluator", "factprobe.asking.job"),
    *("factprobe.evaluators.single.evaluator", "factprobe.models.providers.openai", "factprobe.reports.html"),
    *("hydra._internal.utils", "hydra.core.plugins", "openai", "scipy.stats", "jinja2", "rich.console", "rich.table"),
    *("tenacity", "aiolimiter", "networkx", "tqdm", "filelock"),
)

Printed = tuple[Path, Path]
"""The files of what a run prints: its output and its errors."""


class Warm:
    """A process that runs commands, one after the other."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "fault_bench.warm"]
        folder = Path(__file__).parents[1]
        self._process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
        )

    def run(
        self, arguments: list[str], folder: Path, environment: dict[str, str], printed: Printed, longest: float
    ) -> tuple[int, float]:
        """Runs the command.

        Args:
            arguments: its own.
            folder: where it runs.
            environment: all of it.
            printed: where what it prints goes.
            longest: the seconds after which SIGALRM ends it.

        Returns:
            The exit code and the most memory, in MB.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        job = (arguments, str(folder), environment, [str(path) for path in printed], longest)
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        code, megabytes = json.loads(self._process.stdout.readline())
        return code, megabytes

    def close(self) -> None:
        """Ends it."""
        self._process.communicate()


def _run(
    arguments: list[str], folder: str, environment: dict[str, str], printed: list[str], longest: float
) -> NoReturn:
    signal.setitimer(signal.ITIMER_REAL, longest)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for descriptor, path in zip((1, 2), printed, strict=True):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644), descriptor)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    tempfile.tempdir = None
    sys.argv = ["factprobe", *arguments]
    import_module("factprobe.__main__").main()
    sys.exit()


def main() -> None:
    for name in LOADED:
        import_module(name)
    for line in sys.stdin:
        job: list[Any] = json.loads(line)
        process = os.fork()
        if not process:
            _run(*job)
        _, status, used = os.wait4(process, 0)
        print(json.dumps((os.waitstatus_to_exitcode(status), used.ru_maxrss / 1024)), flush=True)


if __name__ == "__main__":
    main()
