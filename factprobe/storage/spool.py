"""Temporary file for records between two passes over them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, Generic, TypeVar

import msgspec

from factprobe.storage.atomic_files import locate_disk_errors

T = TypeVar("T")


class Spool(Generic[T]):
    """Temporary file with named sections of records; sections are read in the order in which they were written."""

    def __init__(self, file: IO[bytes], record: type[T], folder: Path) -> None:
        self._file = file
        self._folder = folder
        self._encode = msgspec.json.Encoder().encode
        self._decode = msgspec.json.Decoder(record).decode
        self._sections: dict[str, tuple[int, int]] = {}

    def add(self, name: str, record: T) -> None:
        """Append a record to the section of this name, which must be new or the last one."""
        start, count = self._sections.get(name) or (self._file.tell(), 0)
        with locate_disk_errors(self._folder):
            self._file.write(self._encode(record) + b"\n")
        self._sections[name] = start, count + 1

    def read(self, name: str) -> Iterator[T]:
        """Yield the records of a section; sections must be read one after the other."""
        start, count = self._sections.get(name, (0, 0))
        with locate_disk_errors(self._folder):  # seeking writes what is buffered
            self._file.seek(start)
        return (self._decode(line) for line in islice(self._file, count))


@contextmanager
def spool(folder: Path, record: type[T]) -> Iterator[Spool[T]]:
    """Yield a spool in a folder; its file is removed at the end of the block, or if the process is killed."""
    from tempfile import TemporaryFile

    folder.mkdir(parents=True, exist_ok=True)
    with locate_disk_errors(folder):
        file = TemporaryFile(dir=folder)  # noqa: SIM115  # the block may fail on another disk
    try:
        yield Spool(file, record, folder)
    finally:
        with locate_disk_errors(folder):  # closing writes what is buffered
            file.close()
