"""CSV tables: their rows as they stand there, and records written as one."""

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
from factprobe.storage.opening import open_utf8, to_utf8
from factprobe.storage.problems import Problems
from factprobe.storage.whole import whole_file

_CRLF = "\r\n"
_FORMULA = re.compile("(?:^|(?<=[;|]))(?='*[=+\\-@＝＋－＠\t\r\n])")
"""Where a cell that is a formula may begin; a spreadsheet may take another sign than the comma for its end."""
_DELIMITERS = ",;\t|"


_SEPARATOR = re.compile(rb"sep=([,;\t|])\r?\n", re.IGNORECASE)
"""The line that spreadsheets put first to tell the delimiter."""
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_LONGEST = 1_000
"""Lines of a row; a quote that is open for more was never meant to hold a cell together."""


def csv_rows(
    path: Path, problems: Problems, *, delimiter: str | None = None, quoted: bool | None = True
) -> Iterator[tuple[int, list[str]]]:
    """The rows of a file with the number of their last line; empty ones are left out.

    Args:
        path: the file.
        problems: takes rows whose quotes are broken, each of which costs no other line than its first, and rows that
            are not UTF-8 behind others that are, and that ASCII does not hold.
        delimiter: what stands between columns; by default as a first line `sep=;` says, or else a comma, semicolon, tab
            or bar, as the first line has most.
        quoted: whether double quotes hold a cell together; None where that is to be told by the first lines.

    Raises:
        DataError: it cannot be read, or it is not UTF-8; with `strict`, a row is broken.
    """
    csv.field_size_limit(sys.maxsize)  # a cell may be longer than the usual 128 KB
    with open_utf8(path) as file:
        start = file.peek(1)
        told = _SEPARATOR.match(start)
        sign = told[1].decode() if told else delimiter or _delimiter(start)
        text = TextIOWrapper(file, "utf-8", errors="surrogateescape", newline="")
        lines = _Physical(text)
        if told:
            next(lines)
        if quoted is None:
            whole = start.rpartition(b"\n")[0] or start  # the last line may be cut
            quoted = _is_quoted(whole.decode(errors="replace").splitlines(), sign)
        rows = csv.reader(lines, delimiter=sign, strict=True, quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE)
        yield from lines.rows(rows, path, problems)


class _Physical:
    """The lines of a text, those of a row that is broken but its first once more."""

    def __init__(self, text: Iterator[str]) -> None:
        self._text = text
        self._again: deque[str] = deque()
        self._row: list[str] = []
        self._number = 0
        self._is_utf8 = False

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> str:
        if len(self._row) == _LONGEST:
            raise csv.Error(f"a quote is not closed in {_LONGEST:,} lines")
        line = self._again.popleft() if self._again else next(self._text)
        self._number += 1
        self._row.append(line)
        if not line.isascii():
            self._is_utf8 = _is_whole(line) or self._assert_utf8()
        return line

    def _assert_utf8(self) -> bool:
        """Takes a line that is not UTF-8 for a broken one where others are.

        Raises:
            Error: it is.
            UnicodeError: none is, so that it may be in another encoding, and of use as a whole.
        """
        if self._is_utf8:
            raise csv.Error("it is not UTF-8")
        raise UnicodeError

    def rows(self, reader: Iterator[list[str]], path: Path, problems: Problems) -> Iterator[tuple[int, list[str]]]:
        """The rows that a reader makes of these lines, with the number of their last line."""
        row: list[str] | None = []
        while row is not None:
            self._row.clear()
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


def _is_whole(line: str) -> bool:
    """Whether a line has no byte that is part of no character."""
    try:
        line.encode()
    except UnicodeEncodeError:
        return False
    return True


def _delimiter(start: bytes) -> str:
    [first, *_] = start.splitlines() or [b""]
    return max(_DELIMITERS, key=lambda sign: first.count(sign.encode()))


def _is_quoted(lines: Sequence[str], delimiter: str) -> bool:
    """Whether quotes hold cells together: all of the first row, or some that hold quotes twice, and none is odd.

    Else they belong to names, as in `"Heroes"` and `"Weird Al" Yankovic`.
    """
    cells = [line.split(delimiter) for line in lines]
    if cells and all(map(_QUOTED.fullmatch, cells[0])):
        return True
    begun = [cell for row in cells for cell in row if cell.startswith('"')]
    return all(map(_QUOTED.fullmatch, begun)) and any('""' in cell[1:-1] for cell in begun)


def write_csv(path: Path, rows: Sequence[msgspec.Struct]) -> None:
    """Writes records as a CSV table, whole, a column for each field.

    A record inside a record has a column for each of its fields, `<name>_<field>`, and its `estimate`, where it has
    one, stands under the name alone. None is empty; no text is a formula.
    """
    lines = _Lines()
    flat = [_flat(row) for row in rows]
    writer = csv.DictWriter(lines, fieldnames=flat[0] if flat else [], lineterminator=_CRLF)  # quotes what has either
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
    """Return a cell that no spreadsheet takes for a formula: an apostrophe goes before a text that may be one.

    One more goes before a text that begins as if one had been put there, so that taking one away gives each text back.
    """
    return _FORMULA.sub("'", cell) if isinstance(cell, str) else cell
