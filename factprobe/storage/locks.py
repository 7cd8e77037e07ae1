"""Locks that prevent two processes from writing the same files."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from factprobe.errors import BusyError, ConfigError, DataError

LOCK_FILE = ".lock"
"""Name of the lock file of a folder."""


@contextmanager
def hold_lock(path: Path, mode: Literal["read", "write"], wait: float = 0.0) -> Iterator[None]:
    """Hold a lock on a file during the block: many processes may read at once, but only one may write.

    The lock of a killed process is released.

    Args:
        path: Path of the lock file; the file and its folder are created if missing, and kept.
        mode: `read` to share the lock with other readers, `write` to exclude others.
        wait: Maximum number of seconds to wait for other processes.

    Raises:
        BusyError: Another process holds the lock.
        ConfigError: The folder exists under a name that differs only in case, or cannot be created or written.
        DataError: The file is not a lock file.
    """
    from filelock import ReadWriteLock, Timeout

    _make_folder(path.parent)
    _check_case_conflict(path.parent)
    try:
        lock = ReadWriteLock(path, timeout=wait, blocking=wait > 0, is_singleton=False)
        acquire = lock.acquire_read if mode == "read" else lock.acquire_write
        acquire()
    except Timeout as error:
        hint = "wait for it to end, stop it, or set output_dir= to another folder"
        raise BusyError("another factprobe process works here", where=path.parent, hint=hint) from error
    except (sqlite3.Error, ValueError) as error:
        raise DataError(f"is not a lock file: {error}", where=path, hint="delete it") from error
    try:
        yield
    finally:
        lock.close()


def _make_folder(folder: Path) -> None:
    """Create a folder if it is missing; raise a `ConfigError` if it cannot be created or written."""
    hint = "set output_dir= to another folder"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        file = next(path for path in (folder, *folder.parents) if path.exists())
        raise ConfigError("is a file, not a folder", where=file, hint=hint) from error
    except OSError as error:
        raise ConfigError(f"cannot be created: {error.strerror}", where=folder, hint=hint) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ConfigError("is a folder without write permission", where=folder, hint=hint)


def _check_case_conflict(folder: Path) -> None:
    """Raise an error if a folder exists whose name differs only in case; on macOS and Windows it is the same folder."""
    siblings = folder.parent.iterdir() if os.access(folder.parent, os.R_OK) else ()
    others = [path.name for path in siblings if path.name.casefold() == folder.name.casefold()]
    if others and folder.name not in others:
        what = f"is the folder of {others[0]} on this disk, which ignores the case of letters"
        hint = "choose a name that differs in more than case, for example with model.name="
        raise ConfigError(what, where=folder, hint=hint)
