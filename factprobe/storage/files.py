"""Records to JSON files and back, in UTF-8, written whole or not at all."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from factprobe.errors import DataError
from factprobe.storage.opening import open_utf8, without_bom
from factprobe.storage.problems import Problems
from factprobe.storage.whole import whole_file

T = TypeVar("T")

UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What reading JSON raises; the last is for what is nested a thousand deep."""

_encoder = msgspec.json.Encoder()
_NO_NUMBER = re.compile(rb"\b(?:NaN|Infinity)\b")
_AT_ONCE = 200
"""Records that are encoded together."""


class Lines(Generic[T]):
    """A JSON Lines file read record by record.

    Byte-order marks, CRLF, empty lines or a missing last newline change nothing.
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
        decode = self._decode
        with open_utf8(self.path) as file:
            end = file.tell()
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

        reader = jsonlines.Reader([without_bom(line)], loads=self._loads)
        try:
            yield reader.read(skip_empty=True)  # type: ignore[misc]  # jsonlines types what its own decoder returns
        except jsonlines.InvalidLineError as error:
            self.problems.add(f"broken line: {error.__cause__ or error}", f"{self.path}:{number}")
        except EOFError:
            return

    def _loads(self, line: str | bytes) -> T:
        try:
            return decoded(line.encode() if isinstance(line, str) else line, self._decode)
        except UNREADABLE as error:
            raise ValueError(why_unreadable(line, error)) from None


def decoded(content: bytes, decode: Callable[[bytes], T]) -> T:
    """What JSON holds, with null for NaN and the infinities, which Python writes and JSON has no words for.

    Raises:
        MsgspecError: it is broken; of `UNREADABLE`, what `decode` raises.
    """
    try:
        return decode(content)
    except msgspec.DecodeError:
        if not _NO_NUMBER.search(content):
            raise
        with suppress(ValueError, RecursionError):  # or it is broken elsewhere, too
            return decode(json.dumps(json.loads(content, parse_constant=lambda _: None)).encode())
        raise


def read_json(path: Path, record: type[T], hint: str | None = None) -> T:
    """Reads a file that is one JSON document; `hint` says what to do about a broken one.

    Raises:
        DataError: it cannot be read or does not hold such a record.
    """
    with open_utf8(path) as file:
        try:
            return decoded(file.read(), msgspec.json.Decoder(record).decode)
        except UNREADABLE as error:
            raise DataError(f"is broken: {error}", where=path, hint=hint) from error


def why_unreadable(encoded: str | bytes | msgspec.Raw, error: Exception) -> str:
    """What is wrong with JSON that was not read; of half a character `error` says that it ends too early."""
    every = _tolerantly(bytes(encoded.encode() if isinstance(encoded, str) else encoded), "strict")
    try:
        json.dumps(every, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return "holds half a character (a lone surrogate)"
    return str(error)


def read_list(path: Path) -> list[msgspec.Raw]:
    """The JSON of each element of a file that is one list, so that what is wrong with one is not wrong with all.

    Raises:
        DataError: it cannot be read, or is no list.
    """
    with open_utf8(path) as file:
        content = file.read()
    try:
        return msgspec.json.decode(content, type=list[msgspec.Raw])
    except UNREADABLE as error:
        every = _tolerantly(content)
        if not isinstance(every, list):
            raise DataError(f"is broken: {error}", where=path) from error
        return [msgspec.Raw(_encoded(one)) for one in every]


def _tolerantly(content: bytes, errors: str = "surrogateescape") -> Any:
    """JSON as the standard library reads it, with NaN and halves of characters; None where it cannot either."""
    with suppress(ValueError, RecursionError):
        return json.loads(content.decode(errors=errors))
    return None


def _encoded(record: Any) -> bytes:
    """JSON as it was before `_tolerantly`, with its halves of characters or its bytes that are no UTF-8."""
    try:
        return json.dumps(record, ensure_ascii=False).encode(errors="surrogateescape")
    except UnicodeEncodeError:
        return json.dumps(record).encode()


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


def file_hash(path: Path) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal."""
    from hashlib import file_digest

    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
