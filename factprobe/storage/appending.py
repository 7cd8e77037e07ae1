"""JSON Lines files that grow record by record, and lose no record if the process is killed."""

from __future__ import annotations

import os
from collections.abc import Callable
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import IO

from factprobe.storage.atomic_files import locate_disk_errors, open_without_links
from factprobe.storage.json_files import UNREADABLE, decode_json
from factprobe.storage.opening import strip_bom


def append_line(path: Path, line: bytes, *, sync: bool = False) -> None:
    """Append a line without buffering, so that it is not lost if the process is killed.

    With `sync` it is not lost in a power failure either. A missing file or folder is created.

    Raises:
        OSError: The line cannot be written, e.g. since the disk is full; the file is then as before.
    """
    unwritten = memoryview(line + b"\n")
    with locate_disk_errors(path), _open_for_append(path) as file:
        end = file.tell()
        try:
            while unwritten:
                unwritten = unwritten[file.write(unwritten) :]
            if sync:
                os.fsync(file.fileno())
        except OSError:
            file.truncate(end)
            raise


def repair_last_line(path: Path, decode: Callable[[bytes], object]) -> None:
    """Drop an incomplete last line, as a killed process leaves it, or add a missing newline to a complete one.

    `decode` raises one of the errors in `UNREADABLE` if a line is incomplete. A missing file is left alone.
    """
    if not path.exists() or path.stat().st_size == 0:
        return
    with open_without_links(path, "r+b") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
        start = content.rfind(b"\n") + 1
        last = content[start:]
    if not last:
        return
    try:
        decode_json(strip_bom(last), decode)
    except UNREADABLE:
        os.truncate(path, start)
    else:
        with locate_disk_errors(path), open_without_links(path, "ab") as ended:
            ended.write(b"\n")


def _open_for_append(path: Path) -> IO[bytes]:
    try:
        return open_without_links(path, "ab", buffering=0)
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        return open_without_links(path, "ab", buffering=0)
