"""Tables of replies: JSON Lines, JSON lists, CSV and Parquet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from factprobe.errors import DataError, require
from factprobe.inputs.base import Input, Record
from factprobe.storage import (
    UNREADABLE,
    DeferredProblems,
    Lines,
    csv_rows,
    decode_json,
    open_utf8,
    read_list,
    strip_bom,
    why_unreadable,
)
from factprobe.text import format_count

_START_BYTES = 1 << 16
"""Number of bytes, from the start of a file, in which at least one record is expected."""


class Json(Input):
    """Input format of JSON Lines, or of one JSON list of records."""

    suffixes: ClassVar[tuple[str, ...]] = (".jsonl", ".ndjson", ".json")
    infinities: ClassVar[Mapping[str, str]] = {}
    """Texts that replace `NaN`, `Infinity` and `-Infinity`, by these names; those that are missing become null."""
    table_hint: ClassVar[str] = "if it is a table, set input_format=csv"
    """Hint of the error for a file without JSON objects."""

    def is_list(self) -> bool:
        """Return whether the file is one list of records."""
        return _start_of(self.path).startswith(b"[")

    def records(self) -> Iterator[tuple[str, Record]]:
        """Yield the records."""
        if self._has_lists():
            hint = "write each record as an object, with a name for each value"
            raise DataError("has lists, not objects", where=self.path, hint=hint)
        if self.is_list():
            for number, encoded in enumerate(read_list(self.path), 1):
                where = f"{self.path}, record {number}"
                try:
                    record = decode_json(bytes(encoded), msgspec.json.decode, self.infinities)
                except UNREADABLE as error:
                    self.problems.add(f"broken record: {why_unreadable(encoded, error)}", where)
                    continue
                if isinstance(record, dict):
                    yield where, record
                else:
                    self.problems.add(f"broken record: of the type {type(record).__name__}, not an object", where)
        else:
            self._check_lines()
            lines = Lines(self.path, dict[str, Any], self.problems, self.infinities).numbered()
            yield from ((f"{self.path}:{number}", record) for number, record in lines)

    def count(self) -> int | None:
        """Return the number of lines of JSON Lines, or of records in a list."""
        if self.is_list():
            return len(read_list(self.path))
        with open_utf8(self.path) as file:
            return sum(1 for _ in file)

    def _check_lines(self) -> None:
        """Raise a `DataError` if the first lines have no JSON objects, or one object over several lines."""
        with open_utf8(self.path) as file:
            start = file.read(_START_BYTES)
        lines = [line for line in start.split(b"\n") if line.strip()]
        if len(start) == _START_BYTES:
            lines = lines[:-1]  # the last line may be incomplete
        if len(lines) < (3 if len(start) == _START_BYTES else 1) or any(map(_is_record, lines)):
            return
        if not lines[0].lstrip().startswith(b"{"):
            raise DataError("holds no JSON objects", where=self.path, hint=self.table_hint)
        if len(lines) > 1 and not lines[0].rstrip().endswith(b"}"):
            hint = "write its records as a list, or on one line each, as jq -c does"
            raise DataError("is one object over several lines", where=self.path, hint=hint)

    def _has_lists(self) -> bool:
        """Return whether the records are lists of values instead of objects."""
        with open_utf8(self.path) as file:
            first = next(filter(None, map(bytes.strip, file)), b"")
        a_line = self.path.suffix.lower() != ".json" and first.startswith(b"[") and first.endswith(b"]")
        return first.replace(b" ", b"").startswith(b"[[") or (a_line and not first.startswith(b"[{"))


def _start_of(path: Path) -> bytes:
    """Return the first bytes of a file, without leading white space."""
    with open_utf8(path) as file:
        blocks = iter(lambda: file.read(_START_BYTES), b"")
        return next(filter(None, (block.lstrip(b" \t\r\n") for block in blocks)), b"")


def _is_record(line: bytes) -> bool:
    try:
        return isinstance(decode_json(strip_bom(line), msgspec.json.decode), dict)
    except UNREADABLE:
        return False


class Csv(Input):
    """Input format of tables with a header line; cells are separated by commas, semicolons, tabs or bars."""

    suffixes: ClassVar[tuple[str, ...]] = (".csv", ".tsv")

    def records(self) -> Iterator[tuple[str, Record]]:
        """Yield the records."""
        if _start_of(self.path).startswith(b"{"):
            raise DataError("is JSON, not CSV", where=self.path, hint="set input_format=json")
        rows = csv_rows(self.path, self.problems)
        head = self._head(next(rows, (1, []))[1])
        for number, row in rows:
            if not any(map(str.strip, row)):
                continue  # spreadsheets leave blank rows at the end
            where = f"{self.path}:{number}"
            if len(row) == len(head):
                yield where, dict(zip(head, row, strict=True))
            else:
                self.problems.add(f"{format_count(len(row), 'column')}, where the first line names {len(head)}", where)

    def count(self) -> int | None:
        """Return the number of rows, blank ones included."""
        return max(sum(1 for _ in csv_rows(self.path, DeferredProblems())) - 1, 0)

    def _head(self, row: list[str]) -> list[str]:
        head = [name.strip() for name in row]
        hint = "rename one, or put the names of the columns above it if it is a record"
        check_distinct_columns(filter(None, head), f"{self.path}:1", hint)
        return head


class Parquet(Input):
    """Input format of Parquet tables, read a few thousand rows at a time."""

    suffixes: ClassVar[tuple[str, ...]] = (".parquet", ".pq")
    has_null_cells: ClassVar[bool] = True

    def records(self) -> Iterator[tuple[str, Record]]:
        """Yield the records."""
        with self._open() as file:
            rows = (row for batch in file.iter_batches(1 << 12) for row in rows_of(batch))
            for number, row in enumerate(rows, 1):
                where = f"{self.path}, record {number}"
                if isinstance(row, Exception):
                    self.problems.add(f"broken record: {row}", where)
                else:
                    yield where, row

    def count(self) -> int | None:
        """Return the number of rows."""
        with self._open() as file:
            return int(file.metadata.num_rows)

    @contextmanager
    def _open(self) -> Iterator[Any]:
        """Yield the file as a `ParquetFile`; errors of the block that come from its content are `DataError`."""
        require("pyarrow", extra="frame", where=str(self.path))
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile

        try:
            with ParquetFile(self.path) as file:
                check_distinct_columns(file.schema_arrow.names, self.path)
                yield file
        except (ArrowException, OSError, UnicodeDecodeError) as error:
            raise DataError(f"cannot be read: {error}", where=self.path) from error


READERS: dict[str, type[Input]] = {ending: reader for reader in (Csv, Json, Parquet) for ending in reader.suffixes}
"""Format of tables by the ending of a file's name."""


def check_distinct_columns(names: Iterable[Hashable], where: Path | str, hint: str = "rename one") -> None:
    """Raise a `DataError` if two columns have one name: a record would have the cells of the last one only."""
    for name, number in Counter(names).items():
        if number > 1:
            raise DataError(f"names two columns {name!r}", where=where, hint=hint)


def rows_of(table: Any) -> Iterator[dict[str, Any] | ValueError | OverflowError]:
    """Yield the rows of an Arrow table or batch as mappings; for a row that Python cannot represent, yield the error.

    Such a row has text that is not UTF-8, or a time outside of Python's calendar.
    """
    table = _with_short_floats(table)
    try:
        rows = table.to_pylist()
    except (ValueError, OverflowError) as error:
        if len(table) == 1:
            yield error
            return
        middle = len(table) // 2
        for part in (table.slice(0, middle), table.slice(middle)):
            yield from rows_of(part)
    else:
        yield from rows


def _with_short_floats(table: Any) -> Any:
    """Return an Arrow table or batch with doubles of the same digits in its columns of single precision: 0.1."""
    import pyarrow
    from pyarrow import compute

    for index, field in enumerate(table.schema):
        if pyarrow.types.is_float32(field.type):
            digits = compute.cast(table.column(index), pyarrow.string())
            table = table.set_column(index, field.name, compute.cast(digits, pyarrow.float64()))
    return table
