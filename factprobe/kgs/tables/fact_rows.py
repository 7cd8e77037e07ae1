"""Conversion of rows of a table to facts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime
from math import isinf, isnan
from typing import Any, NamedTuple

from factprobe.kgs.default_labels import MAX_NAME_LENGTH, is_iri, is_missing_label
from factprobe.kgs.in_memory.memory_graph import SourceFact, entity_of
from factprobe.kgs.readers import period_of
from factprobe.kgs.tables.column_names import ColumnNames
from factprobe.kgs.tables.label_index import LabelIndex
from factprobe.question_types import End
from factprobe.reading.language import vocabulary
from factprobe.records import Entity, Period
from factprobe.text import normalise

_ALWAYS = Period()
_MAX_SHOWN_LENGTH = 80
_TRUTH_WORDS = {
    **dict.fromkeys(("true", "t", "yes", "y", "1"), True),
    **dict.fromkeys(("false", "f", "no", "n", "0"), False),
}


class FactRow(NamedTuple):
    """Row of a table of facts, with the columns that it has."""

    cells: Mapping[Any, Any]
    columns: ColumnNames
    separator: str = "|"
    """Separator of aliases or types in one cell."""

    def to_fact(self, relation: str, names: LabelIndex | None = None) -> SourceFact:
        """Return the fact in the row.

        `relation` is the relation if the table has no column for it; `names` has labels of entities.

        Raises:
            ValueError: Subject, relation or object is empty, too long or no text, or a date is invalid.
        """
        columns = self.columns
        relation = self.text(columns.relation) if columns.relation else relation
        if not relation:
            raise ValueError("the relation is empty")
        label = self.text(columns.relation_label) if columns.relation_label else ""
        if (length := max(len(relation), len(label))) > MAX_NAME_LENGTH:
            raise ValueError(f"a relation has {length:,} characters, and the limit is {MAX_NAME_LENGTH}")
        ends = self._read_entity("subject", names), self._read_entity("object", names)
        if not (columns.start or columns.end):
            return SourceFact(relation, *ends, _ALWAYS, label)
        return SourceFact(relation, *ends, period_of(self.text(columns.start), self.text(columns.end)), label)

    def is_true(self, columns: tuple[str | int, ...] | str | int | None) -> bool:
        """Return whether the value in a column, or in any of several, means yes; False without a column or value.

        Raises:
            ValueError: A value means neither yes nor no.
        """
        several = columns if isinstance(columns, tuple) else (columns,)
        answers = [self._is_yes(column) for column in several]  # checks each value
        return any(answers)

    def _is_yes(self, column: str | int | None) -> bool:
        value = self.text(column)
        if not value.strip("-–—.?") or normalise(value) in vocabulary("missing_value"):
            return False
        meaning = _TRUTH_WORDS.get(re.sub(r"\.0+$", "", value).lower())
        if meaning is None:
            raise ValueError(f"{column} is {value[:_MAX_SHOWN_LENGTH]!r}, which is neither yes nor no")
        return meaning

    def text(self, column: str | int | None) -> str:
        """Return a cell as text, empty without any; raise a `ValueError` if it is no text, finite number or date."""
        value = self.cells.get(column) if column else None
        if isinstance(value, str):
            return value.strip()
        if value is None or (isinstance(value, float) and isnan(value)):
            return ""
        if isinstance(value, float) and isinf(value):
            raise ValueError(f"{column} is infinite")
        if isinstance(value, float) and value.is_integer():
            return str(int(value))  # pandas reads a column of integers with gaps as floats
        if isinstance(value, bool | int | float):
            return str(value)
        if isinstance(value, datetime | date):
            return value.isoformat().removesuffix("T00:00:00")
        raise ValueError(f"{column} is a {type(value).__name__}, not text")

    def _read_entity(self, end: End, names: LabelIndex | None) -> Entity:
        id_column, column = getattr(self.columns, f"{end}_id"), getattr(self.columns, end)
        label = self.text(column)
        uri = self.text(id_column) or label
        label = "" if id_column and is_missing_label(uri, label) else label
        entity = names.get(uri) if names else None
        if entity is None:
            if not id_column and (names or is_iri(uri)):
                label = ""
            entity = _NO_ENTITY
        elif not id_column:
            label = entity.label
        aliases = *self._split_cell(f"{end}_aliases"), *entity.aliases
        types = *self._split_cell(f"{end}_types"), *entity.types
        return entity_of(uri, label or entity.label, aliases, types)

    def _split_cell(self, field: str) -> tuple[str, ...]:
        column = getattr(self.columns, field)
        return split_names(self.cells.get(column), self.separator, column) if column else ()


_NO_ENTITY = Entity("", "")

_SEPARATORS = {"AltLabel": ", ", ":LABEL": ";"}
"""Separators of names in exports of Wikidata's query service and of Neo4j, by the end of the column name."""


def split_names(value: Any, separator: str, column: str | int = "") -> tuple[str, ...]:
    """Return the names in a cell, which may be a list, or a text with separators; empty for other values."""
    if isinstance(value, str):
        own = next((sign for end, sign in _SEPARATORS.items() if str(column).endswith(end)), separator)
        return tuple(part.strip() for part in value.split(separator if separator in value else own))
    if isinstance(value, list | tuple):
        return tuple(str(part) for part in value if part is not None)
    return ()
