"""Files that appear under their name when they are complete, and what a kill leaves of them."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from typing import IO

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""The errors of a full disk, of a quota and of a limit on the size of files."""

_TEMPORARY = re.compile(r"\..+\.\d+\.tmp")


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """A file to write that appears under its name when it is complete, and not at all on an error."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with named(path), _held(temporary) as file:
        try:
            yield file
            file.flush()
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)


def _held(path: Path) -> IO[bytes]:
    """Opens a file to write and locks it as long as it is open, so that nobody takes it for one that a kill left."""
    while True:
        file = path.open("wb", buffering=1 << 18)
        with suppress(OSError):  # a file system without locks; there nothing is ever taken for left
            flock(file, LOCK_EX)
        if path.exists() and os.path.samestat(os.fstat(file.fileno()), path.stat()):
            return file
        file.close()  # it was taken for one, between being made and being locked


def remove_left(folders: Iterable[Path]) -> None:
    """Removes the temporary files that kills have left in folders, and none that a process still writes."""
    for folder in folders:
        for path in folder.glob(".*.tmp"):
            with suppress(OSError):  # it is being written, it has just been renamed, or the folder may only be read
                if _TEMPORARY.fullmatch(path.name):
                    with path.open("rb") as file:
                        flock(file, LOCK_EX | LOCK_NB)
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
