"""Copies of output folders."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path

from factprobe.storage.layout import BEGUN, LOG_FOLDERS


def copy_folder(source: Path, target: Path) -> None:
    """Copy an output folder without locks and temporary files; a missing folder gives an empty copy.

    Files become links to the originals if the system allows links, except those that steps change in place: logs of
    responses, and records of steps that have begun. All others are only replaced.
    """
    target.mkdir()
    for path in sorted(source.rglob("*")) if source.is_dir() else ():
        parts = path.relative_to(source).parts
        if path.is_dir() or any(part.startswith(".") and not part.startswith(BEGUN) for part in parts):
            continue
        copy = target.joinpath(*parts)
        copy.parent.mkdir(parents=True, exist_ok=True)
        if LOG_FOLDERS.isdisjoint(parts) and not path.name.startswith(BEGUN):
            with suppress(OSError):  # links may not be allowed
                copy.symlink_to(path.absolute())
                continue
        shutil.copy2(path, copy)
