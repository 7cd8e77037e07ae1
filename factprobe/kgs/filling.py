"""What a source is read into, and how DuckDB sorts it, so that neither facts nor names need fit into memory.

Each fact is a row of hashes as it comes, beside the texts that these stand for, and each name is a row. Then the names
of an entity are put together, what stands at the ends of facts is numbered, and the facts are sorted by relation as
numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from factprobe.kgs.terms import MIDNIGHT, SIGN

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

BATCH = 1 << 17
"""Rows that are handed over at once."""

LABEL, ALIAS, TYPE, DESCRIPTION, OTHER, OBSOLETE = range(6)
"""Kinds of names; `OTHER` is a label that is taken where there is neither another nor an alias, `OBSOLETE` is no name
but says that the entity is obsolete."""

TABLES = """
create temporary table facts (relation ubigint, subject ubigint, object ubigint, literal boolean);
create temporary table ends (term varchar, datatype varchar);
create temporary table predicates (relation varchar);
create temporary table names (entity varchar, kind tinyint, rank smallint, name varchar);
create table problems (place varchar, what varchar);
create table source (signature varchar, left_out bigint);
create temporary table others (entity ubigint);
create table used (predicate varchar);
"""
KEY = """
create temporary macro key(term, datatype) as hash(if({again} = 0, term, repeat('#', {again}) || term), datatype)
"""
"""What stands for a term or a relation; other hashes each time that it is tried again."""
_RELATION = "'relation'"
"""In place of a data type."""
_ADDED = (
    f"""
insert into facts select key(relation, {_RELATION}), key(subject, ''), key(object, datatype), datatype <> ''
from {{rows}}
""",
    """
insert into ends select distinct term, datatype
from (select subject as term, '' as datatype from {rows} union all select object, datatype from {rows})
""",
    "insert into predicates select distinct relation from {rows}",
)
_NAMES_AT_ONCE = 4_000_000
"""Names that are put together at once; the texts of so many fit into memory, and DuckDB spills no texts of groups."""
_ENTITIES = """
create temporary table entities (
    entity varchar, names varchar, types varchar, description varchar, labelled boolean,
    obsolete boolean)
"""
_ONE_LINE = r"""if(
    regexp_matches({text}, '^ | $|  |[\t-\r\x1c-\x1f\x{{85}}]|[^\PZ ]'),
    trim(regexp_replace({text}, '[\t-\r\x1c-\x1f\x{{85}}\pZ]+', ' ', 'g')), {text})"""
"""What `text.one_line` gives; most texts are it already, which is found in half the time."""
_NAMED = f"""
insert into entities
select entity,
    coalesce(string_agg(name, '{SIGN}' order by first) filter (kind = {LABEL}),
        arg_min(name, first) filter (kind = {OTHER})),
    string_agg(name, '{SIGN}' order by first) filter (kind = {TYPE}),
    arg_min(name, first) filter (kind = {DESCRIPTION}),
    count(*) filter (kind = {OTHER} or kind = {LABEL} and first < {ALIAS}::bigint << 60) > 0,
    bool_or(kind = {OBSOLETE} or kind = {TYPE} and list_contains(getvariable('obsolete_types'), name))
from (
    select entity, if(kind = {ALIAS}, {LABEL}, kind) as kind, {_ONE_LINE.format(text="name")} as name,
        min((kind::bigint << 60) + (rank::bigint << 44) + rowid) as first
    from names where hash(entity) % ? = ? group by all)
where name <> '' group by entity
"""
_RELATIONS = f"""
create temporary table relations as
select row_number() over (order by first) as number, relation, key
from (select relation as key, min(rowid) as first from facts group by relation)
    join (select distinct relation, key(relation, {_RELATION}) as key from predicates) using (key)
"""
_TERMS = """
create temporary table terms as
select (row_number() over () - 1)::integer as number, term, datatype, key(term, datatype) as key, names, types,
    coalesce(labelled, false) as labelled, coalesce(obsolete, false) as obsolete
from (select distinct term, datatype from ends) left join entities on datatype = '' and term = entity
"""
_COLLIDING = """
select count(*) > count(distinct key) from (select key from terms union all select key from relations)
"""
_SORTED = """
create temporary table sorted as
select relations.number as relation, facts.rowid as place, s.number as subject, o.number as object, literal,
    s.labelled and (literal or o.labelled) as named
from facts join relations on facts.relation = relations.key
    join (select * from terms where datatype = '') s on facts.subject = s.key
    join terms o on facts.object = o.key
where not s.obsolete and not o.obsolete
order by 1, 2
"""
_COUNTS = """
create table counts as
select number, relations.relation, start, found.entities, literals, linked, named, names, description
from (
        select relation as number, min(rowid) as start, count(*) filter (not literal) as entities,
            count(*) filter (literal) as literals, count(*) filter (named and not literal) as linked,
            bool_or(named) as named
        from sorted group by relation) as found
    join relations using (number) left join entities on entity = {described}
order by number
"""
_UNNAMED = """
create table unnamed as select term as entity, hash(term) in (select entity from others) as elsewhere
from terms where names is null and datatype = '' and not obsolete
"""
_OBSOLETE = "create table obsolete as select count(*) as count from terms where obsolete"
NODES = rf"""
select term, datatype, names, types,
    not regexp_matches(concat(term, names, types, datatype), '["\\\x00-\x1e]|urn:factprobe:')
        and if(datatype = '', names is not null, {_ONE_LINE.format(text="term")} = term and term not like '%{MIDNIGHT}')
        as plain,
    '"' || term || '"' as uri,
    '"' || if(datatype = '', split_part(names, '{SIGN}', 1), term) || '"' as label,
    if(contains(names, '{SIGN}'),
        '["' || replace(names[instr(names, '{SIGN}') + 1:], '{SIGN}', '","') || '"]', '') as aliases,
    coalesce('["' || replace(if(datatype = '', types, datatype), '{SIGN}', '","') || '"]', '') as classes,
    (md5_number(term) >> 64)::ubigint as digest
from terms order by number
"""
"""With the JSON of those that are plain. The digest is `md5_number_lower`, which takes five times as long."""
SORTED = "select subject, object, literal from sorted"


class Filling:
    """What a source is read into.

    Args:
        connection: to the file that is filled; names go to the table `names`.
        again: how often it was read before.
    """

    def __init__(self, connection: DuckDBPyConnection, again: int = 0) -> None:
        self.connection = connection
        self.problems: list[tuple[str, str]] = []
        """Place and cause of what is broken."""
        self.left_out = 0
        """Facts that nothing can be asked about."""
        connection.execute(TABLES)
        connection.execute(KEY.format(again=again))

    def add(self, rows: str) -> None:
        """Adds the facts of a table, or of a query in parentheses, with `relation`, `subject`, `object` and `datatype`,
        which is empty where the object is an entity."""
        for query in _ADDED:
            self.connection.execute(query.format(rows=rows))


def sort(filling: Filling, described: str) -> bool:
    """Sorts what a source was read into; the facts and their terms are left for files of their own.

    Args:
        filling: has it.
        described: an expression in SQL of `relation` that gives the entity which has the names of a relation.

    Returns:
        Whether there are no two texts of one hash; if there are, nothing is of use.
    """
    import pyarrow

    connection = filling.connection
    if filling.problems:
        places, whats = zip(*filling.problems, strict=True)
        connection.register("broken", pyarrow.table({"place": places, "what": whats}))
        connection.execute("insert into problems from broken")
        connection.unregister("broken")
    connection.execute(_ENTITIES)
    [[count]] = connection.execute("select count(*) from names").fetchall()
    parts = 1 + count // _NAMES_AT_ONCE
    for part in range(parts):
        connection.execute(_NAMED, [parts, part])
    for query in ("drop table names", _RELATIONS, _TERMS, "drop table ends"):
        connection.execute(query)
    [[colliding]] = connection.execute(_COLLIDING).fetchall()
    if colliding:
        return False
    for query in (_SORTED, "drop table facts", _COUNTS.format(described=described), _UNNAMED, _OBSOLETE):
        connection.execute(query)
    return True
