"""Popularity of entities from a file, such as page views or citations."""

from __future__ import annotations

from math import isfinite
from pathlib import Path

from factprobe.errors import DataError
from factprobe.storage import Problems

_COLUMNS = "the columns, or keys of JSON Lines, are uri and count"


def read_counts(path: Path) -> dict[str, float]:
    """Read the count of each entity in a file; repeated counts are added up.

    Raises:
        DataError: The file has an unknown format, cannot be read, lacks `uri` or `count`, or a count is not a number of
            at least 0.
    """
    from factprobe.inputs.table_formats import READERS  # loaded only for counts, since every step loads this module

    suffix = path.suffix.lower()
    if suffix not in READERS:
        what = f"{suffix or 'no ending'} is not a format of counts"
        raise DataError(what, where=path, hint=f"use .csv, .jsonl or .parquet: {_COLUMNS}")
    found: dict[str, float] = {}
    for where, record in READERS[suffix](path, Problems(strict=True, hint="fix it")).records():
        uri, count = record.get("uri"), record.get("count")
        if uri in (None, "") or count is None:
            raise DataError("has no uri or no count", where=where, hint=_COLUMNS)
        try:
            number = float(count)
        except (OverflowError, TypeError, ValueError):
            number = -1.0
        if not (isfinite(number) and number >= 0):
            raise DataError(f"{count!r} is not a count", where=where, hint="give a number, 0 or more")
        found[str(uri)] = found.get(str(uri), 0.0) + number
    return found
