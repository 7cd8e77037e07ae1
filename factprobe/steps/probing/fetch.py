"""The step `fetch`: download of the full data of a graph."""

from __future__ import annotations

from msgspec.structs import replace

from factprobe.config import KgConfig, fetched_dir, user_cache
from factprobe.errors import ConfigError, DataError
from factprobe.factories import build_kg
from factprobe.kgs import KnowledgeGraph, kgs
from factprobe.kgs.archives.download import Archive, fetch, store_checksum
from factprobe.kgs.archives.unpacking import is_occupied, remove_abandoned_folders, unpack, whole_folder
from factprobe.steps.base import Lock, Run, Step, StepResult, shared_lock
from factprobe.storage import DeferredProblems
from factprobe.text import format_count

_MAX_WAIT = 3600.0
"""Seconds to wait for another process that makes the same download."""


def fetch_data(run: Run) -> StepResult:
    """Download the archive of a graph, and unpack it where the graph reads its data.

    Raises:
        ConfigError: No archive is known for the graph.
        DataError: The folder in `kg.data_dir` is in use already, or the archive is not valid.
    """
    config, folder, archive = run.config.kg, fetched_dir(run.config.kg), _graph_archive(run)
    remove_abandoned_folders(folder)
    if is_occupied(folder):
        if config.data_dir is None:
            return StepResult(f"is there already, remove it to fetch the data anew → {folder}", [], None)
        raise DataError("is there already", where=folder, hint="set kg.data_dir= to another folder, or remove it")
    digest = fetch(archive)
    with whole_folder(folder) as temporary:
        files = unpack(archive.path, config.archive.paths, temporary, archive.limit)
        _check_readable(replace(config, data_dir=str(temporary)), archive)
    store_checksum(archive, digest)
    counts = {"url": archive.url, "sha256": digest, "bytes": archive.path.stat().st_size, "files": files}
    return StepResult(f"{format_count(files, 'file')}, which kg={config.name} reads from now on → {folder}", [], counts)


def _graph_archive(run: Run) -> Archive:
    """Return the archive of the graph; raise a `ConfigError` if none is known."""
    archive, own = run.config.kg.archive, run.config.fetch
    if own.url is None and archive.url is None:
        hint = "name one with fetch.url=, or get the data as their licence says, and name them with kg.data_dir="
        raise ConfigError(f"no archive is known for kg={run.config.kg.name}", where="step=fetch", hint=hint)
    sha256 = own.sha256 or (archive.sha256 if own.url is None else None)
    return Archive(own.url or archive.url or "", sha256, user_cache() / "archives", own.max_gb)


def _check_readable(config: KgConfig, archive: Archive) -> None:
    """Raise a `DataError` if the graph reads a folder and finds no facts there."""
    if not issubclass(kgs.get(config.adapter or config.name), KnowledgeGraph):
        return
    try:
        build_kg(config, DeferredProblems()).with_facts()
    except DataError as error:
        what = f"holds no data that kg={config.name} reads: {error.what}"
        hint = "name what it has with kg.archive.paths=[...], or its layout with kg.adapter="
        raise DataError(what, where=archive.path, hint=hint) from error


STEP = Step(
    run=fetch_data,
    makes=(),
    elsewhere=("<kg.data_dir>/<file>",),
    settings=("kg", "fetch"),
    locks=lambda run: [*shared_lock(run), Lock(_graph_archive(run).with_ending(".lock"), "write", _MAX_WAIT)],
)
