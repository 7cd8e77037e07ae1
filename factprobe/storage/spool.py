"""Records set aside on disk between two passes over them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, Generic, TypeVar

import msgspec

from factprobe.storage.whole import named

T = TypeVar("T")


class Spool(Generic[T]):
    """Records in a file, which are read in the order in which they were written.

    Args:
        file: an open one, empty.
        record: their type.
    """

    def __init__(self, file: IO[bytes], record: type[T]) -> None:
        self._file = file
        self._encode = msgspec.json.Encoder().encode
        self._decode = msgspec.json.Decoder(record).decode
        self._sections: dict[str, tuple[int, int]] = {}

    def add(self, name: str, record: T) -> None:
        """Sets a record aside under a name; one name is done before the next is begun."""
        start, count = self._sections.get(name) or (self._file.tell(), 0)
        self._file.write(self._encode(record) + b"\n")
        self._sections[name] = start, count + 1

    def through(self, name: str, records: Iterable[T]) -> Iterator[T]:
        """The records, set aside under a name as they pass."""
        for record in records:
            self.add(name, record)
            yield record

    def read(self, name: str) -> Iterator[T]:
        """The records of a name; one name is read before the next."""
        start, count = self._sections.get(name, (0, 0))
        self._file.seek(start)
        return (self._decode(line) for line in islice(self._file, count))


@contextmanager
def spool(folder: Path, record: type[T]) -> Iterator[Spool[T]]:
    """A spool in a folder, of which nothing is left at the end of the block or after a kill."""
    from tempfile import TemporaryFile

    folder.mkdir(parents=True, exist_ok=True)
    with named(folder), TemporaryFile(dir=folder) as file:
        yield Spool(file, record)
