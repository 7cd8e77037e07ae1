"""Locks that keep two processes from writing the same files."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from factprobe.errors import BusyError, ConfigError, DataError

LOCK = ".lock"
"""Name of a folder's lock file."""


@contextmanager
def hold_lock(path: Path, mode: Literal["read", "write"], wait: float = 0.0) -> Iterator[None]:
    """Hold a lock file: many processes may read, or one may write.

    The lock of a killed process is released.

    Args:
        path: the lock file; it is created if missing, with its folder, and stays.
        mode: whether other readers are allowed.
        wait: seconds to wait for the others.

    Raises:
        BusyError: another process holds it.
        ConfigError: the folder exists under a name that differs in capitals only; or it cannot be created or written.
        DataError: the file is not a lock file.
    """
    from filelock import ReadWriteLock, Timeout

    _make(path.parent)
    _assert_own(path.parent)
    try:
        lock = ReadWriteLock(path, timeout=wait, blocking=wait > 0, is_singleton=False)
        acquire = lock.acquire_read if mode == "read" else lock.acquire_write
        acquire()
    except Timeout as error:
        hint = "wait for it to end, stop it, or name another folder with output_dir="
        raise BusyError("another factprobe process works here", where=path.parent, hint=hint) from error
    except (sqlite3.Error, ValueError) as error:
        raise DataError(f"is no lock file: {error}", where=path, hint="delete it") from error
    try:
        yield
    finally:
        lock.close()


def _make(folder: Path) -> None:
    """Create a folder if it is missing.

    Raises:
        ConfigError: it cannot be created, or is not writable.
    """
    hint = "name another folder with output_dir="
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        file = next(path for path in (folder, *folder.parents) if path.exists())
        raise ConfigError("is a file, and no folder", where=file, hint=hint) from error
    except OSError as error:
        raise ConfigError(f"cannot be made: {error.strerror}", where=folder, hint=hint) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ConfigError("is a folder that you may not write to", where=folder, hint=hint)


def _assert_own(folder: Path) -> None:
    """Raise if the folder exists with other capitals, which macOS and Windows treat as the same folder."""
    found = folder.parent.iterdir() if os.access(folder.parent, os.R_OK) else ()
    alike = [path.name for path in found if path.name.casefold() == folder.name.casefold()]
    if alike and folder.name not in alike:
        what = f"is the folder of {alike[0]} on this disk, which does not tell capitals from small letters"
        raise ConfigError(what, where=folder, hint="choose a name that differs in more, as by model.name=")
