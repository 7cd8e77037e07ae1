"""Protection of existing files in the output folder of `step=grade`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec.structs import replace

from factprobe.config import RunConfig, name_of, path_of
from factprobe.errors import ConfigError
from factprobe.inputs.reply_files import paths_of
from factprobe.metrics.breakdowns.base import breakdowns
from factprobe.steps.base import Run
from factprobe.steps.manifest import Manifest
from factprobe.storage import Layout, is_made, safe_name

_HINT = "set output_dir= to another folder"


def with_own_folder(config: RunConfig) -> RunConfig:
    """Name another output folder if the usual one has the grades of a file of the same name in another folder."""
    usual = f"outputs/{safe_name(name_of(config.inputs))}"
    if not config.inputs or config.output_dir != usual:
        return config
    inputs = [path.resolve() for name in config.inputs for path in paths_of(name)]
    before = [path.resolve() for path in Manifest(Layout(path_of(usual)).manifest).read_by("grade")]
    same_name = inputs and before and before[0].name == inputs[0].name
    if not same_name or not set(before).isdisjoint(inputs):
        return config
    return replace(config, output_dir=f"{usual}-{safe_name(inputs[0].parent.name)}")


def assert_free(run: Run, inputs: Sequence[Path], makes: Iterable[str]) -> None:
    """Raise a `ConfigError` if the step would overwrite anything but its own output for these replies.

    That is so if the output folder holds the files of a graph, one of the inputs under a name that the step `makes`, or
    what came of other replies.
    """
    layout = run.layout
    if is_made(layout.graph_summary):
        what = "holds the files of a graph, whose scores would be written over"
        raise ConfigError(what, where=layout.root, hint=_HINT)
    own = {*makes, layout.manifest.name, *(layout.breakdown(name).name for name in breakdowns.names())}
    for path in inputs:
        if path.name in own and path.resolve().parent == layout.root.resolve():
            raise ConfigError("is called as a file that step=grade writes there", where=path, hint=_HINT)
    before = run.manifest.read_by("grade")
    if before and {path.resolve() for path in before}.isdisjoint(path.resolve() for path in inputs):
        more = f" and {len(before) - 1:,} more" if before[1:] else ""
        what = f"holds the grades of other replies, those of {before[0]}{more}"
        raise ConfigError(what, where=layout.root, hint=f"{_HINT}, or delete it")
