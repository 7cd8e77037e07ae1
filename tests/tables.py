"""Test tables: many cases in one pytest item, with all failing rows in one report."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any

import pytest

Test = Callable[..., None]


def for_each_row(names: str | Sequence[str], rows: Iterable[Any]) -> Callable[[Test], Test]:
    """Run a test function for every row of a table, in one pytest item.

    Takes the arguments of `pytest.mark.parametrize`. An item of its own for each row would cost pytest several times
    what most of these rows take. Fixtures are shared by all rows.
    """
    columns = [name.strip() for name in names.split(",")] if isinstance(names, str) else [*names]
    table = [tuple(row) if len(columns) > 1 else (row,) for row in rows]

    def decorate(test: Test) -> Test:
        @wraps(test)
        def run(*args: Any, **fixtures: Any) -> None:
            check_rows(table, lambda *row: test(*args, **dict(zip(columns, row, strict=True)), **fixtures))

        signature = inspect.signature(test)
        left = [one for one in signature.parameters.values() if one.name not in columns]
        run.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return run

    return decorate


def check_rows(rows: Iterable[Sequence[Any]], check: Test) -> None:
    """Call a check with the cells of every row; report all failing rows and all repeated rows with their numbers.

    A row that skips fails: `pytest.skip` would hide the failures of the rows before it.
    """
    failures: list[str] = []
    numbers: dict[str, int] = {}
    number = 0
    for number, row in enumerate(rows, start=1):
        first = numbers.setdefault(repr(row), number)
        if first != number:
            failures.append(f"row {number} repeats row {first}: {shorten(row)}")
            continue
        try:
            check(*row)
        except (Exception, pytest.fail.Exception, pytest.skip.Exception) as error:
            failures.append(f"row {number}: {shorten(row)}\n  {type(error).__name__}: {error}")
    assert number, "the table has no rows"
    if failures:
        pytest.fail(f"{len(failures)} of {number} rows fail\n" + "\n".join(failures), pytrace=False)


def shorten(row: object, longest: int = 300) -> str:
    """Return the representation of a row, cut after `longest` characters."""
    text = repr(row)
    return text if len(text) <= longest else f"{text[:longest]}…"
