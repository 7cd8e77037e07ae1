"""Readers of files with ids and labels of entities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from factprobe.errors import DataError
from factprobe.inputs.base import Record
from factprobe.kgs.default_labels import is_missing_label
from factprobe.kgs.in_memory.memory_graph import entity_of
from factprobe.kgs.tables.column_names import ColumnNames, NameColumns, name_columns
from factprobe.kgs.tables.fact_rows import FactRow, split_names
from factprobe.kgs.tables.label_index import LabelIndex
from factprobe.records import Entity
from factprobe.storage import UNREADABLE, Problems, decode_json, open_utf8


def read_mapping(path: Path, problems: Problems) -> LabelIndex | None:
    """Return the names in a JSON file that is one object with ids as keys; None for other files.

    The values may be labels, lists of names, or objects with a label, and perhaps aliases and types.
    """
    with open_utf8(path) as file:
        text = file.read()
    try:
        mapping = decode_json(text, msgspec.json.decode)
    except UNREADABLE:
        return None
    if not isinstance(mapping, dict) or name_columns([*mapping]) is not None:
        return None
    records = ((f"{path}, {uri}", _label_record(uri, value)) for uri, value in mapping.items())
    return collect_names(records, None, "|", problems)


def _label_record(uri: str, value: Any) -> Record:
    if isinstance(value, dict):
        return {**value, "id": uri}
    names = value if isinstance(value, list) else [value]
    return {"id": uri, "label": names[0] if names else "", "aliases": names[1:]}


def rows_of_names(
    rows: Iterable[tuple[int, list[str]]], path: Path, problems: Problems
) -> Iterator[tuple[str, Record]]:
    """Yield the rows of a table without a header as records of id, label and aliases, each with its place.

    Columns after the second are aliases only if rows differ in length; otherwise they are other data, such as
    definitions.
    """
    non_empty = [(number, row) for number, row in rows if any(map(str.strip, row))]
    has_aliases = len({len(row) for _, row in non_empty if len(row) > 1}) > 1
    for number, row in non_empty:
        if len(row) < 2:
            problems.add("broken name: an id without a label", f"{path}:{number}")
            continue
        uri, label, *others = row
        yield f"{path}:{number}", {"id": uri, "label": label, "aliases": others if has_aliases else []}


def collect_names(
    records: Iterable[tuple[str, Record]], columns: NameColumns | None, separator: str, problems: Problems
) -> LabelIndex:
    """Return an index of the entities in records with their places; a second label of an id becomes an alias.

    Without `columns` they are found by the keys of each record. `separator` divides aliases or types in one cell.
    Records without an id, or with a name that is too long, are reported to `problems`.
    """
    entities: dict[str, Entity] = {}
    obsolete: set[str] = set()
    for where, record in records:
        keys = columns or name_columns([*record]) or NameColumns("id", "label")
        row = FactRow(record, ColumnNames(), separator)
        others = [split_names(record.get(name), separator, name) if name else () for name in (keys.aliases, keys.types)]
        try:
            uri, label = row.text(keys.id), row.text(keys.label)
            entity = entity_of(uri, "" if is_missing_label(uri, label) else label, *others)
            is_obsolete = row.is_true(keys.obsolete)
        except ValueError as error:
            problems.add(f"broken name: {error}", where)
        else:
            earlier = entities.get(entity.uri)
            entities[entity.uri] = entity if earlier is None else _merge_entities(earlier, entity)
            if is_obsolete:
                obsolete.add(entity.uri)
    return LabelIndex(entities, obsolete)


def check_matches_facts(names: LabelIndex, path: Path | None, setting: str) -> None:
    """Raise a `DataError` if a file of names has no id of the facts."""
    if path is not None and not names.are_used:
        hint = f"set the file that belongs to the facts: {setting}=FILE"
        raise DataError("has no id of the facts", where=path, hint=hint)


def _merge_entities(one: Entity, other: Entity) -> Entity:
    """Return two entities with the same id as one; the second label becomes an alias."""
    names, types = dict.fromkeys((*one.names(), *other.names())), dict.fromkeys((*one.types, *other.types))
    return Entity(one.uri, one.label, tuple(name for name in names if name != one.label), tuple(types))
