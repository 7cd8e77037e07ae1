"""Recorded hashes of the inputs of output files, by which stale files are detected."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec import Struct

from factprobe.errors import BusyError, format_list
from factprobe.storage import GradedFolder, Layout, file_hash, is_unfinished
from factprobe.storage.locks import LOCK_FILE, hold_lock

log = logging.getLogger(__name__)

_MAX_NAMED = 3
"""Maximum number of files that a warning names."""

UNFINISHED = "has files of a step={step} that has not finished"
"""Message for the folder of a step that was stopped while it replaced files, or that another process runs."""


class ManifestEntry(Struct, frozen=True):
    """Entry of a step in the manifest, with the fields that are used; entries of older versions may lack some."""

    step: str = ""
    """Name of the step; only entries in `history` have it."""
    config: dict[str, Any] = {}
    inputs: dict[str, str] = {}
    outputs: dict[str, str] = {}
    counts: Any = None
    sweep: float | None = None

    @property
    def is_whole(self) -> bool:
        """True if the step finished; False if it was interrupted while it asked a model."""
        return not (isinstance(self.counts, dict) and "stopped" in self.counts)


class Origins:
    """Recorded hashes of the inputs of each output file of a step, by which stale files are detected."""

    def __init__(self, root: Path, entries: Iterable[ManifestEntry]) -> None:
        self._root = root
        self._inputs: dict[tuple[str, str], list[dict[str, list[tuple[str, str]]]]] = {}
        for entry in entries:
            inputs: dict[str, list[tuple[str, str]]] = {}
            for path, digest in entry.inputs.items():
                inputs.setdefault(Path(path).name, []).append((path, digest))
            for path, digest in entry.outputs.items():
                self._inputs.setdefault((Path(path).name, digest), []).append(inputs)

    def is_stale(self, made_file: Path, *sources: Path) -> bool:
        """Return whether a file was made from other versions of its sources; False for a file that is not recorded.

        Sources are compared by content and by path below the output folder, since this folder may have moved.
        """
        found = self._inputs_of(made_file)
        now = [(source.relative_to(self._root).parts, file_hash(source)) for source in sources] if found else []
        return bool(found) and not any(all(_is_among(inputs, *source) for source in now) for inputs in found)

    def has_changed(self, made_file: Path) -> bool:
        """Return whether any input of a file has changed; False for a file that is not recorded."""
        runs = self._inputs_of(made_file)
        return bool(runs) and not any(
            all(self._is_unchanged(path, digest) for named in inputs.values() for path, digest in named)
            for inputs in runs
        )

    def _inputs_of(self, made_file: Path) -> list[dict[str, list[tuple[str, str]]]]:
        return self._inputs.get((made_file.name, file_hash(made_file)), []) if self._inputs else []

    def _is_unchanged(self, path: str, digest: str) -> bool:
        """Return whether the file is unchanged at its recorded path, or at the same path in a moved output folder."""
        parts = Path(path).parts
        places = [*(self._root.joinpath(*parts[-depth:]) for depth in range(2, len(parts) + 1)), Path(path)]
        now = next((place for place in places if place.exists()), None)
        return now is not None and file_hash(now) == digest


def _is_among(inputs: Mapping[str, list[tuple[str, str]]], below: tuple[str, ...], digest: str) -> bool:
    """Return whether the inputs contain a file with this digest whose path ends in `below`."""
    return any(
        digest == other and Path(path).parts[-len(below) :] == below for path, other in inputs.get(below[-1], ())
    )


@contextmanager
def grade_staleness(
    layout: Layout, origins: Origins, *, in_sweep: bool
) -> Iterator[Callable[[GradedFolder, str, Path], bool]]:
    """Yield a function that returns whether a file of grades is missing or stale; log warnings at the end of the block.

    Grades are stale if the relation summary has changed, or if a step that makes them or their questions has not
    finished; newer answers only give a warning. Grades by other rules (`compat`) are also stale if questions or answers
    have changed. Missing grades give a warning if there are answers. No warning is given about grades that are missing,
    or that another process is making, if this run is a job of a sweep.
    """
    from factprobe.asking.log import ResponseLog

    messages: dict[str, None] = {}
    ungraded: dict[Path, list[str]] = {}
    """Names of missing files of grades, by folder."""

    def is_left_out(folder: GradedFolder, relation: str, grades: Path) -> bool:
        answers = ResponseLog(folder.responses(relation)).files()
        questions = folder.questions(relation)
        if is_unfinished(questions):
            what = f"{UNFINISHED.format(step='generate')}, and grades of these questions are left out"
            messages[f"{questions.parent}: {what}; run step=generate again"] = None
            return True
        if is_unfinished(grades) and ((is_running := _is_locked(folder.folder)) or is_unfinished(grades)):
            if not (is_running and in_sweep):
                compat = "" if grades.parent == folder.folder else f" compat={grades.parent.name}"
                hint = "run this step again when it has ended" if is_running else f"run step=evaluate{compat} again"
                what = f"{UNFINISHED.format(step='evaluate')}, and is left out"
                messages[f"{grades.parent}: {what}; {hint}"] = None
            return True
        if not grades.exists():
            if answers and questions.exists() and not in_sweep:
                ungraded.setdefault(grades.parent, []).append(grades.name)
            return True
        if origins.is_stale(grades, layout.summary(relation)):
            what = "graded by other facts or templates than are extracted now, and left out"
            messages[f"{grades.parent}: {what}; run step=all with this model again"] = None
            return True
        if grades != folder.grades(relation):
            sources = [path for path in (questions, *answers) if path.exists()]
            if origins.is_stale(grades, *sources):
                what = "are of other questions or answers than there are now, and left out"
                messages[f"{grades.parent}: {what}; run step=evaluate compat={grades.parent.name} again"] = None
                return True
        elif origins.is_stale(grades, *answers):
            messages[f"{grades.parent}: there are newer answers than those graded; run step=evaluate again"] = None
        return False

    yield is_left_out
    for path, names in ungraded.items():
        what = f"has no {format_list(names, _MAX_NAMED)}, though there are answers to grade"
        messages[f"{path}: {what}; run step=evaluate with this model"] = None
    for line in messages:
        log.warning("%s", line)


def _is_locked(folder: Path) -> bool:
    """Return whether a process is writing the files of a folder."""
    try:
        with hold_lock(folder / LOCK_FILE, "read"):
            return False
    except BusyError:
        return True
