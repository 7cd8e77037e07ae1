"""Records to files and back: JSON Lines in UTF-8, written whole or not at all."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import BufferedReader
from itertools import islice
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from factprobe.errors import DataError, require
from factprobe.storage.whole import whole_file

T = TypeVar("T")
log = logging.getLogger(__name__)

_LOGGED_PROBLEMS = 10

COMPRESSED = (".gz", ".bz2", ".zst")
"""The endings of compressed files."""

BOM = b"\xef\xbb\xbf"
"""The byte-order mark of UTF-8, which some editors put first."""

UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What reading JSON raises; the last is for what is nested a thousand deep."""

_encoder = msgspec.json.Encoder()
_AT_ONCE = 200
"""Records that are encoded together."""
_CRLF = "\r\n"
_FORMULA = re.compile("'*[=+\\-@＝＋－＠\t\r\n]")


class Problems:
    """The broken places of the input: skipped, counted and named, or with `strict` the end of the run."""

    def __init__(self, strict: bool = False, mend: str = "mend it, or run without strict=true to skip it") -> None:
        self.strict = strict
        self.mend = mend
        self.messages: list[str] = []

    def add(self, what: str, where: str) -> None:
        """Notes one broken place.

        Raises:
            DataError: with `strict`, at once.
        """
        if self.strict:
            raise DataError(what, where=where, mend=self.mend)
        self.note(f"{where}: {what}")

    def note(self, message: str) -> None:
        """Notes one that is put in words, and says the first ones."""
        self.messages.append(message)
        if len(self.messages) <= _LOGGED_PROBLEMS:
            log.warning("%s; skipped", message)
        elif len(self.messages) == _LOGGED_PROBLEMS + 1:
            log.warning("more lines are skipped; the manifest names them")


class Told(Problems):
    """Broken places that were named when the input was read before."""

    def add(self, what: str, where: str) -> None:
        """Says nothing again."""


class Untold(Problems):
    """Broken places that somebody else is to note."""

    def note(self, message: str) -> None:
        """Says nothing yet."""
        self.messages.append(message)


class Lines(Generic[T]):
    """A JSON Lines file read record by record.

    A byte-order mark, CRLF, empty lines or a missing last newline change nothing.
    """

    def __init__(self, path: Path, record: type[T], problems: Problems) -> None:
        self.path = path
        self.problems = problems
        self._decode = msgspec.json.Decoder(record).decode

    def __iter__(self) -> Iterator[T]:
        return (record for _, _, record in self._read())

    def numbered(self) -> Iterator[tuple[int, T]]:
        """The records with their line numbers, from 1.

        Raises:
            DataError: the file cannot be read or is UTF-16, or with `strict` a line is broken.
        """
        return ((number, record) for number, _, record in self._read())

    def placed(self) -> Iterator[tuple[int, T]]:
        """The records with the offset of their first byte; raises as `numbered` does."""
        return ((offset, record) for _, offset, record in self._read())

    def _read(self) -> Iterator[tuple[int, int, T]]:
        """The records with the number and the offset of their lines."""
        decode, end = self._decode, 0
        with open_utf8(self.path) as file:
            for number, line in enumerate(file, 1):
                offset, end = end, end + len(line)
                try:
                    record = decode(line.decode())
                except UNREADABLE:
                    yield from ((number, offset, odd) for odd in self._odd(line, number))
                else:
                    yield number, offset, record

    def _odd(self, line: bytes, number: int) -> Iterator[T]:
        """The record of a line that is more or less than its JSON; none of an empty one and of one that is broken."""
        import jsonlines

        reader = jsonlines.Reader([line.removeprefix(BOM) if number == 1 else line], loads=self._loads)
        try:
            yield reader.read(skip_empty=True)  # type: ignore[misc]  # jsonlines types what its own decoder returns
        except jsonlines.InvalidLineError as error:
            self.problems.add(f"broken line: {error.__cause__ or error}", f"{self.path}:{number}")
        except EOFError:
            return

    def _loads(self, line: str | bytes) -> T:
        try:
            return self._decode(line)
        except UNREADABLE as error:
            raise ValueError(str(error)) from None


@contextmanager
def open_utf8(path: Path) -> Iterator[BufferedReader]:
    """Opens a text file for reading bytes, one that is compressed by what its name ends in.

    Raises:
        DataError: it is not there, cannot be read, is UTF-16 or UTF-32, or is not compressed as its name says, or cut.
    """
    try:
        file = path.open("rb")
    except (OSError, ValueError) as error:  # a ValueError for a NUL in the name
        raise _unreadable(path, error) from error
    with file, _unpacked(path, file) as plain:
        try:
            start = plain.peek(4)[:4]
        except OSError as error:
            if plain is not file:
                raise  # what was packed is said of by itself
            raise _unreadable(path, error) from error
        if start[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in start:
            from shlex import quote

            name = quote(path.name)
            mend = f"convert it: iconv -f {_encoding(start)} -t UTF-8 {name} > utf8 && mv utf8 {name}"
            raise DataError("is UTF-16 or UTF-32, not UTF-8", where=path, mend=mend)
        yield plain


@contextmanager
def _unpacked(path: Path, file: BufferedReader) -> Iterator[BufferedReader]:
    """An open file, with what a compressed one holds."""
    if path.suffix.lower() not in COMPRESSED:
        yield file
        return
    from bz2 import BZ2File
    from gzip import GzipFile
    from zlib import error as zlib_error

    try:
        if path.suffix.lower() == ".zst":
            require("pyarrow", extra="rdf", where=str(path))
            from pyarrow import CompressedInputStream

            yield BufferedReader(CompressedInputStream(file, "zstd"))
        else:
            yield BufferedReader(GzipFile(fileobj=file) if path.suffix.lower() == ".gz" else BZ2File(file))
    except EOFError as error:
        raise DataError("is cut off", where=path, mend="copy or download it again") from error
    except (OSError, zlib_error) as error:
        if getattr(error, "errno", None) is not None:
            raise  # of the disk, wherever it came up
        what = f"is no {path.suffix} file, or broken: {error}"
        raise DataError(what, where=path, mend="name it by what it is, or copy it again") from error


def _unreadable(path: Path, error: Exception) -> DataError:
    return DataError(f"cannot be read: {getattr(error, 'strerror', None) or error}", where=path)


def _encoding(start: bytes) -> str:
    """What a file that starts so is in."""
    if start in (b"\xff\xfe\0\0", b"\0\0\xfe\xff"):
        return "UTF-32"
    if start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "UTF-16"
    wide = "32" if b"\0\0" in start else "16"
    return f"UTF-{wide}{'BE' if start[0] == 0 else 'LE'}"


def read_json(path: Path, record: type[T], mend: str | None = None) -> T:
    """Reads a file that is one JSON document; `mend` says what to do about a broken one.

    Raises:
        DataError: it cannot be read or does not hold such a record.
    """
    with open_utf8(path) as file:
        try:
            return msgspec.json.decode(file.read().removeprefix(BOM), type=record)
        except UNREADABLE as error:
            raise DataError(f"is broken: {error}", where=path, mend=mend) from error


def read_list(path: Path) -> list[msgspec.Raw]:
    """The JSON of each element of a file that is one list, so that what is wrong with one is not wrong with all.

    Raises:
        DataError: it cannot be read, or is no list.
    """
    with open_utf8(path) as file:
        content = file.read().removeprefix(BOM)
    try:
        return msgspec.json.decode(content, type=list[msgspec.Raw])
    except UNREADABLE as error:
        every = _tolerantly(content)
        if not isinstance(every, list):
            raise DataError(f"is broken: {error}", where=path) from error
        return [msgspec.Raw(json.dumps(one).encode()) for one in every]


def _tolerantly(content: bytes) -> Any:
    """JSON as the standard library reads it, with NaN and halves of characters; None where it cannot either."""
    with suppress(ValueError, RecursionError):
        return json.loads(content.decode(errors="surrogateescape"))
    return None


def write_lines(path: Path, records: Iterable[Any]) -> int:
    """Writes records as JSON Lines, whole; returns how many."""
    every, count = iter(records), 0
    with whole_file(path) as file:
        while some := list(islice(every, _AT_ONCE)):
            file.write(_encoder.encode_lines(some))  # in a fifth of the time that jsonlines takes one by one
            count += len(some)
    return count


def write_json(path: Path, record: Any, *, indent: bool = True) -> None:
    """Writes one record as a JSON document, whole; without `indent` on a single line, for what only programs read.

    Raises:
        DataError: it is nested a thousand deep.
    """
    try:
        document = _encoder.encode(record)
        document = msgspec.json.format(document, indent=2) if indent else document
    except RecursionError as error:  # of what was read a few levels deeper in the code
        raise DataError("holds what is nested too deep to be written again", where=path) from error
    with whole_file(path) as file:
        file.write(document + b"\n")


def write_csv(path: Path, rows: Sequence[msgspec.Struct]) -> None:
    """Writes records as a CSV table, whole, a column for each field.

    A record inside a record has a column for each of its fields, `<name>_<field>`, and its `estimate`, where it has
    one, stands under the name alone. None is empty; no text is a formula.
    """
    from csv import DictWriter

    lines = _Lines()
    flat = [_flat(row) for row in rows]
    writer = DictWriter(lines, fieldnames=flat[0] if flat else [], lineterminator=_CRLF)  # quotes what has either
    writer.writeheader()
    writer.writerows(flat)
    with whole_file(path) as file:
        file.writelines(f"{line.removesuffix(_CRLF)}\n".encode() for line in lines)


class _Lines(list[str]):
    """What is written, call by call."""

    write = list.append


def _flat(record: msgspec.Struct) -> dict[str, Any]:
    cells: dict[str, Any] = {}
    for name, value in msgspec.structs.asdict(record).items():
        inner = msgspec.structs.asdict(value) if isinstance(value, msgspec.Struct) else {"estimate": value}
        cells.update((name if key == "estimate" else f"{name}_{key}", _inert(cell)) for key, cell in inner.items())
    return cells


def _inert(cell: Any) -> Any:
    """A cell that no spreadsheet takes for a formula: an apostrophe goes before a text that may be one.

    One more goes before a text that begins as if one had been put there, so that taking one away gives each text back.
    """
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell


def file_hash(path: Path) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal."""
    from hashlib import file_digest

    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
