"""Bulk load of a source into DuckDB, which sorts facts and names on disk.

Facts are inserted as rows of hashes, with the hashed texts in other tables, and names as texts. Then names are
aggregated by entity, terms (entities and literals) are numbered, and facts, as term numbers, are sorted by relation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from factprobe.kgs.on_disk.entailment import entail
from factprobe.kgs.on_disk.fact_columns import BOOLEAN, DATES, MIDNIGHT, SEPARATOR

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

BATCH = 1 << 17
"""Number of rows that are inserted at once."""

LABEL, ALIAS, TYPE, DESCRIPTION, OBSOLETE, OTHER, OTHER_ALIAS = range(7)
"""Kinds of rows in the table of names.

`OBSOLETE` marks an obsolete entity. `OTHER` and `OTHER_ALIAS` are labels and aliases in other languages, which are used
if an entity has no name of the usual kinds; each is `OTHER` more than the usual kind.
"""

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
create temporary macro key(term, datatype) as hash(if({attempt} = 0, term, repeat('#', {attempt}) || term), datatype)
"""
"""SQL macro for the hash of a term or relation, with another salt in each attempt to load."""
_RELATION = "'relation'"
"""SQL text that replaces the data type where relations are hashed."""
_ADD_FACTS = (
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
_NAMES_BATCH = 4_000_000
"""Number of names that are aggregated at once; their texts have to fit into memory, as DuckDB does not spill them."""
_ENTITIES = """
create temporary table entities (
    entity varchar, names varchar, types varchar, description varchar, labelled boolean,
    obsolete boolean)
"""
_ONE_LINE = r"""if(
    regexp_matches({text}, '^ | $|  |[\t-\r\x1c-\x1f\x{{85}}]|[^\PZ ]'),
    trim(regexp_replace({text}, '[\t-\r\x1c-\x1f\x{{85}}\pZ]+', ' ', 'g')), {text})"""
"""SQL equivalent of `text.one_line`; the match first skips texts that need no change, in half the time."""
_JOIN_NAMES = f"""
insert into entities
select entity,
    coalesce(string_agg(name, '{SEPARATOR}' order by first) filter (kind = {LABEL}),
        nullif(concat_ws('{SEPARATOR}', arg_min(name, first) filter (kind = {OTHER}),
            string_agg(name, '{SEPARATOR}' order by first) filter (kind = {OTHER_ALIAS})), '')),
    string_agg(name, '{SEPARATOR}' order by first) filter (kind = {TYPE}),
    arg_min(name, first) filter (kind = {DESCRIPTION}),
    count(*) filter (kind = {OTHER} or kind = {LABEL} and first < {ALIAS}::bigint << 60) > 0,
    bool_or(kind = {OBSOLETE} or kind = {TYPE} and list_contains(getvariable('obsolete_types'), name))
from (
    select entity, if(kind = {ALIAS}, {LABEL}, kind) as kind, {_ONE_LINE.format(text="name")} as name,
        min((kind::bigint << 60) + (rank::bigint << 44) + rowid) as first
    from names where hash(entity) % ? = ? group by all)
where name <> '' group by entity
"""
_CREATE_RELATIONS = f"""
create temporary table relations as
select row_number() over (order by first) as number, relation, key
from (select relation as key, min(rowid) as first from facts group by relation)
    join (select distinct relation, key(relation, {_RELATION}) as key from predicates) using (key)
"""
_CREATE_TERMS = """
create temporary table terms as
select (row_number() over () - 1)::integer as number, term, datatype, key(term, datatype) as key, names, types,
    coalesce(labelled, false) as labelled, coalesce(obsolete, false) as obsolete
from (select distinct term, datatype from ends) left join entities on datatype = '' and term = entity
"""
_HAS_COLLISION = """
select count(*) > count(distinct key) from (select key from terms union all select key from relations)
"""
_CREATE_SORTED = """
create temporary table sorted as
select relations.number as relation, facts.rowid as place, s.number as subject, o.number as object, literal,
    s.labelled and (literal or o.labelled) as named
from facts join relations on facts.relation = relations.key
    join (select * from terms where datatype = '') s on facts.subject = s.key
    join terms o on facts.object = o.key
where not s.obsolete and not o.obsolete
order by 1, 2
"""
_CREATE_COUNTS = """
create table counts as
select number, relations.relation, start, found.entities, literals, linked, named, names, description,
    key in (from transitive) as transitive
from (
        select relation as number, min(rowid) as start, count(*) filter (not literal) as entities,
            count(*) filter (literal) as literals, count(*) filter (named and not literal) as linked,
            bool_or(named) as named
        from sorted group by relation) as found
    join relations using (number) left join entities on entity = {naming_entity}
order by number
"""
_CREATE_UNNAMED = """
create table unnamed as select term as entity, hash(term) in (select entity from others) as elsewhere
from terms where names is null and datatype = '' and not obsolete
"""
_CREATE_OBSOLETE = "create table obsolete as select count(*) as count from terms where obsolete"
SELECT_NODES = rf"""
select term, datatype, names, types,
    not regexp_matches(concat(term, names, types, datatype), '["\\\x00-\x1e]|urn:factprobe:')
        and if(datatype = '', names is not null, {_ONE_LINE.format(text="term")} = term and term not like '%{MIDNIGHT}'
            and not (datatype in {DATES} and regexp_matches(term, '^(-|0000)'))
            and not (datatype = '{BOOLEAN}' and term in ('0', '1')))
        as plain,
    '"' || term || '"' as uri,
    '"' || if(datatype = '', split_part(names, '{SEPARATOR}', 1), term) || '"' as label,
    if(contains(names, '{SEPARATOR}'),
        '["' || replace(names[instr(names, '{SEPARATOR}') + 1:], '{SEPARATOR}', '","') || '"]', '') as aliases,
    coalesce('["' || replace(if(datatype = '', types, datatype), '{SEPARATOR}', '","') || '"]', '') as classes,
    (md5_number(term) >> 64)::ubigint as digest
from terms order by number
"""
"""Query for the terms, with valid JSON if `plain` is true; `md5_number_lower` takes five times as long."""
SELECT_SORTED = "select subject, object, literal from sorted"


class BulkLoader:
    """Loader of a source into a DuckDB file; names are inserted directly into the table `names`.

    `attempt` is the number of earlier attempts, which failed since two texts had one hash.
    """

    def __init__(self, connection: DuckDBPyConnection, attempt: int = 0) -> None:
        self.connection = connection
        self.problems: list[tuple[str, str]] = []
        """Place and cause of each broken record."""
        self.left_out = 0
        """Number of facts that no question can use, and that are left out."""
        connection.execute(TABLES)
        connection.execute(KEY.format(attempt=attempt))

    def add(self, rows: str) -> None:
        """Add the facts of a table, or of a query in parentheses.

        Its columns are `relation`, `subject`, `object` and `datatype`; the last is empty if the object is an entity.
        """
        for query in _ADD_FACTS:
            self.connection.execute(query.format(rows=rows))


def sort(loader: BulkLoader, naming_entity: str) -> bool:
    """Sort the loaded facts and number their terms; return False, to load again, if two texts have one hash.

    `naming_entity` is an SQL expression that maps the column `relation` to the entity whose names the relation has.
    """
    import pyarrow

    connection = loader.connection
    if loader.problems:
        places, whats = zip(*loader.problems, strict=True)
        connection.register("broken", pyarrow.table({"place": places, "what": whats}))
        connection.execute("insert into problems from broken")
        connection.unregister("broken")
    entail(connection, OBSOLETE, naming_entity)
    connection.execute(_ENTITIES)
    [[count]] = connection.execute("select count(*) from names").fetchall()
    parts = 1 + count // _NAMES_BATCH
    for part in range(parts):
        connection.execute(_JOIN_NAMES, [parts, part])
    for query in ("drop table names", _CREATE_RELATIONS, _CREATE_TERMS, "drop table ends"):
        connection.execute(query)
    [[colliding]] = connection.execute(_HAS_COLLISION).fetchall()
    if colliding:
        return False
    for query in (
        _CREATE_SORTED,
        "drop table facts",
        _CREATE_COUNTS.format(naming_entity=naming_entity),
        _CREATE_UNNAMED,
        _CREATE_OBSOLETE,
    ):
        connection.execute(query)
    return True
