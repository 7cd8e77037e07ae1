"""Files that are written completely or not at all, and removal of temporary files of killed processes."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import randbelow
from time import time
from typing import IO, cast

from factprobe.errors import DataError

DISK_FULL_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Error numbers of a full disk, an exceeded quota and a file above the size limit."""

_TEMPORARY = re.compile(r"\..+\.\d+\.tmp")
_MAX_TRIES = 10
_ABANDONED_SECONDS = 24 * 3600.0
"""Seconds without a write after which a temporary file counts as abandoned."""


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """Yield a temporary file; at the end of the block it is renamed to `path`, or removed after an error.

    Raises:
        DataError: The path is a device, a pipe or a folder, which must not be replaced.
    """
    if path.exists() and not path.is_file():
        raise DataError("is not a regular file, and is not overwritten", where=path, hint="choose another path")
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary, file = _create_temporary(path)
    try:
        with locate_disk_errors(path), file:
            yield file
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _create_temporary(path: Path) -> tuple[Path, IO[bytes]]:
    """Create a temporary file with an unused name in the folder of `path`, and return its path and the open file.

    Existing files and links are never opened: another user may have placed a link to a file that must not be changed.
    """
    for _ in range(_MAX_TRIES):
        temporary = path.with_name(f".{path.name}.{os.getpid()}{randbelow(10**9):09}.tmp")
        with suppress(FileExistsError), locate_disk_errors(path):
            return temporary, temporary.open("xb", buffering=1 << 18)
    what = "its folder already has all names of temporary files"
    raise DataError(what, where=path, hint="choose a folder that only you can write to")


def open_without_links(path: Path, mode: str, buffering: int = -1) -> IO[bytes]:
    """Open a file in binary mode; raise a `DataError` if it is a link."""
    return cast("IO[bytes]", open(path, mode, buffering, opener=_open_unless_link))


def _open_unless_link(name: str, flags: int) -> int:
    try:
        return os.open(name, flags | getattr(os, "O_NOFOLLOW", 0), 0o666)  # the flag is missing on Windows
    except OSError as error:
        if error.errno != errno.ELOOP:
            raise
        what = "is a link, which may lead to any file, and is not written to"
        raise DataError(what, where=Path(name), hint="remove it; its folder may be a link") from error


def remove_temporary_files(folders: Iterable[Path], name: str = "*", age: float = _ABANDONED_SECONDS) -> None:
    """Remove temporary files of killed processes for files called `name`, which may have `*`, in some folders.

    They are at least `age` seconds old; 0 if a lock excludes other processes.
    """
    for folder in folders:
        for path in folder.glob(f".{name}.*.tmp"):
            with suppress(OSError):  # it was just renamed, or the folder is read-only
                if _TEMPORARY.fullmatch(path.name) and time() - path.stat().st_mtime >= age:
                    path.unlink()


@contextmanager
def locate_disk_errors(path: Path | str) -> Iterator[None]:
    """Add the path to errors of a full disk in the block, since the system does not name the file that was written."""
    try:
        yield
    except OSError as error:
        if error.errno in DISK_FULL_ERRORS and error.filename is None:
            error.filename = str(path)
        raise
