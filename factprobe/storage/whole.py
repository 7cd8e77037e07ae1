"""Files that appear under their name when they are complete, and what a kill leaves of them."""

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
"""The errors of a full disk, of a quota and of a limit on the size of files."""

_TEMPORARY = re.compile(r"\..+\.\d+\.tmp")
_TRIES = 10
_LEFT = 24 * 3600.0
"""Seconds: nobody takes so long from one write to the next."""


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """A file to write that appears under its name when it is complete, and not at all on an error.

    Raises:
        DataError: what stands there is no file, and must not be replaced by one: a device, a pipe, a folder.
    """
    if path.exists() and not path.is_file():
        raise DataError("is no regular file, and is not written over", where=path, hint="name another place")
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary, file = _temporary(path)
    try:
        with named(path), file:
            yield file
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _temporary(path: Path) -> tuple[Path, IO[bytes]]:
    """Make a file beside another, of a name that nobody has taken.

    Whoever else may write to the folder may have put a link there, which would lead to a file of the user's.
    """
    for _ in range(_TRIES):
        temporary = path.with_name(f".{path.name}.{os.getpid()}{randbelow(10**9):09}.tmp")
        with suppress(FileExistsError), named(path):
            return temporary, temporary.open("xb", buffering=1 << 18)
    raise DataError("others take every name beside it", where=path, hint="name a place that only you can write to")


def open_no_link(path: Path, mode: str) -> IO[bytes]:
    """Open a file of the user's own in binary mode, which must not be a link to another one.

    Raises:
        OSError: it is.
    """
    flag = getattr(os, "O_NOFOLLOW", 0)  # which Windows lacks
    return cast("IO[bytes]", open(path, mode, opener=lambda name, flags: os.open(name, flags | flag, 0o666)))


def remove_left(folders: Iterable[Path], name: str = "*", age: float = _LEFT) -> None:
    """Removes the temporary files that kills have left in folders, and none that a process still writes.

    Args:
        folders: these.
        name: which files they would have become; `*` stands for anything.
        age: for how many seconds nobody has written them; 0 where a lock keeps other processes out.
    """
    for folder in folders:
        for path in folder.glob(f".{name}.*.tmp"):
            with suppress(OSError):  # it has just been renamed, or the folder may only be read
                if _TEMPORARY.fullmatch(path.name) and time() - path.stat().st_mtime >= age:
                    path.unlink()


@contextmanager
def named(place: Path | str) -> Iterator[None]:
    """Has the error of a full disk tell where it was, which that of a write to an open file does not."""
    try:
        yield
    except OSError as error:
        if error.errno in NO_ROOM and error.filename is None:
            error.filename = str(place)
        raise
