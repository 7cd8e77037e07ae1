"""Marks of files that a step replaces, so that the files of a step that did not finish are not taken for its result.

A mark is a file in the folder of the files that it names, and so moves with them and goes with them.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from factprobe.storage.json_files import read_json, write_json

_MARK = "unfinished.json"
_HINT = "delete it, and run the step that makes the files of its folder again"


def is_unfinished(path: Path) -> bool:
    """Return whether a step has begun to replace this file among others, and has not finished."""
    mark = path.with_name(_MARK)
    return mark.exists() and path.name in _read_mark(mark)


class Replacement:
    """Replacement of files by a step, which marks them until it has finished.

    Files that an earlier step left marked, and that this step does not replace, stay marked. Later steps read the files
    in `paths`, and those in `others` only with them.
    """

    def __init__(self, paths: Iterable[Path], others: Iterable[Path] = ()) -> None:
        names: dict[Path, set[str]] = {}
        for path in paths:
            names.setdefault(path.with_name(_MARK), set()).add(path.name)
        self._names = names
        self._before = {mark: _read_mark(mark) for mark in names}
        files = [*(mark.with_name(name) for mark in names for name in names[mark]), *others]
        self._versions = {path: _version(path) for path in files}

    def begin(self) -> None:
        """Mark the files."""
        for mark, names in self._names.items():
            _write_mark(mark, self._before[mark] | names)

    def finish(self) -> None:
        """Remove the marks of the files."""
        for mark, names in self._names.items():
            _write_mark(mark, self._before[mark] - names)

    def cancel(self) -> None:
        """Restore the marks as they were before, unless a file has been replaced."""
        if all(_version(path) == version for path, version in self._versions.items()):
            with suppress(OSError):  # the error that ended the step takes precedence
                for mark, names in self._before.items():
                    _write_mark(mark, names)


def _version(path: Path) -> tuple[int, int] | None:
    """Return inode and time of a file, which differ after it was replaced; None if it is missing."""
    with suppress(OSError):
        status = path.stat()
        return status.st_ino, status.st_mtime_ns
    return None


def _read_mark(mark: Path) -> set[str]:
    return read_json(mark, set[str], _HINT) if mark.exists() else set()


def _write_mark(mark: Path, names: set[str]) -> None:
    if names:
        write_json(mark, sorted(names))
    else:
        mark.unlink(missing_ok=True)
