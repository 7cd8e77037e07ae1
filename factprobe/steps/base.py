"""What a step declares of itself, and what the steps of one run share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cached_property
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from msgspec import Struct

from factprobe.asking.unanswered import Unanswered
from factprobe.config import RunConfig, path_of, plain
from factprobe.errors import BusyError, FactprobeError, MissingStepError, UnknownNameError, listed
from factprobe.records import GraphSummary, RelationCount
from factprobe.relations import picked
from factprobe.steps.commands import command
from factprobe.steps.manifest import OWN_FOLDER, Manifest
from factprobe.steps.origins import Origins
from factprobe.storage import Layout, Problems, made, read_json
from factprobe.storage.locks import LOCK, hold
from factprobe.workers import Workers, cores

if TYPE_CHECKING:
    from factprobe.models import Model

NAMED = 100
"""How many broken lines or questions that cannot be made the manifest names."""

ASK_AGAIN = "step=answer asks them again"
"""What to do about questions without an answer that another step meets."""

CALLS = ("cache", "cache_dir", "dry_run", "max_cost_usd")
"""The settings of a step that asks a model."""

STALE = "asks about other facts than are extracted now"
"""What is wrong with questions whose relation was extracted anew."""

_POLL, _PATIENCE = 0.5, 3600.0
_MADE = "made by another job of this sweep"


class Done(NamedTuple):
    """What a step did."""

    message: str
    inputs: list[Path]
    counts: dict[str, Any] | None
    """For the manifest; None where nothing was done."""
    outputs: Sequence[Path] = ()
    """The files made of the inputs, where later steps ask whether they are still up to date."""
    unanswered: Sequence[Unanswered] = ()
    """Of each model that the step has to do with, how many questions have no answer."""
    lacks: str = ""
    """What is wrong with all that was made, though the models answered, and what to do about it."""
    is_dry: bool = False
    """Whether nothing was made, so that there is nothing for the steps behind."""
    notes: Sequence[str] = ()
    """Lines about the output, printed below the message if the step runs alone; in `step=all` the report has them."""


class Lock(NamedTuple):
    """A lock file that a step holds while it runs."""

    path: Path
    mode: Literal["read", "write"]
    """`read` where several processes may be there."""
    wait: float = 0.0
    """Seconds to wait for the others, if the run itself has less patience."""


class SweepClaim(NamedTuple):
    """Files that the jobs of a sweep may make with the same settings only."""

    output: Path
    what: str
    """What a job does there, for the error."""
    settings: Mapping[str, Any]
    """Those that change the files."""
    hint: str = OWN_FOLDER
    """What to do; `SETTING` stands for the one that differs."""


def reading(run: Run) -> list[Lock]:
    """The lock of a step that reads what lies in the output folder, beside others that do."""
    return [Lock(run.layout.lock, "read")]


def writing(run: Run, folder: Path) -> list[Lock]:
    """The same with the lock of a folder that nobody else writes meanwhile."""
    return [*reading(run), Lock(folder / LOCK, "write")]


def making(run: Run) -> list[Lock]:
    """The lock of a step that makes what others read in the output folder, and keeps them out."""
    return [Lock(run.layout.lock, "write")]


def nothing(_: Run) -> list[Any]:
    """No locks, or no claims."""
    return []


class Step(Struct, frozen=True, kw_only=True):
    """What is to be known of a step: how it runs, and what locks, sweeps, manifest and errors go by."""

    run: Callable[[Run], Done]
    """Does it; its locks are held."""
    needs: tuple[str, ...] = ()
    """The steps whose files it reads."""
    makes: tuple[str, ...]
    """Its files under the output folder, `<...>` standing for names."""
    settings: tuple[str, ...]
    """The settings that it goes by, but for those of every run."""
    once: bool = False
    """Whether the first job of a sweep makes its files for all, which then must have the same settings."""
    locks: Callable[[Run], list[Lock]] = reading
    sweep_claims: Callable[[Run], list[SweepClaim]] = nothing
    """What else the jobs of a sweep must not do with other settings."""

    def is_apart_by(self, group: str) -> bool:
        """Whether the names of its files tell the generators, or the models, apart."""
        return any(f"<{group}>" in path for path in self.makes)


def declared(name: str) -> Step:
    """The step of a name that `STEPS` has."""
    step: Step = import_module(f"factprobe.steps.{name}").STEP
    return step


class Run:
    """What the steps of one run share.

    Args:
        config: its settings.
        sweep: when the sweep that it is a job of began, in seconds since 1970, or None for a run of its own.
    """

    def __init__(self, config: RunConfig, sweep: float | None = None) -> None:
        self.config = config
        self.layout = Layout(path_of(config.output_dir))
        self.problems = Problems(config.strict)
        self.manifest = Manifest(self.layout.manifest, sweep)
        self.sweep = sweep
        self.usd = 0.0
        """What the steps so far have spent, in US dollars."""
        self.kept_of: set[str] = set()
        """The models of which it was said that `cache=refresh` keeps the responses that are there."""
        self.warned_of: set[tuple[str, str]] = set()
        """Printed warnings about truncated, filtered or refused replies, each with the name of its model."""
        self.patience = 0.0 if sweep is None else _PATIENCE
        """Seconds to wait for other processes: in a sweep these are its other jobs."""
        self._needs: tuple[str, ...] = ()
        """Those of the step that is performed."""

    @property
    def workers(self) -> Workers:
        """How many processes may work on its relations: one in a sweep, whose jobs are what runs at once, and where
        tracebacks are shown, the first of each kind."""
        return 1 if self.sweep is not None or self.config.debug else self.config.workers or cores()

    @cached_property
    def model(self) -> Model:
        """The model that is examined; nothing of it is loaded yet."""
        from factprobe.building import build_model

        return build_model(self.config.model)

    @property
    def names(self) -> tuple[str, str]:
        """Whose questions and whose responses it is about: the generator and the examined model."""
        return self.config.generator["name"], self.model.name

    @cached_property
    def _generated(self) -> Origins:
        return self.manifest.origins("generate")

    def perform(self, name: str) -> Done:
        """Runs a step as it is declared, and enters it into the manifest.

        Raises:
            BusyError: another process holds what the step needs for itself.
            ConfigError: another job of the sweep makes the same files with other settings.
            FactprobeError: what the step itself raises.
        """
        step = declared(name)
        self._needs = step.needs
        self.manifest.start()
        for claim in step.sweep_claims(self):
            self.manifest.claim(*claim)
        with self._held(name, step) as made:
            done = Done(_MADE, [], None) if made else step.run(self)
            if done.counts is not None:  # while nobody else can make the same files for want of the entry
                self.manifest.add(name, plain(self.config), done.inputs, done.counts, done.outputs)
        return done

    @contextmanager
    def _held(self, name: str, step: Step) -> Iterator[bool]:
        """Holds the locks of a step; gives True where another job of the same sweep has made its files."""
        waits = step.once and self.sweep is not None  # while others hold them, one may make the files
        patient_until = monotonic() + self.patience
        while not self._is_made(name, step):
            with ExitStack() as stack:
                try:
                    for lock in step.locks(self):
                        wait = max(_POLL if waits else self.patience, lock.wait)
                        stack.enter_context(hold(lock.path, lock.mode, wait))
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
        config = plain(self.config)
        generator = config["generator"]["name"] if step.is_apart_by("generator") else None
        return self.manifest.holds(name, {setting: config[setting] for setting in step.settings}, generator)

    def relations(self) -> list[RelationCount]:
        """The extracted relations that the run is about.

        Raises:
            MissingStepError: nothing was extracted yet.
            UnknownNameError: a relation is picked that was not extracted.
        """
        if graphs := [layout for layout in self.layout.graphs() if layout.root != self.layout.root]:
            folders = listed([str(layout.root) for layout in graphs])
            hint = f"name one of them with output_dir=: {folders}"
            raise MissingStepError("holds the folders of graphs, and is none itself", where=self.layout.root, hint=hint)
        summary = read_json(self.need("extract", self.layout.graph_summary), GraphSummary)
        known = {found.relation: found for found in summary.relations}
        for name in self.config.picked or ():
            if name not in known:
                raise self.unextracted(name, summary)
        return [known[name] for name in picked(self.config, known)]

    def unextracted(self, name: str, summary: GraphSummary) -> FactprobeError:
        """The error for a relation that is picked and was not extracted, whether or not the graph has it."""
        from factprobe.building import build_kg

        config, extracted = self.config, [found.relation for found in summary.relations]
        if "/" in name and {step.lstrip("^") for step in name.split("/")} <= {*extracted}:
            hint = f"run step=extract with compose=[{name}]"
            return MissingStepError(f"the composition {name} is not extracted", where="relations", hint=hint)
        with suppress(FactprobeError):  # the graph may be gone; what was extracted is still there
            graph = build_kg(config.kg).by_name()
            if name in graph and graph.keys() >= {found.relation for found in summary.relations if not found.path}:
                wanted = [other for other in graph if other in (*extracted, *(config.picked or ()))]
                limit = config.limit or summary.limit
                again = self._command("extract", relations=wanted, limit=limit)
                return MissingStepError(f"the relation {name} is not extracted", where="relations", hint=f"run {again}")
        return UnknownNameError(f"relation of {config.kg.name}", name, extracted)

    def need(self, step: str, path: Path) -> Path:
        """A file of an earlier step.

        Raises:
            MissingStepError: it is not there.
        """
        self._assert_needed(step)
        if not made(path):
            raise self.missing(step, path)
        return path

    def questions(self, relation: str) -> Path:
        """The questions of a relation, made of the facts that are extracted now.

        Raises:
            MissingStepError: they are not there, or were made of others.
        """
        path = self.need("generate", self.layout.questions(self.config.generator["name"], relation))
        if self.are_stale(path, relation):
            raise self.missing("generate", path, STALE)
        return path

    def are_stale(self, questions: Path, relation: str) -> bool:
        """Whether the questions of a relation were made of other facts than are extracted now."""
        return self._generated.is_stale(questions, self.layout.summary(relation))

    def missing(self, step: str, path: Path, what: str = "is not there") -> MissingStepError:
        """The error for a file that an earlier step would have made."""
        self._assert_needed(step)
        return MissingStepError(what, where=path, hint=f"run {self._command(step)} first")

    def _command(self, name: str, **changed: Any) -> str:
        """The command of another step with these settings."""
        step = declared(name)
        return command(name, step.settings, self.config, has_model=step.is_apart_by("model"), **changed)

    def _assert_needed(self, step: str) -> None:
        assert step in self._needs, f"the step does not declare that it needs step={step}"
