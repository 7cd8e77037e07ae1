"""Popularity of entities by a source other than the graph: page views, citations."""

from __future__ import annotations

from math import isfinite
from pathlib import Path

from factprobe.errors import DataError
from factprobe.inputs import inputs
from factprobe.storage import Problems

_COLUMNS = "a CSV file has the columns uri and count, JSON Lines these keys"


def read_counts(path: Path) -> dict[str, float]:
    """Read the count of each entity in a file; repeated ones are added up.

    Raises:
        DataError: it is of no such format, cannot be read, has not the columns `uri` and `count`, or a count is no
            number from 0 on.
    """
    suffix = path.suffix.lower()
    kind = next((kind for kind in map(inputs.get, ("csv", "json", "parquet")) if suffix in kind.suffixes), None)
    if kind is None:
        raise DataError(f"{suffix or 'no ending'} is no format of counts", where=path, hint=f"name it .csv: {_COLUMNS}")
    found: dict[str, float] = {}
    for where, record in kind(path, Problems(strict=True, hint="mend it")).records():
        uri, count = record.get("uri"), record.get("count")
        if uri in (None, "") or count is None:
            raise DataError("has no uri or no count", where=where, hint=_COLUMNS)
        try:
            number = float(count)
        except (OverflowError, TypeError, ValueError):
            number = -1.0
        if not (isfinite(number) and number >= 0):
            raise DataError(f"{count!r} is no count", where=where, hint="give a number, 0 or more")
        found[str(uri)] = found.get(str(uri), 0.0) + number
    return found
