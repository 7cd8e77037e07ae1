"""Limits on reading and unpacking, so that a small archive cannot fill memory or disk."""

from __future__ import annotations

import tarfile
import zipfile
from io import BufferedReader
from pathlib import Path
from typing import IO, NoReturn

from factprobe.errors import DataError
from factprobe.kgs.archives.download import GB
from factprobe.storage import RATIO, most_unpacked

CHUNK = 1 << 20
"""Number of bytes that are read at once."""
FILES = 10_000
"""Maximum number of members of an archive."""
_MAX_HEADER, _MAX_HEADERS = 1 << 16, 1 << 24
"""Maximum number of bytes of one header of a tar archive, and of all its headers together."""
_MAX_DIRECTORY = 1 << 22
"""Maximum number of bytes of the directory of a zip archive."""
_DISTRUST = "do not trust it"


class Allowance:
    """Number of bytes that an archive may still unpack to: at first `limit` GB, or fewer if the archive is small."""

    def __init__(self, archive: Path, limit: float) -> None:
        self._archive = archive
        by_size = most_unpacked(archive)
        self._left = min(limit * GB, by_size)
        self._error = f"unpacks to more than {limit:g} GB", "if that is right, raise fetch.max_gb="
        if by_size < limit * GB:
            self._error = f"unpacks to more than {RATIO} times its size", _DISTRUST

    def spend(self, count: int) -> None:
        """Subtract bytes from the allowance; raise a `DataError` if it is used up."""
        self._left -= count
        if self._left < 0:
            what, hint = self._error
            raise DataError(what, where=self._archive, hint=hint)

    def refuse(self, what: str) -> NoReturn:
        """Raise a `DataError` for an archive that cannot be trusted; `what` is the message."""
        raise DataError(what, where=self._archive, hint=_DISTRUST)


class TarStream:
    """Decompressed tar archive that is read once, from start to end.

    The size of headers is limited, since tarfile reads as many bytes as a header claims to have.
    """

    def __init__(self, file: IO[bytes], allowance: Allowance) -> None:
        self._file = file
        self._allowance = allowance
        self._place = 0
        self._headers = 0
        self.in_content = False
        """True if the position is in the content of a member."""
        self.last = b""
        """Result of the last read."""

    def read(self, size: int = -1) -> bytes:
        """Read up to `size` bytes; refuse headers that are longer than any archive needs."""
        if not self.in_content:
            self._headers += max(size, 0)
            if not 0 <= size <= _MAX_HEADER or self._headers > _MAX_HEADERS:
                self._allowance.refuse("has headers that are too long")
        self.last = self._read_next(size)
        return self.last

    def tell(self) -> int:
        """Return the number of bytes read or skipped."""
        return self._place

    def seek(self, place: int) -> int:
        """Skip to a later position and return it; raise a `tarfile.ReadError` for an earlier one."""
        if place < self._place:
            raise tarfile.ReadError("the archive is damaged: a header points backwards")
        while self._place < place and self._read_next(min(CHUNK, place - self._place)):
            pass
        return self._place

    def drain(self) -> None:
        """Read the rest, so that the checksum at its end is verified."""
        while self._read_next(CHUNK):
            pass

    def _read_next(self, size: int) -> bytes:
        content = self._file.read(size)
        self._allowance.spend(len(content))
        self._place += len(content)
        return content


class ZipReader(BufferedReader):
    """File of a zip archive with limited reads, since zipfile reads the archive's directory in one piece."""

    def read(self, size: int | None = -1) -> bytes:
        """Read up to `size` bytes; raise a `BadZipFile` if they exceed the maximum length of a directory."""
        count = _MAX_DIRECTORY + 1 if size is None or size < 0 else size
        content = super().read(min(count, _MAX_DIRECTORY + 1))
        if len(content) > _MAX_DIRECTORY:
            raise zipfile.BadZipFile("its directory is too long")
        return content
