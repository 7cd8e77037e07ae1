"""Rows of tables that are text, as they stand there."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from io import TextIOWrapper
from pathlib import Path

from factprobe.errors import DataError
from factprobe.storage.files import open_utf8

_DELIMITERS = ",;\t|"


def csv_rows(path: Path, *, delimiter: str | None = None, quoted: bool = True) -> Iterator[tuple[int, list[str]]]:
    """The rows of a file with the number of their last line; empty ones are left out.

    Args:
        path: the file.
        delimiter: what stands between columns; by default a comma, semicolon, tab or bar, as the first line has most.
        quoted: whether double quotes hold a cell together.

    Raises:
        DataError: it cannot be read, its quotes are broken, or it is not UTF-8.
    """
    csv.field_size_limit(sys.maxsize)  # a cell may be longer than the usual 128 KB
    with open_utf8(path) as file:
        if delimiter is None:
            [first, *_] = file.peek(1).splitlines() or [b""]
            delimiter = max(_DELIMITERS, key=lambda sign: first.count(sign.encode()))
        text = TextIOWrapper(file, "utf-8-sig", newline="")
        rows = csv.reader(
            text, delimiter=delimiter, strict=True, quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE
        )
        try:
            yield from ((rows.line_num, row) for row in rows if row)
        except csv.Error as error:
            mend = "a text with the delimiter, quotes or line breaks stands between double quotes, its own doubled"
            raise DataError(f"is broken: {error}", where=f"{path}:{rows.line_num}", mend=mend) from error
        except UnicodeDecodeError as error:
            mend = f"save it as UTF-8, or from Latin-1: iconv -f LATIN1 -t UTF-8 {path.name} > utf8.csv"
            raise DataError("is not UTF-8", where=path, mend=mend) from error
