"""Load of RDF triples into a store, as names and facts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from factprobe.kgs.default_labels import MAX_NAME_LENGTH
from factprobe.kgs.on_disk.bulk_load import ALIAS, DESCRIPTION, LABEL, OBSOLETE, OTHER, TYPE, BulkLoader
from factprobe.kgs.on_disk.fact_columns import FLOATS
from factprobe.kgs.rdf.naming_predicates import OBSOLETE_TYPES, Naming, expand_prefix
from factprobe.storage import to_utf8
from factprobe.text import one_line

if TYPE_CHECKING:
    from pyoxigraph import Quad

BLANK_NODE = "_"
"""Value in the column `datatype` for a blank node, which is neither an entity nor a literal."""
Columns = Mapping[str, list[Any]]
"""Columns of triples.

`subject` (empty for a blank node), `predicate`, `object`, `datatype` of the object (empty for an entity, `BLANK_NODE`
for a blank node), and `language`, the rank of the object's language (-1 if names in it are ignored).
"""

_CREATE_ROLES = "create temporary table roles (predicate varchar, kind tinyint, rank smallint)"
_SET_LISTS = f"""
set variable roles = (select list(roles) from roles);
set variable naming = (select list(distinct predicate) from roles);
set variable names = (select list(distinct predicate) from roles where kind <> {TYPE});
"""
# Joins would change the order of the rows.
_ADD_NAMES = f"""
insert into names
select subject,
    role.kind + if(language = {{other}} and role.kind in ({LABEL}, {ALIAS}), {OTHER}, 0),
    role.rank * {{languages}} + language, object
from (
    select *, unnest(list_filter(getvariable('roles'), lambda role: role.predicate = {{rows}}.predicate)) as role
    from {{rows}} where subject <> '' and language >= 0 and list_contains(getvariable('naming'), predicate))
where (role.kind = {TYPE} or datatype <> '') and (role.kind <> {OBSOLETE} or object in ('true', '1'))
    and length(object) between 1 and if(role.kind = {DESCRIPTION}, 100000, {MAX_NAME_LENGTH})
"""
_USABLE_CONDITION = (
    f"length(subject) between 1 and {MAX_NAME_LENGTH} and length(object) between 1 and {MAX_NAME_LENGTH}"
    f" and language >= 0 and datatype <> '{BLANK_NODE}'"
    f" and not (datatype in {FLOATS} and lower(object) in ('inf', '+inf', '-inf', 'nan'))"
)
_ADD_EXCLUDED_NAMES = f"""
insert into others select hash(subject) from {{rows}}
where language < 0 and datatype <> '' and list_contains(
    [role.predicate for role in getvariable('roles') if role.kind in ({LABEL}, {ALIAS})], predicate)
"""
_ADD_USED_PREDICATES = f"""
insert into used select distinct predicate from roles
join (
    select distinct kind % {OTHER} as kind, rank // {{languages}} as rank from names)
using (kind, rank)
"""
_SELECT_FACTS = f"""
(
    select predicate as relation, subject, object, datatype from {{rows}}
    where {_USABLE_CONDITION} and not list_contains(getvariable('names'), predicate))
"""
_COUNT_LEFT_OUT = f"""
select count(*) from {{rows}} where not ({_USABLE_CONDITION}) and not list_contains(getvariable('names'), predicate)
"""


class TripleLoader:
    """Loader of triples into a store, as names or as facts."""

    def __init__(self, naming: Naming, loader: BulkLoader) -> None:
        self._loader = loader
        self._languages = len(naming.languages) + 1
        self._other = naming.other_languages_rank
        loader.connection.execute(_CREATE_ROLES)
        loader.connection.executemany("insert into roles values (?, ?, ?)", list(naming.roles()))
        loader.connection.execute(_SET_LISTS)
        obsolete = [*map(expand_prefix, OBSOLETE_TYPES)] if naming.obsolete else []
        loader.connection.execute(f"set variable obsolete_types = {obsolete}::varchar[]")

    def add(self, batch: Columns, *, names: bool = True, facts: bool = True) -> None:
        """Add the names or facts, or both, in some triples; unusable triples are counted."""
        import pyarrow

        self._loader.connection.register("batch", pyarrow.table(batch))
        self.add_rows("batch", names=names, facts=facts)
        self._loader.connection.unregister("batch")

    def add_rows(self, rows: str, *, names: bool = True, facts: bool = True) -> None:
        """Add the names or facts, or both, in a DuckDB table with the columns of `Columns`."""
        connection = self._loader.connection
        if names:
            connection.execute(_ADD_NAMES.format(rows=rows, languages=self._languages, other=self._other))
            connection.execute(_ADD_EXCLUDED_NAMES.format(rows=rows))
        if facts:
            self._loader.add(_SELECT_FACTS.format(rows=rows))
            [[count]] = connection.execute(_COUNT_LEFT_OUT.format(rows=rows)).fetchall()
            self._loader.left_out += count

    def close(self) -> None:
        """Store which predicates gave names; to be called after the last triple."""
        self._loader.connection.execute(_ADD_USED_PREDICATES.format(languages=self._languages))


COLUMNS = ("subject", "predicate", "object", "datatype", "language")
"""Names of the columns of triples."""

_POSITION = re.compile(r"^Parser error (?:at (?:line \d+ )?)?(?:((?:column|between columns) [\d and]+: )|.*?: )")
_NO_CONTEXT = "remote contexts are not fetched: put the context into the file"


def describe_broken_triple(message: str, name: str) -> str:
    """Return an error message of the parser without its line number, and with a hint if one is known."""
    hint = to_utf8(name) if "UTF-8" in message else _NO_CONTEXT if "remote contexts" in message else ""
    text = one_line(_POSITION.sub(lambda match: match[1] or "", message))
    return f"broken triple: {text}" + (f"; {hint}" if hint else "")


class TripleBatch:
    """Collector of triples as columns; adding batches takes a third of the time of adding single triples."""

    def __init__(self, naming: Naming) -> None:
        self._rank = cache(naming.rank_of)
        self._columns: dict[str, list[Any]] = {name: [] for name in COLUMNS}

    def __len__(self) -> int:
        return len(self._columns["subject"])

    def add(self, quads: Sequence[Quad]) -> None:
        """Add some triples, from all graphs."""
        from pyoxigraph import BlankNode, Literal, NamedNode

        subjects: list[Any] = [quad.subject for quad in quads]
        objects: list[Any] = [quad.object for quad in quads]
        plain = {type(value) for value in objects} <= {NamedNode, BlankNode, Literal}
        columns = self._columns
        columns["subject"] += ["" if type(s) is BlankNode else s.value for s in subjects]
        columns["predicate"] += [quad.predicate.value for quad in quads]
        columns["object"] += [o.value for o in objects] if plain else [getattr(o, "value", "") for o in objects]
        columns["datatype"] += [
            "" if type(o) is NamedNode else o.datatype.value if type(o) is Literal else BLANK_NODE for o in objects
        ]
        columns["language"] += [self._rank(o.language) if type(o) is Literal else 0 for o in objects]

    def take_columns(self) -> Columns:
        """Return the collected columns, and begin again with empty ones."""
        columns, self._columns = self._columns, {name: [] for name in COLUMNS}
        return columns
