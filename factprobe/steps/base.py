"""Base types of steps: `Step` declares a step, `Run` has the state that the steps of one run share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cached_property
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from msgspec import Struct

from factprobe.asking.unanswered import UnansweredQuestions
from factprobe.config import RunConfig, path_of, plain_settings
from factprobe.errors import BusyError, ConfigError, MissingStepError, format_list
from factprobe.records import GraphSummary, RelationCount
from factprobe.relations import picked_relations
from factprobe.step_table import STEPS
from factprobe.steps import BREAKDOWN
from factprobe.steps.commands import format_command, unextracted_error
from factprobe.steps.manifest import OWN_FOLDER, Manifest
from factprobe.steps.origins import UNFINISHED, Origins
from factprobe.steps.own_files import OwnFiles
from factprobe.storage import Layout, Problems, Replacement, is_unfinished, locate_disk_errors, read_summary
from factprobe.storage.layout import name_without_repeat, repeat_name
from factprobe.storage.locks import LOCK_FILE, hold_lock
from factprobe.text import format_count
from factprobe.workers import Workers, cores

if TYPE_CHECKING:
    from factprobe.models import Model

MAX_LISTED = 100
"""Maximum number of broken lines or refused questions that the manifest lists."""

ASK_AGAIN = "step=answer asks them again"
"""Hint of later steps for questions without an answer."""

STALE = "asks about other facts or templates than are extracted now"
"""Message for questions that were made before their relation was extracted again with other facts."""

_POLL_SECONDS, _SWEEP_WAIT = 0.5, 3600.0


class StepResult(NamedTuple):
    """Result of a step."""

    message: str
    inputs: list[Path]
    counts: dict[str, Any] | None
    """Counts for the manifest; None if nothing was done, so that nothing is recorded."""
    outputs: Sequence[Path] = ()
    """Output files that are recorded with their inputs, so that later steps can find out whether they are stale."""
    unanswered: Sequence[UnansweredQuestions] = ()
    """Unanswered questions of each model."""
    warning: str = ""
    """Warning about the output as a whole, with a hint."""
    is_dry: bool = False
    """True if nothing was written, so that later steps have no input."""
    notes: Sequence[str] = ()
    """Lines about the output, printed below the message if the step runs alone and not as part of `step=all`."""
    failed: str = ""
    """Failed checks (`fail_below`, `fail_if_worse`) in one line; empty if none failed."""


class DryRunEnd(Exception):  # noqa: N818  (no error: a dry run ends where the first call would be made)
    """Exception that ends a dry run; its message says which calls would be made."""


class Lock(NamedTuple):
    """Lock that is held while a step runs."""

    path: Path
    mode: Literal["read", "write"]
    """`read` for a lock that several processes may share, `write` for an exclusive one."""
    wait: float = 0.0
    """Minimum number of seconds to wait for other processes; in a sweep, the wait is longer."""


class SweepClaim(NamedTuple):
    """Output that several jobs of a sweep may make only with the same settings."""

    output: Path
    what: str
    """Action of a job, for the error message, such as `makes step=detect`."""
    settings: Mapping[str, Any]
    """Settings that change the output."""
    hint: str = OWN_FOLDER
    """Hint of the error; `SETTING` in it is replaced by the setting that differs."""


def shared_lock(run: Run) -> list[Lock]:
    """Return the shared lock of a step that reads the output folder."""
    return [Lock(run.layout.lock, "read")]


def folder_lock(run: Run, folder: Path) -> list[Lock]:
    """Return the shared lock of the output folder and an exclusive lock of one folder in it."""
    return [*shared_lock(run), Lock(folder / LOCK_FILE, "write")]


def exclusive_lock(run: Run) -> list[Lock]:
    """Return the exclusive lock of a step whose files other steps read."""
    return [Lock(run.layout.lock, "write")]


class Step(Struct, frozen=True, kw_only=True):
    """Declaration of a step: its function, files, settings and locks, and its behaviour in a sweep."""

    run: Callable[[Run], StepResult]
    """Function that runs the step while its locks are held."""
    needs: tuple[str, ...] = ()
    """Steps whose files the step reads."""
    makes: tuple[str, ...]
    """Files that the step writes below the output folder, with `<...>` for names."""
    elsewhere: tuple[str, ...] = ()
    """Files that the step writes outside the output folder: beside the input, or where a setting such as `output` says.

    `<input>` stands for the name of the input without its suffix.
    """
    adds_to: tuple[str, ...] = ()
    """Files in `makes` to which the step only adds."""
    settings: tuple[str, ...]
    """Settings that the step uses, without the settings of every run."""
    once: bool = False
    """True if the first job of a sweep makes the files for all jobs; these must have the same settings."""
    locks: Callable[[Run], list[Lock]] = shared_lock
    sweep_claims: Callable[[Run], list[SweepClaim]] = lambda _: []
    """Function that returns the outputs which several jobs of a sweep may make only with the same settings."""

    def is_apart_by(self, group: str) -> bool:
        """Return whether the file names of the step contain the name of the `group`: `generator` or `model`."""
        return any(f"<{group}>" in path for path in self.makes)

    def replaced_names(self) -> list[str]:
        """Return the names of the files in the output folder that the step may replace, without those with `<...>`."""
        names = [name for name in self.makes if "<" not in name and name not in self.adds_to]
        if BREAKDOWN in self.makes:
            from factprobe.metrics.breakdowns.base import breakdowns  # loads slowly

            names += [BREAKDOWN.replace("<breakdown>", name) for name in breakdowns.names()]
        return [*names, "manifest.json"]


def load_step(name: str) -> Step:
    """Load the declaration of a step in `STEPS`."""
    step: Step = import_module(f"factprobe.steps.{STEPS[name].package}.{name}").STEP
    return step


class Run:
    """State that the steps of one run share.

    `sweep_started` is the start of the sweep of which the run is a job, in seconds since 1970; None for a single run.
    """

    def __init__(self, config: RunConfig, sweep_started: float | None = None) -> None:
        self.config = config
        self.layout = Layout(path_of(config.output_dir))
        self.problems = Problems(config.strict)
        self.manifest = Manifest(self.layout.manifest, sweep_started)
        self.sweep_started = sweep_started
        self.usd = 0.0
        """US dollars that the steps have spent so far."""
        self.kept_of: set[str] = set()
        """Names of models for which the warning that `cache=refresh` keeps existing responses was given."""
        self.warned_of: set[tuple[str, str]] = set()
        """Warnings about cut off, filtered or refused replies that were given, each after the name of the model."""
        self._needs: tuple[str, ...] = ()
        """Steps that the current step has declared to need."""
        self._replacement = Replacement(())
        """Replacement of files by the current step."""
        self._own_files: OwnFiles | None = None
        """Files that the current step may replace."""

    @property
    def workers(self) -> Workers:
        """Number of processes for the relations of the run.

        It is 1 in a sweep, since its jobs run in parallel, and with `debug`, so that tracebacks are complete.
        """
        return 1 if self.sweep_started is not None or self.config.debug else self.config.workers or cores()

    @cached_property
    def model(self) -> Model:
        """Model that is tested, not loaded yet; a `ConfigError` is raised for a wrong setting or a repeat's name."""
        from factprobe.factories import build_model

        model = build_model(self.config.model)
        if (other := name_without_repeat(model.name)) != model.name:
            what = f"{model.name!r} is the name of a repeat of the model {other!r}"
            repeat = model.name[len(other) + 1 :]
            hint = f"set another name, or for the repeat model.name={other} model.repeat={repeat}"
            raise ConfigError(what, where="model.name", hint=hint)
        return model

    @property
    def names(self) -> tuple[str, str]:
        """Names of the generator and of the model; the model name of a repeat ends in its index, such as `m~2`."""
        return self.config.generator["name"], repeat_name(self.model.name, self.model.settings.repeat)

    @cached_property
    def _generated(self) -> Origins:
        return self.manifest.origins("generate")

    def perform(self, name: str) -> StepResult:
        """Run a step while its locks are held, and record it in the manifest.

        Raises:
            BusyError: Another process holds a lock that the step needs.
            ConfigError: Another job of the sweep makes the same files with other settings.
            FactprobeError: The step itself fails.
        """
        step = load_step(name)
        self._needs = step.needs
        self.manifest.start()
        for claim in step.sweep_claims(self):
            self.manifest.reserve_output(*claim)
        with self._hold_locks(name, step) as is_made:
            if is_made:
                return StepResult("made by another job of this sweep", [], None)
            self._replacement = Replacement(())
            own_files = self._own_files = self.check_free(name)
            with locate_disk_errors("the output"):  # other errors name their file
                try:
                    own_files.begin()
                    result = step.run(self)
                except DryRunEnd as end:
                    result = StepResult(str(end), [], None, is_dry=True)
                except BaseException:
                    self._replacement.cancel()
                    own_files.cancel()
                    raise
            try:
                if result.counts is not None:  # under the lock, so that no other job repeats the step
                    self.manifest.add(name, plain_settings(self.config), result.inputs, result.counts, result.outputs)
            finally:  # the files are whole, even if the manifest is broken
                self._replacement.finish()
        return result

    def check_free(self, name: str) -> OwnFiles:
        """Check that a step would replace no file of the user in the output folder, and return what it may replace.

        Raises:
            ConfigError: A file has the name of an output of the step, and no step here has written it.
        """
        own = OwnFiles(self.layout, self.manifest, name, lambda step: load_step(step).replaced_names())
        own.check(self.layout.root / file for file in load_step(name).replaced_names())
        return own

    def begin_replacement(self, outputs: Iterable[Path], others: Iterable[Path] = ()) -> None:
        """Mark the files that the current step replaces, so that later steps refuse them until it has finished.

        Call it once, just before the first file is replaced. `others` are files that are read only with the outputs.

        Raises:
            ConfigError: A file exists, and no step here has written it.
        """
        outputs, others = [*outputs], [*others]
        if self._own_files is not None:
            self._own_files.check([*outputs, *others])
        self._replacement = Replacement(outputs, others)
        self._replacement.begin()

    @contextmanager
    def _hold_locks(self, name: str, step: Step) -> Iterator[bool]:
        """Hold the locks of a step during the block; yield True if another job of the sweep has made its files."""
        waits = step.once and self.sweep_started is not None  # another job may make the files in the meantime
        patience = 0.0 if self.sweep_started is None else _SWEEP_WAIT
        patient_until = monotonic() + patience
        while not self._is_made(name, step):
            with ExitStack() as stack:
                try:
                    for lock in step.locks(self):
                        wait = max(_POLL_SECONDS if waits else patience, lock.wait)
                        stack.enter_context(hold_lock(lock.path, lock.mode, wait))
                except BusyError:
                    if not waits or monotonic() > patient_until:
                        raise
                    continue
                yield self._is_made(name, step)
                return
        yield True

    def _is_made(self, name: str, step: Step) -> bool:
        if not step.once:
            return False
        generator = self.config.generator["name"] if step.is_apart_by("generator") else None
        return self.manifest.is_done_in_sweep(name, self.settings(*step.settings), generator)

    def settings(self, *names: str) -> dict[str, Any]:
        """Return the settings of these names as plain values."""
        config = plain_settings(self.config)
        return {name: config[name] for name in names}

    def broken_lines(self) -> str:
        """Return a clause with the number of broken lines so far, for the message of a step; empty without any."""
        count = len(self.problems.messages)
        return f", {format_count(count, 'broken line')} skipped" if count else ""

    def skipped(self) -> dict[str, Any]:
        """Return the counts of skipped records for the manifest."""
        messages = self.problems.messages
        return {"skipped": len(messages), "skipped_named": messages[:MAX_LISTED]}

    def relations(self) -> list[RelationCount]:
        """Return the extracted relations of the run.

        Raises:
            MissingStepError: Nothing, or not a selected relation, has been extracted yet, or the output folder has the
                folders of several graphs.
            UnknownNameError: The graph does not have a selected relation, or cannot be read.
        """
        if graphs := [layout for layout in self.layout.graphs() if layout.root != self.layout.root]:
            folders = format_list([str(layout.root) for layout in graphs])
            hint = f"name one of them with output_dir=: {folders}"
            raise MissingStepError("holds the folders of graphs, and is none itself", where=self.layout.root, hint=hint)
        summary = read_summary(self.need("extract", self.layout.graph_summary), GraphSummary)
        counts_by_name = {counts.relation: counts for counts in summary.relations}
        for name in self.config.selected_relations or ():
            if name not in counts_by_name:
                raise unextracted_error(self.config, name, summary, load_step("extract").settings)
        return [counts_by_name[name] for name in picked_relations(self.config, counts_by_name)]

    def need(self, step: str, path: Path) -> Path:
        """Return the path of a file of an earlier step after a check that it exists, and that the step has finished.

        Raises:
            MissingStepError: The file is missing, or the step was stopped while it replaced the file and others.
        """
        self._check_needed(step)
        if not path.exists():
            raise self.missing(step, path)
        if is_unfinished(path):
            raise self.missing(step, path.parent, UNFINISHED.format(step=step))
        return path

    def questions(self, relation: str) -> Path:
        """Return the path of the questions about a relation after a check that they are current.

        Raises:
            MissingStepError: The questions are missing, or were made from other facts than the facts extracted now.
        """
        path = self.need("generate", self.layout.questions(self.config.generator["name"], relation))
        if self.are_stale(path, relation):
            raise self.missing("generate", path, STALE)
        return path

    def are_stale(self, questions: Path, relation: str) -> bool:
        """Return whether the questions about a relation were made from other facts than the facts extracted now."""
        return self._generated.is_stale(questions, self.layout.summary(relation))

    def missing(self, step: str, path: Path, what: str = "is not there") -> MissingStepError:
        """Return the error for a missing file of an earlier step."""
        self._check_needed(step)
        other = load_step(step)
        again = format_command(step, other.settings, self.config, has_model=other.is_apart_by("model"))
        return MissingStepError(what, where=path, hint=f"run {again} first")

    def _check_needed(self, step: str) -> None:
        assert step in self._needs, f"the step does not declare that it needs step={step}"
