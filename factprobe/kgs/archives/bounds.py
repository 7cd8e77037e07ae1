"""Bounds on what is read and written of an archive, so that a small one fills neither the memory nor the disk."""

from __future__ import annotations

import tarfile
import zipfile
from io import BufferedReader
from pathlib import Path
from typing import IO, NoReturn

from factprobe.errors import DataError
from factprobe.kgs.archives.download import GB

CHUNK = 1 << 20
"""Bytes that are read at once."""
FILES = 10_000
"""Members of an archive."""
_RATIO, _SLACK = 200, 1 << 26
"""How many times its size an archive may unpack to, with so many bytes more; text is seldom packed to a twentieth."""
_HEADER, _HEADERS = 1 << 16, 1 << 24
"""Bytes of one header of a tar archive, and of all of them."""
_DIRECTORY = 1 << 22
"""Bytes of the directory of a zip archive."""
_DISTRUST = "do not trust it"


class Allowance:
    """Bytes that may come of an archive.

    Args:
        archive: the archive.
        limit: gigabytes at most, whatever its size.
    """

    def __init__(self, archive: Path, limit: float) -> None:
        self._archive = archive
        by_size = _RATIO * archive.stat().st_size + _SLACK
        self._left = min(limit * GB, by_size)
        self._error = f"unpacks to more than {limit:g} GB", "if that is right, raise fetch.max_gb="
        if by_size < limit * GB:
            self._error = f"unpacks to more than {_RATIO} times its size", _DISTRUST

    def spend(self, count: int) -> None:
        """Take bytes from what is left.

        Raises:
            DataError: there are not as many.
        """
        self._left -= count
        if self._left < 0:
            what, hint = self._error
            raise DataError(what, where=self._archive, hint=hint)

    def refuse(self, what: str) -> NoReturn:
        """Refuse the archive, whatever is left.

        Raises:
            DataError: always.
        """
        raise DataError(what, where=self._archive, hint=_DISTRUST)


class TarStream:
    """A tar archive that is read from its front to its end, unpacked.

    tarfile reads a header in one piece, however long that says that it is.

    Args:
        file: the archive, unpacked while it is read.
        allowance: for all that is read, skipped or kept.
    """

    def __init__(self, file: IO[bytes], allowance: Allowance) -> None:
        self._file = file
        self._allowance = allowance
        self._place = 0
        self._headers = 0
        self.in_content = False
        """Whether what is read is the content of a member."""
        self.last = b""
        """What was read last."""

    def read(self, size: int = -1) -> bytes:
        """Read some bytes.

        Raises:
            DataError: they are of a header, or of headers, longer than any archive needs.
        """
        if not self.in_content:
            self._headers += max(size, 0)
            if not 0 <= size <= _HEADER or self._headers > _HEADERS:
                self._allowance.refuse("has longer headers than there may be")
        self.last = self._next(size)
        return self.last

    def tell(self) -> int:
        """Return how many bytes were read or skipped."""
        return self._place

    def seek(self, place: int) -> int:
        """Skip what stands before a place.

        Raises:
            ReadError: it was skipped before.
        """
        if place < self._place:
            raise tarfile.ReadError("it is damaged: a header leads back")
        while self._place < place and self._next(min(CHUNK, place - self._place)):
            pass
        return self._place

    def drain(self) -> None:
        """Read the rest: the checksum of what is compressed lies behind all of it."""
        while self._next(CHUNK):
            pass

    def _next(self, size: int) -> bytes:
        some = self._file.read(size)
        self._allowance.spend(len(some))
        self._place += len(some)
        return some


class ZipReader(BufferedReader):
    """A file of which zipfile reads the directory of a zip archive in one piece, if that is not too long."""

    def read(self, size: int | None = -1) -> bytes:
        """Read some bytes.

        Raises:
            BadZipFile: they are too many.
        """
        wanted = _DIRECTORY + 1 if size is None or size < 0 else size
        some = super().read(min(wanted, _DIRECTORY + 1))
        if len(some) > _DIRECTORY:
            raise zipfile.BadZipFile("its directory is longer than there may be")
        return some
