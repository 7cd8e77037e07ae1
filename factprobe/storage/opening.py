"""Opening of text files in UTF-8, which may be compressed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from io import BufferedReader, RawIOBase
from pathlib import Path
from shlex import quote
from typing import IO, Any, cast

from factprobe.errors import DataError, require

COMPRESSED = (".gz", ".bz2", ".zst")
"""Endings of compressed files."""
RATIO, _SLACK = 200, 1 << 26
"""Maximum size of decompressed content: `RATIO` times the compressed size, plus `_SLACK` bytes."""
_MAX_CHECKED_BYTES = 1 << 31
"""Maximum decompressed size at which a file is decompressed once in advance, only to check its size."""
_BUFFER_BYTES = 1 << 16
BOM = b"\xef\xbb\xbf"
"""Byte-order mark that some editors write at the start of UTF-8."""
_BOMS = re.compile(rb"(?:\xef\xbb\xbf)*")

_BINARY = {
    b"PK\x03\x04": "a zip archive, as workbooks of Excel are",
    b"\xd0\xcf\x11\xe0": "an old document of Office, as workbooks of Excel are",
    b"\x1f\x8b": "compressed by gzip",
}
"""Descriptions of files that are not text, by their first bytes."""


def binary_kind(start: bytes) -> str | None:
    """Return a description of the file that begins with these bytes, e.g. `a zip archive`; None if it may be text."""
    return next((kind for sign, kind in _BINARY.items() if start.startswith(sign)), None)


def to_utf8(name: str) -> str:
    """Return the hint on how to convert a file to UTF-8."""
    command = f"iconv -f CP1252 -t UTF-8 {quote(name)} > {quote(f'utf8-{name}')}"
    return f"save it as UTF-8, or convert it from its encoding, such as Windows-1252: {command}"


def strip_bom(text: bytes) -> bytes:
    """Return a text without the byte-order marks at its start; concatenated files may have several."""
    return _BOMS.sub(b"", text, count=1) if text.startswith(BOM) else text


@contextmanager
def open_utf8(path: Path) -> Iterator[BufferedReader]:
    """Open a text file for reading bytes, without byte-order marks; `.gz`, `.bz2` and `.zst` are decompressed.

    Raises:
        DataError: The file is missing, unreadable, UTF-16 or UTF-32, not text, cut off, too large when decompressed,
            or not compressed in the way that its ending says.
    """
    try:
        file = cast(BufferedReader, path.open("rb", buffering=_BUFFER_BYTES))
    except (OSError, ValueError) as error:  # a NUL in the name is a ValueError
        raise _unreadable_error(path, error) from error
    with file, _open_decompressed(path, file) as plain:
        try:
            start = plain.peek(4)[:4]
        except OSError as error:
            if plain is not file:
                raise  # errors of decompression are handled below
            raise _unreadable_error(path, error) from error
        if kind := binary_kind(start):
            raise DataError(f"is {kind}, not text", where=path, hint="save it as text, or a table as CSV in UTF-8")
        if len(start) == 4 and not any(start):
            hint = "copy it, or make it again: a crash or a full disk leaves such files"
            raise DataError("begins with NUL bytes", where=path, hint=hint)
        if start[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in start:
            name = quote(path.name)
            hint = f"convert it: iconv -f {_bom_encoding(start)} -t UTF-8 {name} > utf8 && mv utf8 {name}"
            raise DataError("is UTF-16 or UTF-32, not UTF-8", where=path, hint=hint)
        while plain.peek(len(BOM)).startswith(BOM):
            plain.read(len(BOM))
        yield plain


def most_unpacked(path: Path) -> int:
    """Return the maximum size in bytes that a compressed file may have when decompressed."""
    return RATIO * path.stat().st_size + _SLACK


class _BoundedReader(RawIOBase):
    """Stream of the decompressed content of a file; it raises an error above the maximum size."""

    def __init__(self, path: Path, unpacked: IO[bytes]) -> None:
        self._path, self._unpacked, self._max_size = path, unpacked, most_unpacked(path)
        self._position = 0

    def readable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def readinto(self, buffer: Any) -> int:
        content = self._unpacked.read(len(buffer))
        self._position += len(content)
        if self._position > self._max_size:
            what = f"unpacks to more than {RATIO} times its size"
            raise DataError(what, where=self._path, hint="if you trust it, unpack it")
        buffer[: len(content)] = content
        return len(content)


@contextmanager
def _open_decompressed(path: Path, file: BufferedReader) -> Iterator[BufferedReader]:
    """Yield the file itself, or a reader of the decompressed content if the file is compressed."""
    if path.suffix.lower() not in COMPRESSED:
        yield file
        return
    from zlib import error as zlib_error

    try:
        if most_unpacked(path) <= _MAX_CHECKED_BYTES:
            status = path.stat()
            _check_size(path, status.st_mtime_ns, status.st_size)
        yield BufferedReader(_BoundedReader(path, _decompressed_file(path, file)), _BUFFER_BYTES)
    except EOFError as error:
        raise DataError("is cut off", where=path, hint="copy or download it again") from error
    except (OSError, zlib_error) as error:
        if getattr(error, "errno", None) is not None:
            raise  # a disk error
        what = f"is not a {path.suffix} file, or broken: {error}"
        raise DataError(what, where=path, hint="correct its ending, or copy it again") from error


@lru_cache(maxsize=64)
def _check_size(path: Path, _changed: int, _size: int) -> None:
    """Decompress a file once, to raise the error for a too large one before it is parsed.

    The unused parameters make the cache forget a changed file.
    """
    with (
        path.open("rb") as file,
        BufferedReader(_BoundedReader(path, _decompressed_file(path, file)), _BUFFER_BYTES) as plain,
    ):
        while plain.read(_BUFFER_BYTES):
            pass


def _decompressed_file(path: Path, file: BufferedReader) -> IO[bytes]:
    from bz2 import BZ2File
    from gzip import GzipFile

    if path.suffix.lower() == ".zst":
        require("pyarrow", extra="rdf", where=str(path))
        from pyarrow import CompressedInputStream

        return cast("IO[bytes]", CompressedInputStream(file, "zstd"))
    return cast("IO[bytes]", GzipFile(fileobj=file) if path.suffix.lower() == ".gz" else BZ2File(file))


def _unreadable_error(path: Path, error: Exception) -> DataError:
    return DataError(f"cannot be read: {getattr(error, 'strerror', None) or error}", where=path)


def _bom_encoding(start: bytes) -> str:
    """Return the encoding of a text in UTF-16 or UTF-32 by its byte-order mark, or else by its NUL bytes."""
    if start in (b"\xff\xfe\0\0", b"\0\0\xfe\xff"):
        return "UTF-32"
    if start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "UTF-16"
    wide = "32" if b"\0\0" in start else "16"
    return f"UTF-{wide}{'BE' if start[0] == 0 else 'LE'}"
