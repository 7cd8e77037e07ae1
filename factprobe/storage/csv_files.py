"""Reading of CSV rows, and writing of records as CSV."""

from __future__ import annotations

import csv
import re
import sys
from collections import Counter, deque
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
"""Position where a spreadsheet may see a formula: at the start, or after a delimiter or a line break."""
_DELIMITERS = ",;\t|"

_DELIMITER_LINE = re.compile(rb"sep=([,;\t|])\r?\n", re.IGNORECASE)
"""First line with which spreadsheets declare the delimiter, such as `sep=;`."""
_QUOTED_CELL = re.compile(r'"(?:[^"]|"")*"')
_MAX_ROW_LENGTH = 1 << 25
"""Maximum length of a row in characters."""
_TOO_LONG_MESSAGE = f"it is longer than {_MAX_ROW_LENGTH:,} characters"
_MAX_ROW_LINES = 10_000
"""Maximum number of lines in a row; a quote that is open for longer does not enclose a cell."""


def csv_rows(
    path: Path, problems: Problems, *, delimiter: str | None = None, quoted: bool | None = True
) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a CSV file that are not empty, each after the number of its last line.

    Args:
        path: Path of the file.
        problems: Collector of broken rows: rows with an unbalanced quote, of which only the first line is skipped,
            and rows that are not UTF-8 in a file that is otherwise UTF-8.
        delimiter: Separator of columns, unless a first line such as `sep=;` declares another; by default the most
            frequent of comma, semicolon, tab and bar in the first line.
        quoted: True if double quotes enclose cells; None to decide by the first lines.

    Raises:
        DataError: The file cannot be read, or seems to be in another encoding; with `strict`, a row is broken.
    """
    csv.field_size_limit(sys.maxsize)  # cells may be longer than the default of 128 KB
    with open_utf8(path) as file:
        start = file.peek(1)
        declared = _DELIMITER_LINE.match(start)
        sign = declared[1].decode() if declared else delimiter or _guess_delimiter(start)
        text = TextIOWrapper(file, "utf-8", errors="surrogateescape", newline="")
        lines = _RowLines(text, path)
        if declared:
            next(lines)
        if quoted is None:
            whole = start.rpartition(b"\n")[0] or start  # the last line may be cut
            quoted = _is_quoted(whole.decode(errors="replace").splitlines(), sign)
        rows = csv.reader(lines, delimiter=sign, strict=True, quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE)
        yield from lines.rows(rows, problems)


class _RowLines:
    """Iterator over the lines of a text; after a broken row it continues with the second line of that row."""

    def __init__(self, text: TextIOWrapper, path: Path) -> None:
        self._text = text
        self._path = path
        self._replayed: deque[str] = deque()
        self._row: list[str] = []
        self._length = 0
        self._number = 0
        self._is_utf8: bool | None = None
        self._has_rows = False

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> str:
        if len(self._row) == _MAX_ROW_LINES:
            raise csv.Error(f"a quote is not closed in {_MAX_ROW_LINES:,} lines")
        line = self._replayed.popleft() if self._replayed else self._next_line()
        self._number += 1
        self._row.append(line)
        self._length += len(line)
        if self._length > _MAX_ROW_LENGTH:
            raise csv.Error(_TOO_LONG_MESSAGE)
        if not (line.isascii() or _is_decodable(line)):
            if self._is_utf8 is None:
                self._is_utf8 = self._has_rows and _is_mostly_utf8(self._path)
            if self._is_utf8:
                raise csv.Error("it is not UTF-8")
            raise UnicodeError  # the file may be in another encoding
        return line

    def _next_line(self) -> str:
        """Return the next line of the text; a line above the maximum length of a row is cut one character above it."""
        line = remainder = self._text.readline(_MAX_ROW_LENGTH + 1)
        while len(remainder) > _MAX_ROW_LENGTH and remainder[-1] not in "\r\n":
            remainder = self._text.readline(_MAX_ROW_LENGTH + 1)
        if not line:
            raise StopIteration
        return line

    def rows(self, reader: Iterator[list[str]], problems: Problems) -> Iterator[tuple[int, list[str]]]:
        """Yield the rows of `reader`, a CSV reader of these lines, each after the number of its last line."""
        row: list[str] | None = []
        while row is not None:
            self._row.clear()
            self._length = 0
            try:
                row = next(reader, None)
            except csv.Error as error:
                self._replayed.extendleft(reversed(self._row[1:]))
                self._number -= len(self._row) - 1
                problems.add(f"broken row: {error}", f"{self._path}:{self._number}")
            except UnicodeError as error:
                where, hint = f"{self._path}:{self._number}", to_utf8(self._path.name)
                raise DataError("is not UTF-8", where=where, hint=hint) from error
            else:
                if row:
                    self._has_rows = True
                    yield self._number, row


def _is_decodable(line: str) -> bool:
    try:
        line.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_mostly_utf8(path: Path) -> bool:
    """Return whether a file is UTF-8 except for some lines.

    That is assumed if no more lines are broken than are UTF-8 beyond ASCII, or if one of at least three is broken.
    """
    counts: Counter[str] = Counter()
    with open_utf8(path) as file:
        while line := file.readline(_MAX_ROW_LENGTH):
            kind = "ascii" if line.isascii() else "utf8" if _is_utf8(line) else "broken"
            counts[kind] += 1
    return counts["broken"] <= max(counts["utf8"], 1 if counts.total() > 2 else 0)


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def _guess_delimiter(start: bytes) -> str:
    [first, *_] = start.splitlines() or [b""]
    return max(_DELIMITERS, key=lambda sign: first.count(sign.encode()))


def _is_quoted(lines: Sequence[str], delimiter: str) -> bool:
    """Return whether quotes enclose cells, and do not belong to names such as `"Heroes"` or `"Weird Al" Yankovic`.

    They enclose cells if all cells of the first row are quoted, or if every cell that begins with a quote is quoted
    as a whole and one of these has a doubled quote inside.
    """
    cells = [line.split(delimiter) for line in lines]
    if cells and all(map(_QUOTED_CELL.fullmatch, cells[0])):
        return True
    quoted = [cell for row in cells for cell in row if cell.startswith('"')]
    return all(map(_QUOTED_CELL.fullmatch, quoted)) and any('""' in cell[1:-1] for cell in quoted)


def write_csv(path: Path, rows: Sequence[msgspec.Struct]) -> None:
    """Write records as a CSV table with a column for each field, completely or not at all.

    A nested record has a column `<name>_<field>` for each of its fields; its field `estimate` has the column `<name>`.
    The cell of None is empty. Texts that spreadsheets would read as formulas are escaped.
    """
    lines = _LineList()
    flat = [{key: _escape_formula(cell) for key, cell in cells.items()} for cells in flat_records(rows)]
    columns = flat[0] if flat else []
    writer = csv.DictWriter(lines, columns, lineterminator=_CRLF)  # so that cells with either character are quoted
    writer.writeheader()
    writer.writerows(flat)
    with whole_file(path) as file:
        file.writelines(f"{line.removesuffix(_CRLF)}\n".encode() for line in lines)


class _LineList(list[str]):
    """List of lines to which a CSV writer can write."""

    write = list.append


def flat_records(rows: Sequence[msgspec.Struct]) -> list[dict[str, Any]]:
    """Return a flat mapping for each record, with the columns of all records; columns are named as in `write_csv`."""
    flat = [_flat_record(row) for row in rows]
    columns = dict.fromkeys(name for cells in flat for name in cells)
    return [{name: cells.get(name) for name in columns} for cells in flat]


def _flat_record(record: msgspec.Struct) -> dict[str, Any]:
    cells: dict[str, Any] = {}
    for name, value in msgspec.structs.asdict(record).items():
        inner = msgspec.structs.asdict(value) if isinstance(value, msgspec.Struct) else {"estimate": value}
        cells.update((name if key == "estimate" else f"{name}_{key}", cell) for key, cell in inner.items())
    return cells


def _escape_formula(cell: Any) -> Any:
    """Return a cell in which an apostrophe precedes each text that a spreadsheet could take for a formula.

    A formula that has an apostrophe already gets a second one, so that removing one always restores the text.
    """
    return _FORMULA.sub("'", cell) if isinstance(cell, str) else cell
