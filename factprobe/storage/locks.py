"""Keeps two processes from writing the same files."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from factprobe.errors import BusyError, DataError

LOCK = ".lock"
"""The name of the file that stands for a folder."""


@contextmanager
def hold(path: Path, mode: Literal["read", "write"], wait: float = 0.0) -> Iterator[None]:
    """Holds what a lock file stands for: many processes may read it, or one may write.

    A killed process holds nothing any more.

    Args:
        path: the lock file; it is made where it is missing, with its folder, and stays.
        mode: whether other readers may be there too.
        wait: seconds to wait for the others.

    Raises:
        BusyError: another process is there.
        DataError: what lies under the name is no lock file.
    """
    from filelock import ReadWriteLock, Timeout

    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        lock = ReadWriteLock(path, timeout=wait, blocking=wait > 0, is_singleton=False)
        acquire = lock.acquire_read if mode == "read" else lock.acquire_write
        acquire()
    except Timeout as error:
        mend = "wait for it to end, stop it, or name another folder with output_dir="
        raise BusyError("another factprobe process works here", where=path.parent, mend=mend) from error
    except (sqlite3.Error, ValueError) as error:
        raise DataError(f"is no lock file: {error}", where=path, mend="delete it") from error
    try:
        yield
    finally:
        lock.close()
