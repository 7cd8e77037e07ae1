"""What the steps share: the settings and files of a run, and what a step tells when it is done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple

from factprobe.config import RunConfig, plain
from factprobe.errors import BusyError, MissingStepError, UnknownNameError
from factprobe.records import GraphSummary, RelationCount
from factprobe.steps.manifest import Manifest
from factprobe.storage import Layout, Problems, read_json
from factprobe.storage.locks import LOCK, hold

NAMED = 100
"""How many broken lines or questions that cannot be made the manifest names."""

_POLL, _PATIENCE = 0.5, 3600.0


class Done(NamedTuple):
    """What a step did."""

    message: str
    inputs: list[Path]
    counts: dict[str, Any] | None
    """For the manifest; None where nothing was done."""


class Run:
    """What the steps of one run share.

    Args:
        config: its settings.
        sweep: when the sweep that it is a job of began, in seconds since 1970, or None for a run of its own.
    """

    def __init__(self, config: RunConfig, sweep: float | None = None) -> None:
        self.config = config
        self.layout = Layout(Path(config.output_dir).expanduser())
        self.problems = Problems(config.strict)
        self.manifest = Manifest(self.layout.manifest, sweep)
        self.sweep = sweep
        self.usd = 0.0
        """What the steps so far have spent, in US dollars."""
        self.patience = 0.0 if sweep is None else _PATIENCE
        """Seconds to wait for other processes: in a sweep these are its other jobs."""

    def relations(self) -> list[RelationCount]:
        """The extracted relations that the run is about.

        Raises:
            MissingStepError: nothing was extracted yet.
            UnknownNameError: a relation is picked that was not extracted.
        """
        if not self.layout.graph_summary.exists():
            raise missing("extract", self.layout.graph_summary, self.config)
        known = {found.relation: found for found in read_json(self.layout.graph_summary, GraphSummary).relations}
        return [known[name] for name in picked(self.config, known)]

    @contextmanager
    def making(self, step: str) -> Iterator[bool]:
        """Holds the output folder for a step that makes what others read.

        Gives True where another job of the same sweep has made just that; in a sweep the jobs wait for each other.

        Raises:
            BusyError: another process works there.
            ConfigError: another job of the sweep has made something else there.
        """
        with ExitStack() as stack:
            made = held = self._made(step)
            while not held:
                try:
                    stack.enter_context(hold(self.layout.lock, "write", 0 if self.sweep is None else _POLL))
                    held = True
                except BusyError:
                    if self.sweep is None:
                        raise
                made = self._made(step)
                held = held or made
            yield made

    @contextmanager
    def using(self, output: Path | None = None, mode: Literal["read", "write"] = "write") -> Iterator[None]:
        """Holds the output folder for a step that reads what others made, and the folder of its own output.

        Args:
            output: where the step writes, if others may write elsewhere at the same time.
            mode: `read` where several processes write there, each its own files.

        Raises:
            BusyError: another process works there.
        """
        with ExitStack() as stack:
            stack.enter_context(hold(self.layout.lock, "read", self.patience))
            if output is not None:
                stack.enter_context(hold(output / LOCK, mode, self.patience))
            yield

    def _made(self, step: str) -> bool:
        return self.manifest.holds(step, plain(self.config))


def picked(config: RunConfig, known: Iterable[str]) -> list[str]:
    """Those of the known relations that the settings name, or all of them.

    Raises:
        UnknownNameError: one of them is not known.
    """
    names = list(known)
    for name in config.picked or ():
        if name not in names:
            raise UnknownNameError(f"relation of {config.kg.name}", name, names)
    return names if config.picked is None else [name for name in names if name in config.picked]


def missing(step: str, path: Path, config: RunConfig) -> MissingStepError:
    """The error for a file that an earlier step would have made."""
    model = f" model={config.model.get('name') or config.model['backend']}" if step in ("answer", "evaluate") else ""
    return MissingStepError("is not there", where=path, mend=f"run step={step} kg={config.kg.name}{model} first")
