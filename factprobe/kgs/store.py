"""Facts of any relations and the names of their ends, sorted on disk by DuckDB, so that neither need fit into memory.

A source is read once: each fact and each name is a row as it comes. Then the names of an entity are put together, and
the facts, with those of both ends, are sorted by relation. What is read later is one run of rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from factprobe.errors import require
from factprobe.records import Entity
from factprobe.storage.locks import hold
from factprobe.text import one_line

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

FORMAT = 1
"""Of the file; one of another is made anew."""
BATCH = 1 << 17
"""Rows that are handed over at once."""

_MEMORY = "600MB"
_WAIT = 24 * 3600.0
"""Seconds to wait for another process that reads the same source."""
_SIGN = "\x1f"
"""What stands between names in one column."""
LABEL, ALIAS, TYPE, DESCRIPTION = range(4)

_TABLES = """
create table facts (relation varchar, subject varchar, object varchar, datatype varchar);
create table names (entity varchar, kind tinyint, rank smallint, name varchar);
create table problems (place varchar, what varchar);
create table source (signature varchar, left_out bigint);
"""
_ENTITIES = (
    "create table entities (entity varchar, names varchar, types varchar, description varchar, labelled boolean)"
)
_IN_ORDER = "select entity, kind, name from names order by entity, kind, rank, rowid"
_SORTED = """
create table sorted as
select facts.relation, facts.rowid as place, facts.subject, s.names as subject_names, s.types as subject_types,
    facts.object, o.names as object_names, o.types as object_types, facts.datatype,
    coalesce(s.labelled, false) and coalesce(o.labelled, false) as linked
from facts left join entities s on facts.subject = s.entity
    left join entities o on facts.datatype = '' and facts.object = o.entity
order by facts.relation, place
"""
_COUNTS = """
create table counts as
select relation, min(place) as place, count(*) filter (datatype = '') as entities,
    count(*) filter (datatype <> '') as literals, count(*) filter (linked) as linked
from sorted group by relation
"""
_UNNAMED = """
create table unnamed as select count(distinct entity) as entities from (
    select subject as entity from sorted where subject_names is null
    union all select object from sorted where object_names is null and datatype = '')
"""
_FACTS = """
select subject, subject_names, subject_types, object, object_names, object_types, datatype from sorted
where relation = ? and (? or datatype = '') order by place
"""
_RELATIONS = """
select relation, counts.entities, literals, linked, names, description from counts
left join entities on entity = {name}
order by counts.place
"""


class Stored(NamedTuple):
    """A relation as a store has it."""

    iri: str
    entities: int
    """Facts whose object is an entity."""
    literals: int
    """Facts whose object is a literal."""
    linked: int
    """Facts both of whose ends have a label."""
    label: str
    description: str


class Rows:
    """Columns of a table that are filled row by row, and handed over in batches."""

    def __init__(self, connection: DuckDBPyConnection, table: str, columns: Sequence[str]) -> None:
        self._connection = connection
        self._table = table
        self._names = columns
        self.columns: tuple[list[Any], ...] = tuple([] for _ in columns)

    def flush(self) -> None:
        """Hands over what there is."""
        import pyarrow

        if self.columns[0]:
            batch = pyarrow.table(dict(zip(self._names, self.columns, strict=True)))
            self._connection.register("batch", batch)
            self._connection.execute(f"insert into {self._table} select * from batch")
            self._connection.unregister("batch")
            for column in self.columns:
                column.clear()

    def extend(self, rows: Iterator[tuple[Any, ...]]) -> None:
        """Adds rows, and hands them over."""
        for row in rows:
            for column, value in zip(self.columns, row, strict=True):
                column.append(value)
            if len(self.columns[0]) >= BATCH:
                self.flush()
        self.flush()


class Filling:
    """What a source is read into.

    Args:
        connection: to the file that is filled, for a source whose rows DuckDB itself can take.
    """

    def __init__(self, connection: DuckDBPyConnection) -> None:
        self.connection = connection
        self.facts = Rows(connection, "facts", ("relation", "subject", "object", "datatype"))
        """The data type is empty where the object is an entity."""
        self.names = Rows(connection, "names", ("entity", "kind", "rank", "name"))
        """Of one kind, the name of the lowest rank comes first."""
        self.problems: list[tuple[str, str]] = []
        """Place and cause of what is broken."""
        self.left_out = 0
        """Facts that nothing can be asked about."""


class Store:
    """The sorted facts of a source, in a file that several processes may read.

    Args:
        path: the file; it is made where there is none, or one of another source.
        signature: what tells one state of the source from another.
        fill: reads the source.

    Raises:
        MissingExtraError: DuckDB or pyarrow is not installed.
    """

    def __init__(self, path: Path, signature: str, fill: Callable[[Filling], None]) -> None:
        require("duckdb", "pyarrow", extra="rdf", where=str(path))
        with hold(path.with_suffix(".lock"), "write", _WAIT):
            if not _is_of(path, signature):
                _make(path, signature, fill)
        self._path = path

    def relations(self, name: str = "relation") -> Iterator[Stored]:
        """Those that have facts, in the order of the source.

        Args:
            name: an expression in SQL of `relation` that gives the entity which has the names of a relation.
        """
        for iri, entities, literals, linked, names, description in self._all(_RELATIONS.format(name=name)):
            label = (names or "").partition(_SIGN)[0]
            yield Stored(iri, entities, literals, linked, label, description or "")

    def facts(self, relation: str, with_literals: bool) -> Iterator[tuple[Entity, Entity]]:
        """The ends of each fact of a relation, in the order of the source; labels may be empty."""
        entities: dict[str, Entity] = {}
        rows = self._rows(_FACTS, relation, with_literals)
        for subject, subject_names, subject_types, object_, object_names, object_types, datatype in rows:
            first = entities.get(subject)
            if first is None:
                first = entities[subject] = _entity(subject, subject_names, subject_types)
            if datatype:
                yield first, Entity(object_, one_line(object_), (), (datatype,))
                continue
            second = entities.get(object_)
            if second is None:
                second = entities[object_] = _entity(object_, object_names, object_types)
            yield first, second

    def problems(self) -> list[tuple[str, str]]:
        """Place and cause of what was broken in the source."""
        return self._all("select place, what from problems order by rowid")

    def left_out(self) -> int:
        """How many facts nothing can be asked about."""
        [[count]] = self._all("select left_out from source")
        return int(count)

    def unnamed(self) -> int:
        """How many entities have no name."""
        [[count]] = self._all("select entities from unnamed")
        return int(count)

    def _all(self, query: str) -> list[Any]:
        return list(self._rows(query))

    def _rows(self, query: str, *values: Any) -> Iterator[Any]:
        """What a query gives; no connection, and so no thread, is left behind it where processes are doubled."""
        with _connected(self._path, read_only=True) as connection:
            yield from _fetched(connection.execute(query, values))


def _entity(uri: str, names: str | None, types: str | None) -> Entity:
    label, *aliases = names.split(_SIGN) if names else ("",)
    return Entity(uri, label, tuple(aliases), tuple(types.split(_SIGN)) if types else ())


def _make(path: Path, signature: str, fill: Callable[[Filling], None]) -> None:
    """Reads the source into the file, which appears when it is whole."""
    temporary = path.with_suffix(".tmp")
    temporary.unlink(missing_ok=True)
    try:
        connection = _connected(temporary)
        with connection:
            _fill(connection, signature, fill)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _fill(connection: DuckDBPyConnection, signature: str, fill: Callable[[Filling], None]) -> None:
    connection.execute(_TABLES)
    filling = Filling(connection)
    fill(filling)
    filling.facts.flush()
    filling.names.flush()
    connection.execute("insert into source values (?, ?)", [f"{FORMAT} {signature}", filling.left_out])
    if filling.problems:
        connection.executemany("insert into problems values (?, ?)", filling.problems)
    connection.execute(_ENTITIES)
    entities = Rows(connection, "entities", ("entity", "names", "types", "description", "labelled"))
    entities.extend(_named(connection.cursor().execute(_IN_ORDER)))
    connection.execute("drop table names")
    connection.execute(_SORTED)
    connection.execute("drop table facts")
    connection.execute(_COUNTS)
    connection.execute(_UNNAMED)


def _named(rows: DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
    """An entity with all its names, of names in the order of entities, kinds and ranks."""
    for entity, every in groupby(_fetched(rows), key=itemgetter(0)):
        found: tuple[dict[str, None], ...] = ({}, {}, {}, {})
        for _, kind, name in every:
            found[kind][one_line(name)] = None
        labels, aliases, types, descriptions = found
        names = _SIGN.join({**labels, **aliases}) or None
        yield entity, names, _SIGN.join(types) or None, next(iter(descriptions), None), bool(labels)


def _fetched(rows: DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
    while some := rows.fetchmany(BATCH):
        yield from some


def _is_of(path: Path, signature: str) -> bool:
    """Whether a file holds this state of the source."""
    import duckdb

    if not path.exists():
        return False
    try:
        with _connected(path, read_only=True) as connection:
            return connection.execute("select signature from source").fetchall() == [(f"{FORMAT} {signature}",)]
    except duckdb.Error:  # a file of another version, or none of ours: it is made anew
        return False


def _connected(path: Path, *, read_only: bool = False) -> DuckDBPyConnection:
    import duckdb

    settings: dict[str, str | bool | int | float | list[str]] = {
        "memory_limit": _MEMORY,
        "temp_directory": str(path.with_suffix(".spill")),
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
    }
    return duckdb.connect(str(path), read_only=read_only, config=settings)
