"""Checks of the columns of a table of facts or of names."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

from factprobe.errors import DataError, format_list
from factprobe.kgs.tables.column_names import ColumnNames, NameColumns

log = logging.getLogger(__name__)

PROPERTIES_HINT = "to use several property columns, write a row for each fact: subject,relation,object"
"""Hint for tables of items, with a column for each property."""
_MIN_DISTINCT_RELATIONS = 0.9
"""Minimum number of distinct relations per row in a table that is rejected as a table of items, not facts."""


def warn_of_unused(columns: ColumnNames | NameColumns, head: Sequence[str | int], where: str | Path) -> None:
    """Log a warning with the columns of a table that are not used."""
    used = {column for _, column in columns.named()}
    if unused := [str(column) for column in head if column not in used and column != ""]:
        log.warning("%s: columns not used: %s", where, format_list(unused))


def check_facts(rows: Sequence[Sequence[str]], known: set[str], where: Path) -> None:
    """Check that the rows of a table without a known header are facts, and not items with properties.

    A table is one of items if no cell of the first row (its header) recurs, and nearly every row has its own relation.
    If no cell recurs, and other rows share relations, a warning says that the first row may be a header.
    Tables of fewer than three rows are accepted. `known` has the cells of earlier tables of the graph.

    Raises:
        DataError: The rows seem to be items.
    """
    head, *others = rows
    relations = {row[1] for row in rows} - known
    again = known.union(*others).intersection(head)
    if len(rows) < 3 or again:
        return
    hint = (
        f"if the first row ({format_list(head)}) names columns, choose two, such as "
        f"kg.columns.subject={head[0]} kg.columns.object={head[1]} ({PROPERTIES_HINT}); if it is a fact, set "
        "kg.columns.subject=1 kg.columns.relation=2 kg.columns.object=3"
    )
    if len(relations) >= _MIN_DISTINCT_RELATIONS * len(rows):
        what = f"seems not to be a table of facts: its first {len(rows)} rows have {len(relations)} relations"
        raise DataError(what, where=where, hint=hint)
    log.warning("%s: no cell of the first row occurs again, yet it is read as a fact; %s", where, hint)


def check_columns_exist(
    columns: ColumnNames, head: Sequence[str | int], where: str | Path, setting: str = "kg.columns.{}="
) -> None:
    """Raise a `DataError` if a column in the settings is missing; `setting` is the format of the names of settings."""
    for name, column in columns.named():
        if column not in head:
            hint = f"set {setting.format(name)} to one of {format_list([str(name) for name in head])}"
            raise DataError(f"has no column {column!r}", where=where, hint=hint)


def check_ends_differ(columns: ColumnNames, where: str | Path, setting: str = "kg.columns.{}=") -> None:
    """Raise a `DataError` if subject and object are one column, by which each fact relates a thing to itself.

    `setting` is the format of the names of settings for the message.
    """
    if columns.subject is not None and columns.subject == columns.object:
        hint = f"name both: {setting.format('subject')} and {setting.format('object')}"
        raise DataError(f"has one column {columns.subject!r} for subject and object", where=where, hint=hint)


def check_unique(columns: ColumnNames, head: Sequence[str | int], where: str | Path) -> None:
    """Raise a `DataError` if a used column occurs twice in the header."""
    for name, column in columns.named():
        if head.count(column) > 1:
            hint = f"rename one, or set another: kg.columns.{name}=NAME"
            raise DataError(f"has {head.count(column)} columns {column!r}", where=where, hint=hint)
