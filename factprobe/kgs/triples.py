"""Triples of RDF, by columns, into a store: what is a name there, and what a fact."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from factprobe.kgs.filling import ALIAS, DESCRIPTION, LABEL, OBSOLETE, OTHER, TYPE, Filling
from factprobe.kgs.naming import OBSOLETE_TYPES, Naming, expanded
from factprobe.kgs.plain import LONGEST

NONE = "_"
"""For the data type of what is neither an entity nor a literal."""
Columns = Mapping[str, list[Any]]
"""Subjects, predicates (both as N-Triples writes them), objects (their text), data types (empty of an entity, `NONE` of
a blank node) and languages (their ranks, -1 for one that is not wanted), by these names in the singular."""

_ROLES = "create temporary table roles (predicate varchar, kind tinyint, rank smallint)"
_LISTS = f"""
set variable roles = (select list(roles) from roles);
set variable names = (select list(distinct predicate) from roles where kind <> {TYPE});
"""
# No joins: they change the order of rows
_NAMES = f"""
insert into names
select subject[2:-2],
    if(language = {{other}} and role.kind = {LABEL}, {OTHER}, role.kind),
    role.rank * {{languages}} + language, object
from (
    select *, unnest(list_filter(getvariable('roles'), lambda role: role.predicate = {{rows}}.predicate)) as role
    from {{rows}} where subject[1] = '<' and language >= 0)
where (role.kind = {TYPE} or datatype <> '') and not (language = {{other}} and role.kind = {ALIAS})
    and (role.kind <> {OBSOLETE} or object in ('true', '1'))
    and length(object) between 1 and if(role.kind = {DESCRIPTION}, 100000, {LONGEST})
"""
_USABLE = (
    f"subject[1] = '<' and length(subject) between 3 and {LONGEST + 2} and language >= 0 and datatype <> '{NONE}'"
    f" and length(object) between 1 and {LONGEST}"
)
_OTHERS = f"""
insert into others select hash(subject[2:-2]) from {{rows}}
where language < 0 and datatype <> '' and list_contains(
    [role.predicate for role in getvariable('roles') if role.kind in ({LABEL}, {ALIAS})], predicate)
"""
_USED = f"""
insert into used select distinct predicate[2:-2] from roles
join (
    select distinct if(kind = {OTHER}, {LABEL}, kind) as kind, rank // {{languages}} as rank from names)
using (kind, rank)
"""
_FACTS = f"""
(
    select predicate[2:-2] as relation, subject[2:-2] as subject, object, datatype from {{rows}}
    where {_USABLE} and not list_contains(getvariable('names'), predicate))
"""
_LEFT_OUT = f"""
select count(*) from {{rows}} where not ({_USABLE}) and not list_contains(getvariable('names'), predicate)
"""


class Triples:
    """Puts triples into a store.

    Args:
        naming: tells the names among them.
        filling: that of the store.
    """

    def __init__(self, naming: Naming, filling: Filling) -> None:
        self._filling = filling
        self._languages = len(naming.languages) + 1
        self._other = naming.other
        filling.connection.execute(_ROLES)
        filling.connection.executemany("insert into roles values (?, ?, ?)", list(naming.roles()))
        filling.connection.execute(_LISTS)
        obsolete = [*map(expanded, OBSOLETE_TYPES)] if naming.obsolete else []
        filling.connection.execute(f"set variable obsolete_types = {obsolete}::varchar[]")

    def add(self, batch: Columns, *, names: bool = True, facts: bool = True) -> None:
        """Adds what is a name among some triples, what is a fact, or both, and counts what is left out."""
        import pyarrow

        self._filling.connection.register("batch", pyarrow.table(batch))
        self.add_rows("batch", names=names, facts=facts)
        self._filling.connection.unregister("batch")

    def add_rows(self, rows: str, *, names: bool = True, facts: bool = True) -> None:
        """Adds those of a table of DuckDB with such columns."""
        connection = self._filling.connection
        if names:
            connection.execute(_NAMES.format(rows=rows, languages=self._languages, other=self._other))
            connection.execute(_OTHERS.format(rows=rows))
        if facts:
            self._filling.add(_FACTS.format(rows=rows))
            [[count]] = connection.execute(_LEFT_OUT.format(rows=rows)).fetchall()
            self._filling.left_out += count

    def close(self) -> None:
        """Notes which predicates have named something, once all are added."""
        self._filling.connection.execute(_USED.format(languages=self._languages))
