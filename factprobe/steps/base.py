"""What the steps share: the settings and files of a run, and what a step tells when it is done."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from factprobe.config import RunConfig
from factprobe.errors import MissingStepError, UnknownNameError
from factprobe.records import GraphSummary, RelationCount
from factprobe.storage import Layout, Problems, read_json

NAMED = 100
"""How many broken lines or questions that cannot be made the manifest names."""


class Done(NamedTuple):
    """What a step did."""

    message: str
    inputs: list[Path]
    counts: dict[str, Any]


class Run:
    """What the steps of one run share."""

    def __init__(self, config: RunConfig) -> None:
        self.config = config
        self.layout = Layout(Path(config.output_dir).expanduser())
        self.problems = Problems(config.strict)

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


def picked(config: RunConfig, known: Iterable[str]) -> list[str]:
    names = list(known)
    for name in config.picked or ():
        if name not in names:
            raise UnknownNameError(f"relation of {config.kg.name}", name, names)
    return names if config.picked is None else [name for name in names if name in config.picked]


def missing(step: str, path: Path, config: RunConfig) -> MissingStepError:
    model = f" model={config.model.get('name') or config.model['backend']}" if step in ("answer", "evaluate") else ""
    return MissingStepError("is not there", where=path, mend=f"run step={step} kg={config.kg.name}{model} first")
