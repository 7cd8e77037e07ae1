"""Sweeps: several runs (jobs) of one command, and the collection of their results.

Hydra's launchers run the jobs of `--multirun` in this process, in others or on other machines, and return nothing.
Therefore each job writes its result to a file in a folder `.sweep-...` under `hydra.sweep.dir`, which the command
watches. If this folder disappears because the command has ended, the jobs stop.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any, ClassVar, Self

from hydra.conf import HydraConf
from hydra.core.hydra_config import HydraConfig
from hydra.experimental.callback import Callback
from hydra.types import RunMode
from msgspec import Struct
from omegaconf import DictConfig

from factprobe.cli.process import error_line, exit_code, is_interrupt, print_missing, set_up, show_traceback
from factprobe.config import from_omegaconf, path_of
from factprobe.config.overrides import decode_text
from factprobe.pipeline import run
from factprobe.progress import hide_progress, say
from factprobe.secrecy import hide
from factprobe.storage import Layout, read_json, write_json

_POLL_SECONDS = 0.2


class JobResult(Struct, frozen=True):
    """Result of one job of a sweep."""

    overrides: str
    """Overrides of the job, as typed."""
    output_dir: str | None
    """Absolute path of the output folder; None if the settings could not be read."""
    error: str | None
    """Error in one line; None if the job succeeded."""
    code: int = 0
    """Exit code that a single run would have."""
    missing: str | None = None
    """Line on unanswered questions; None if there are none."""


class Job:
    """Function object that Hydra calls with each composed config; launchers can pickle it."""

    def __init__(self) -> None:
        self.started = time.time()
        self.stopped: list[Exception] = []
        """Errors of a single run, which are collected here since Hydra would print them."""

    def __call__(self, config: DictConfig) -> None:
        """Run the pipeline with a composed config."""
        hydra = HydraConfig.get()
        if hydra.mode is RunMode.MULTIRUN:
            self._in_sweep(config, hydra)
            return
        try:
            print_missing(run(from_omegaconf(config)))
        except Exception as error:
            self.stopped.append(error)

    def _in_sweep(self, config: DictConfig, hydra: HydraConf) -> None:
        folder = _results_folder(hydra, self.started)
        output_dir = error = missing = None
        code = 0
        with ExitStack() as stack:
            if Sweep.current is None:  # in another process than the command
                set_up()
                hide_progress()
                os.chdir(hydra.runtime.cwd)
                stack.enter_context(_stop_without(folder))
            try:
                settings = from_omegaconf(config)
                output_dir = str(path_of(settings.output_dir).absolute())
                missing = run(settings, self.started)
            except Exception as caught:
                if is_interrupt(caught):
                    raise KeyboardInterrupt from caught
                error, code = error_line(caught), exit_code(caught)
                if error is None or config.debug:
                    show_traceback(type(caught), caught, None)
                error = hide(error or f"unexpected {type(caught).__name__}: {' '.join(str(caught).split())}")
        overrides = (
            decode_text(" ".join(hydra.overrides.task)).replace("\\{", "{").replace("\\}", "}")
        )  # as they were typed
        result = JobResult(overrides, output_dir, error, code, missing)
        if folder.is_dir():
            write_json(folder / f"{hydra.job.num}.json", result)
        else:  # the command has ended
            _print_result(result)


class Sweep:
    """Sweep begun at `started` (seconds since 1970), as its process sees it, which prints the errors of ended jobs."""

    current: ClassVar[Sweep | None] = None

    def __init__(self, started: float) -> None:
        self.results: dict[str, JobResult] = {}
        """Results of finished jobs, by file name."""
        self._started = started
        self._folder: Path | None = None
        self._over = Event()
        self._listener = Thread(target=self._poll_results, daemon=True)

    def __enter__(self) -> Self:
        Sweep.current = self
        return self

    @property
    def has_begun(self) -> bool:
        """True once the folder of the sweep exists and its jobs may start."""
        return self._folder is not None

    def begin(self, hydra: HydraConf) -> None:
        """Create the folder for the results of the jobs, and start to watch it."""
        self._folder = _results_folder(hydra, self._started)
        self._folder.mkdir(parents=True)
        self._listener.start()

    def __exit__(self, *_: object) -> None:
        Sweep.current = None
        if self._folder is not None:
            self._over.set()
            self._listener.join()
            self._read_results(self._folder)
            shutil.rmtree(self._folder)

    def summary(self) -> str | None:
        """Return a line with the command that shows the scores of all jobs; None if no job has scores."""
        folders = {result.output_dir for result in self.results.values() if not result.error and result.output_dir}
        if not any(Layout(Path(folder)).graded_folders() for folder in folders):
            return None
        try:
            common = os.path.commonpath(folders)
        except ValueError:  # on two drives of Windows: no folder holds both
            return None
        with suppress(ValueError):  # on another drive than this folder
            common = os.path.relpath(common)
        return f"sweep: one table over all of it: step=report output_dir={shlex.quote(common)}"

    def failures(self) -> tuple[str, int] | None:
        """Return a line with the number of failed jobs, and their lowest exit code; None if no job failed."""
        codes = [result.code for result in self.results.values() if result.error is not None]
        return (f"{len(codes)} of {len(self.results)} jobs failed", min(codes)) if codes else None

    def unanswered_line(self) -> str | None:
        """Return a line with the number of jobs with unanswered questions; None if there are none."""
        count = sum(result.missing is not None for result in self.results.values())
        message = f"{count} of {len(self.results)} jobs have questions without an answer"
        return f"{message}; the same command asks them again" if count else None

    def _poll_results(self) -> None:
        while self._folder is not None and not self._over.wait(_POLL_SECONDS):
            self._read_results(self._folder)

    def _read_results(self, folder: Path) -> None:
        for path in sorted(folder.glob("[0-9]*.json")):
            if path.name not in self.results:
                self.results[path.name] = result = read_json(path, JobResult)
                _print_result(result)


class Begin(Callback):
    """Hydra callback at the start of a sweep, when its folder becomes known."""

    def on_multirun_start(self, config: DictConfig, **_: Any) -> None:
        """Begin the sweep in the folder that the config names."""
        if Sweep.current is not None:
            Sweep.current.begin(config.hydra)


def _results_folder(hydra: HydraConf, started: float) -> Path:
    return Path(hydra.runtime.cwd, hydra.sweep.dir, f".sweep-{started}")


def _print_result(result: JobResult) -> None:
    if result.error is not None:
        say(f"factprobe: error in {result.overrides}: {result.error}", sys.stderr)
    else:
        print_missing(result.missing, f"{result.overrides}: ")


@contextmanager
def _stop_without(folder: Path) -> Iterator[None]:
    """Watch a folder during the block, and interrupt the process like Ctrl-C if the folder disappears."""
    is_over = Event()

    def watch_folder() -> None:
        while not is_over.wait(_POLL_SECONDS):
            if not folder.is_dir():
                if sys.platform == "win32":  # where os.kill ends a process at once
                    signal.raise_signal(signal.SIGINT)
                else:
                    os.kill(os.getpid(), signal.SIGINT)
                return

    watcher = Thread(target=watch_folder, daemon=True)
    if folder.is_dir():
        watcher.start()
    try:
        yield
    finally:
        is_over.set()
