"""From the row of a table to a fact, whatever the table is."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple

from factprobe.kgs.columns import ColumnNames
from factprobe.kgs.held import SourceFact, entity_of
from factprobe.kgs.plain import LONGEST, is_iri
from factprobe.kgs.readers import period_of
from factprobe.question_types import End
from factprobe.records import Entity, Period

if TYPE_CHECKING:
    from factprobe.kgs.names import Names

_ALWAYS = Period()


class FactRow(NamedTuple):
    """A row with what is needed to read it."""

    cells: Mapping[Any, Any]
    columns: ColumnNames
    separator: str = "|"
    """What stands between several names in one text."""

    def fact(self, relation: str, names: Names | None = None) -> SourceFact:
        """The fact that it holds.

        Args:
            relation: of a table that has no column for it.
            names: what is known of entities, by id.

        Raises:
            ValueError: it holds none.
        """
        of = self.columns
        relation = self.text(of.relation) if of.relation else relation
        if not relation:
            raise ValueError("the relation is empty")
        label = self.text(of.relation_label) if of.relation_label else ""
        if (length := max(len(relation), len(label))) > LONGEST:
            raise ValueError(f"a relation has {length:,} characters, and at most {LONGEST} are read")
        ends = self._entity("subject", names), self._entity("object", names)
        if not (of.start or of.end):
            return SourceFact(relation, *ends, _ALWAYS, label)
        return SourceFact(relation, *ends, period_of(self.text(of.start), self.text(of.end)), label)

    def text(self, column: str | int | None) -> str:
        """What stands in a column, as a text; empty where nothing does.

        Raises:
            ValueError: it is a list, or another thing that is none.
        """
        value = self.cells.get(column) if column else None
        if isinstance(value, str):
            return value.strip()
        if value is None or (isinstance(value, float) and isnan(value)):
            return ""
        if isinstance(value, float) and value.is_integer():
            return str(int(value))  # of a column of whole numbers that has gaps
        if isinstance(value, bool | int | float):
            return str(value)
        if isinstance(value, datetime | date):
            return value.isoformat().removesuffix("T00:00:00")
        raise ValueError(f"{column} is a {type(value).__name__}, no text")

    def _entity(self, end: End, names: Names | None) -> Entity:
        id_column, column = getattr(self.columns, f"{end}_id"), getattr(self.columns, end)
        label = self.text(column)
        uri = self.text(id_column) or label
        known = names.get(uri) if names else None
        if known is None:
            if not id_column and (names or is_iri(uri)):
                label = ""
            known = _NOBODY
        elif not id_column:
            label = known.label
        return entity_of(
            uri,
            label or known.label,
            (*self._several(f"{end}_aliases"), *known.aliases),
            (*self._several(f"{end}_types"), *known.types),
        )

    def _several(self, field: str) -> tuple[str, ...]:
        column = getattr(self.columns, field)
        return several(self.cells.get(column), self.separator) if column else ()


_NOBODY = Entity("", "")


def several(value: Any, separator: str) -> tuple[str, ...]:
    """The names in a cell: a list, or a text with a separator."""
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(separator))
    if isinstance(value, list | tuple):
        return tuple(str(part) for part in value if part is not None)
    return ()
