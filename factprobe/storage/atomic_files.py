"""Files that get their name only when complete, and removal of those that killed processes left."""

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

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Errors of a full disk, a quota and a limit on file sizes."""

_TEMPORARY = re.compile(r"\..+\.\d+\.tmp")
_TRIES = 10
_LEFT = 24 * 3600.0
"""Seconds without a write after which a temporary file is taken to be abandoned."""


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """Yield a file that gets its name when complete and is removed on an error.

    Raises:
        DataError: the path is a device, a pipe or a folder, which must not be replaced.
    """
    if path.exists() and not path.is_file():
        raise DataError("is no regular file, and is not written over", where=path, hint="name another place")
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary, file = _temporary(path)
    try:
        with locate_disk_errors(path), file:
            yield file
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _temporary(path: Path) -> tuple[Path, IO[bytes]]:
    """Create a file in the same folder, under an unused name.

    Another user of the folder may have put a link there, which would lead to a file of the user's.
    """
    for _ in range(_TRIES):
        temporary = path.with_name(f".{path.name}.{os.getpid()}{randbelow(10**9):09}.tmp")
        with suppress(FileExistsError), locate_disk_errors(path):
            return temporary, temporary.open("xb", buffering=1 << 18)
    raise DataError("others take every name beside it", where=path, hint="name a place that only you can write to")


def open_without_links(path: Path, mode: str, buffering: int = -1) -> IO[bytes]:
    """Open a file in binary mode unless it is a link.

    Raises:
        DataError: it is a link.
    """
    return cast("IO[bytes]", open(path, mode, buffering, opener=_open_unless_link))


def _open_unless_link(name: str, flags: int) -> int:
    try:
        return os.open(name, flags | getattr(os, "O_NOFOLLOW", 0), 0o666)  # the flag is missing on Windows
    except OSError as error:
        if error.errno != errno.ELOOP:
            raise
        what = "is a link, which may lead to any file, and is not written to"
        raise DataError(what, where=Path(name), hint="remove it; its folder may be a link") from error


def remove_temporary_files(folders: Iterable[Path], name: str = "*", age: float = _LEFT) -> None:
    """Remove the temporary files of killed processes, but none that is still being written.

    Args:
        folders: the folders to clean.
        name: the names of the files that they would have become; `*` is a wildcard.
        age: seconds since the last write; 0 if a lock excludes other processes.
    """
    for folder in folders:
        for path in folder.glob(f".{name}.*.tmp"):
            with suppress(OSError):  # it was just renamed, or the folder is read-only
                if _TEMPORARY.fullmatch(path.name) and time() - path.stat().st_mtime >= age:
                    path.unlink()


@contextmanager
def locate_disk_errors(place: Path | str) -> Iterator[None]:
    """Add the place to the error of a full disk, which a write to an open file does not give."""
    try:
        yield
    except OSError as error:
        if error.errno in NO_ROOM and error.filename is None:
            error.filename = str(place)
        raise
