"""Copies of output folders."""

from __future__ import annotations

import shutil
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from factprobe.storage.layout import BEGUN


def copy_folder(source: Path, target: Path, linked: Collection[str] = ()) -> None:
    """Copy a folder without locks and temporary files; a missing folder gives an empty copy.

    Files in the subfolders named in `linked` become links to the originals if the system allows links.
    """
    target.mkdir()
    for path in sorted(source.rglob("*")) if source.is_dir() else ():
        parts = path.relative_to(source).parts
        if path.is_dir() or any(part.startswith(".") and not part.startswith(BEGUN) for part in parts):
            continue
        copy = target.joinpath(*parts)
        copy.parent.mkdir(parents=True, exist_ok=True)
        if parts[0] in linked:
            with suppress(OSError):  # links may not be allowed
                copy.symlink_to(path.absolute())
                continue
        shutil.copy2(path, copy)
