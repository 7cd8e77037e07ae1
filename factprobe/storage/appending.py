"""Files of JSON lines that grow record by record and survive a kill."""

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
    """Append a line, which has reached the operating system on return, so that a killed process does not lose it.

    With `sync` it has reached the disk, so that a power failure does not lose it either. File and folder are created if
    missing.

    Raises:
        OSError: The line cannot be written, e.g. since the disk is full; the file then ends at the line before.
    """
    left = memoryview(line + b"\n")
    with locate_disk_errors(path), _open_for_append(path) as file:
        end = file.tell()
        try:
            while left:
                left = left[file.write(left) :]
            if sync:
                os.fsync(file.fileno())
        except OSError:
            file.truncate(end)
            raise


def repair_last_line(path: Path, decode: Callable[[bytes], object]) -> None:
    """Drop an incomplete last line from a kill, or add a missing newline.

    `decode` raises one of the errors `UNREADABLE` if a line is incomplete. The file may be missing.
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
