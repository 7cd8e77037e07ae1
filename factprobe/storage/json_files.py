"""Reading and writing of records as JSON in UTF-8; files are written completely or not at all."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, Generic, TypeVar

import msgspec

from factprobe.errors import DataError
from factprobe.storage.atomic_files import whole_file
from factprobe.storage.opening import open_utf8, strip_bom
from factprobe.storage.problems import Problems

T = TypeVar("T")

UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""Errors of decoding JSON; `RecursionError` occurs at a thousand levels of nesting."""

_encoder = msgspec.json.Encoder()
_NOT_FINITE = re.compile(rb"\b(?:NaN|Infinity)\b")
_BATCH_SIZE = 32
"""Number of records that are encoded together; few enough to stay in the processor's cache."""


class Lines(Generic[T]):
    """Iterable of the records of a JSON Lines file, which is read record by record.

    Byte-order marks, CRLF, empty lines and a missing last newline are accepted; with `strict`, a broken line raises a
    `DataError`, as a file does that cannot be read or is UTF-16. `infinities` has texts that replace `NaN`, `Infinity`
    or `-Infinity`; those that are missing become null.
    """

    def __init__(
        self, path: Path, record: type[T], problems: Problems, infinities: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        self.path = path
        self.problems = problems
        self._infinities = infinities
        self._decode = msgspec.json.Decoder(record).decode

    def __iter__(self) -> Iterator[T]:
        return (record for _, _, record in self._read_records())

    def numbered(self) -> Iterator[tuple[int, T]]:
        """Yield each record after the number of its line, from 1."""
        return ((number, record) for number, _, record in self._read_records())

    def with_offsets(self) -> Iterator[tuple[int, T]]:
        """Yield each record after the offset of its line in bytes."""
        return ((offset, record) for _, offset, record in self._read_records())

    def _read_records(self) -> Iterator[tuple[int, int, T]]:
        """Yield number and offset of each line, and its record."""
        decode = self._decode
        with open_utf8(self.path) as file:
            end = file.tell()
            for number, line in enumerate(file, 1):
                offset, end = end, end + len(line)
                try:
                    line.decode()  # msgspec skips unknown keys unchecked; it decodes text more slowly than bytes
                    record = decode(line)
                except UNREADABLE:
                    yield from ((number, offset, odd) for odd in self._read_odd_line(line, number))
                else:
                    yield number, offset, record

    def _read_odd_line(self, line: bytes, number: int) -> Iterator[T]:
        """Yield the record of a line that the strict decoder rejects; nothing if the line is empty or broken."""
        import jsonlines

        reader = jsonlines.Reader([strip_bom(line)], loads=self._decode_line)
        try:
            yield reader.read(skip_empty=True)  # type: ignore[misc]  # jsonlines types what its own decoder returns
        except jsonlines.InvalidLineError as error:
            self.problems.add(f"broken line: {error.__cause__ or error}", f"{self.path}:{number}")
        except EOFError:
            return

    def _decode_line(self, line: str | bytes) -> T:
        try:
            return decode_json(line.encode() if isinstance(line, str) else line, self._decode, self._infinities)
        except UNREADABLE as error:
            raise ValueError(why_unreadable(line, error)) from None


class UniqueLines(Lines[T]):
    """Iterable of the records of a JSON Lines file in which no two have one `key`; a repeated one is broken."""

    def __init__(self, path: Path, record: type[T], problems: Problems, key: Callable[[T], Hashable]) -> None:
        super().__init__(path, record, problems)
        self._key = key

    def _read_records(self) -> Iterator[tuple[int, int, T]]:
        seen: set[int] = set()
        for number, offset, record in super()._read_records():
            if (hashed := hash(self._key(record))) in seen:
                self.problems.add("broken line: it repeats the record of an earlier one", f"{self.path}:{number}")
                continue
            seen.add(hashed)
            yield number, offset, record


def decode_json(
    content: bytes, decode: Callable[[bytes], T], infinities: Mapping[str, str] = MappingProxyType({})
) -> T:
    """Decode JSON in UTF-8 that may have NaN and infinities, which Python writes although JSON has none.

    The strict decoder `decode` raises a `MsgspecError`, or another error of `UNREADABLE`, for broken JSON. `infinities`
    has texts that replace `NaN`, `Infinity` or `-Infinity`; those that are missing become null.
    """
    try:
        return decode(content)
    except msgspec.DecodeError:
        if not _NOT_FINITE.search(content):
            raise
        with suppress(ValueError, RecursionError):  # it may be broken elsewhere, too
            return decode(json.dumps(json.loads(content, parse_constant=infinities.get)).encode())
        raise


def read_json(path: Path, record: type[T], hint: str | None = None) -> T:
    """Read a file that is one JSON document; raise a `DataError` with `hint` if it is unreadable or of another type."""
    with open_utf8(path) as file:
        try:
            return decode_json(file.read(), msgspec.json.Decoder(record).decode)
        except UNREADABLE as error:
            raise DataError(f"is broken: {error}", where=path, hint=hint) from error


def read_summary(path: Path, record: type[T]) -> T:
    """Read a summary that `step=extract` has written; raise a `DataError` if it is unreadable."""
    return read_json(path, record, "run step=extract again")


def why_unreadable(encoded: str | bytes | msgspec.Raw, error: Exception) -> str:
    """Return the reason of a decoding error, also for a lone surrogate, which `error` reports as truncated text."""
    value = _parse_leniently(bytes(encoded.encode() if isinstance(encoded, str) else encoded), "strict")
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return "holds half a character (a lone surrogate)"
    return str(error)


def read_list(path: Path) -> list[msgspec.Raw]:
    """Read a file that is one JSON list, and return the JSON of each element, so that each can be decoded by itself.

    Raises:
        DataError: The file cannot be read, or is not a list.
    """
    with open_utf8(path) as file:
        content = file.read()
    try:
        return msgspec.json.decode(content, type=list[msgspec.Raw])
    except UNREADABLE as error:
        value = _parse_leniently(content)
        if not isinstance(value, list):
            raise DataError(f"is broken: {error}", where=path) from error
        return [msgspec.Raw(_encode_leniently(item)) for item in value]


def _parse_leniently(content: bytes, errors: str = "surrogateescape") -> Any:
    """Parse JSON with the standard library, which accepts NaN and lone surrogates; return None if it is broken."""
    with suppress(ValueError, RecursionError):
        return json.loads(content.decode(errors=errors))
    return None


def _encode_leniently(record: Any) -> bytes:
    """Encode a value from `_parse_leniently`; it may have lone surrogates and bytes that are not UTF-8."""
    try:
        return json.dumps(record, ensure_ascii=False).encode(errors="surrogateescape")
    except UnicodeEncodeError:
        return json.dumps(record).encode()


def write_lines(path: Path, records: Iterable[Any]) -> int:
    """Write records as JSON Lines, completely or not at all, and return their number."""
    value, count = iter(records), 0
    with whole_file(path) as file:
        while batch := list(islice(value, _BATCH_SIZE)):
            file.write(_encoder.encode_lines(batch))  # takes a fifth of the time of jsonlines
            count += len(batch)
    return count


def write_json(path: Path, record: Any, *, indent: bool = True) -> None:
    """Write a record as JSON, without `indent` on one line; raise a `DataError` at a thousand levels of nesting."""
    try:
        document = _encoder.encode(record)
        document = msgspec.json.format(document, indent=2) if indent else document
    except RecursionError as error:  # for values that were read at a lower call depth
        raise DataError("cannot be written, since a value is nested too deep", where=path) from error
    with whole_file(path) as file:
        file.write(document + b"\n")


def short_hash(value: object) -> str:
    """Return a hash of the JSON of a value, as 16 hexadecimal digits."""
    from hashlib import blake2b

    return blake2b(msgspec.json.encode(value, order="deterministic"), digest_size=8).hexdigest()


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, in hexadecimal."""
    from hashlib import file_digest

    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
