"""Reading of CSV rows, and writing of records as CSV."""

from __future__ import annotations

import csv
import re
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import Any, Self

import msgspec

from factprobe.errors import DataError
from factprobe.storage.atomic_files import whole_file
from factprobe.storage.opening import open_utf8, to_utf8
from factprobe.storage.problems import Problems

_CRLF = "\r\n"
_FORMULA = re.compile("(?:^|(?<=[;|\t\r\n]))(?='*[=+\\-@＝＋－＠\t\r\n])")
"""Where a cell that is a formula may begin: a spreadsheet may take another sign than the comma for the end of a cell,
and then a line's end for that of a row."""
_DELIMITERS = ",;\t|"


_SEPARATOR = re.compile(rb"sep=([,;\t|])\r?\n", re.IGNORECASE)
"""First line that spreadsheets write to declare the delimiter."""
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_WIDEST = 1 << 25
"""Maximal length of a row, in characters."""
_TOO_LONG = f"it is longer than {_WIDEST:,} characters"
_LONGEST = 1_000
"""Maximum number of lines in a row; a quote open for longer is not meant to enclose a cell."""


def csv_rows(
    path: Path, problems: Problems, *, delimiter: str | None = None, quoted: bool | None = True
) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a file with the number of their last line, without empty rows.

    Args:
        path: the file.
        problems: takes rows with broken quotes, of which only the first line is lost, and rows that are not UTF-8 in a
            file where others are UTF-8 beyond ASCII.
        delimiter: separator of columns; by default that of a first line `sep=;`, or the one of comma, semicolon, tab
            and bar that is most frequent in the first line.
        quoted: whether double quotes enclose cells; None to decide by the first lines.

    Raises:
        DataError: it cannot be read, or is not UTF-8; with `strict`, a row is broken.
    """
    csv.field_size_limit(sys.maxsize)  # cells may be longer than the default of 128 KB
    with open_utf8(path) as file:
        start = file.peek(1)
        declared = _SEPARATOR.match(start)
        sign = declared[1].decode() if declared else delimiter or _delimiter(start)
        text = TextIOWrapper(file, "utf-8", errors="surrogateescape", newline="")
        lines = _RowLines(text)
        if declared:
            next(lines)
        if quoted is None:
            whole = start.rpartition(b"\n")[0] or start  # the last line may be cut
            quoted = _is_quoted(whole.decode(errors="replace").splitlines(), sign)
        rows = csv.reader(lines, delimiter=sign, strict=True, quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE)
        yield from lines.rows(rows, path, problems)


class _RowLines:
    """Lines of a text, which repeats the lines of a broken row after its first."""

    def __init__(self, text: TextIOWrapper) -> None:
        self._text = text
        self._again: deque[str] = deque()
        self._row: list[str] = []
        self._length = 0
        self._number = 0
        self._is_utf8 = False

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> str:
        if len(self._row) == _LONGEST:
            raise csv.Error(f"a quote is not closed in {_LONGEST:,} lines")
        line = self._again.popleft() if self._again else self._next_line()
        self._number += 1
        self._row.append(line)
        self._length += len(line)
        if self._length > _WIDEST:
            raise csv.Error(_TOO_LONG)
        if not line.isascii():
            self._is_utf8 = _is_decodable(line) or self._assert_utf8()
        return line

    def _next_line(self) -> str:
        """Return the next line of the text, without the rest of one that is too long."""
        line = rest = self._text.readline(_WIDEST + 1)
        while len(rest) > _WIDEST and rest[-1] not in "\r\n":
            rest = self._text.readline(_WIDEST + 1)
        if not line:
            raise StopIteration
        return line

    def _assert_utf8(self) -> bool:
        """Raise for a line that is not UTF-8.

        Raises:
            Error: other lines are UTF-8, so that this row is broken.
            UnicodeError: no line is UTF-8, so that the file may be in another encoding.
        """
        if self._is_utf8:
            raise csv.Error("it is not UTF-8")
        raise UnicodeError

    def rows(self, reader: Iterator[list[str]], path: Path, problems: Problems) -> Iterator[tuple[int, list[str]]]:
        """Yield the rows that a reader makes of these lines, with the number of their last line."""
        row: list[str] | None = []
        while row is not None:
            self._row.clear()
            self._length = 0
            try:
                row = next(reader, None)
            except csv.Error as error:
                self._again.extendleft(reversed(self._row[1:]))
                self._number -= len(self._row) - 1
                problems.add(f"broken row: {error}", f"{path}:{self._number}")
            except UnicodeError as error:
                raise DataError("is not UTF-8", where=f"{path}:{self._number}", hint=to_utf8(path.name)) from error
            else:
                if row:
                    yield self._number, row


def _is_decodable(line: str) -> bool:
    """Return whether a line has no undecodable byte."""
    try:
        line.encode()
    except UnicodeEncodeError:
        return False
    return True


def _delimiter(start: bytes) -> str:
    [first, *_] = start.splitlines() or [b""]
    return max(_DELIMITERS, key=lambda sign: first.count(sign.encode()))


def _is_quoted(lines: Sequence[str], delimiter: str) -> bool:
    """Return whether quotes enclose cells, rather than being part of names as in `"Heroes"` and `"Weird Al" Yankovic`.

    They do if they enclose all cells of the first row, or if some cells have doubled quotes and none is unbalanced.
    """
    cells = [line.split(delimiter) for line in lines]
    if cells and all(map(_QUOTED.fullmatch, cells[0])):
        return True
    begun = [cell for row in cells for cell in row if cell.startswith('"')]
    return all(map(_QUOTED.fullmatch, begun)) and any('""' in cell[1:-1] for cell in begun)


def write_csv(path: Path, rows: Sequence[msgspec.Struct]) -> None:
    """Write records as a CSV table with a column for each field, completely or not at all.

    A nested record has a column `<name>_<field>` for each of its fields, and its `estimate`, if any, under the name
    alone. None is empty; no text is a formula.
    """
    lines = _Lines()
    flat = [{key: _inert(cell) for key, cell in flat_record(row).items()} for row in rows]
    writer = csv.DictWriter(
        lines, fieldnames=flat[0] if flat else [], lineterminator=_CRLF
    )  # the writer quotes cells with either
    writer.writeheader()
    writer.writerows(flat)
    with whole_file(path) as file:
        file.writelines(f"{line.removesuffix(_CRLF)}\n".encode() for line in lines)


class _Lines(list[str]):
    """List that csv can write lines to."""

    write = list.append


def flat_record(record: msgspec.Struct) -> dict[str, Any]:
    """Return the fields of a record by column; see `write_csv` for nested records."""
    cells: dict[str, Any] = {}
    for name, value in msgspec.structs.asdict(record).items():
        inner = msgspec.structs.asdict(value) if isinstance(value, msgspec.Struct) else {"estimate": value}
        cells.update((name if key == "estimate" else f"{name}_{key}", cell) for key, cell in inner.items())
    return cells


def _inert(cell: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula, by an apostrophe before a text that may be one.

    A text that already begins in this way gets another, so that removing one restores every text.
    """
    return _FORMULA.sub("'", cell) if isinstance(cell, str) else cell
