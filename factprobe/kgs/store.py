"""Facts of any relations and the names of their ends, sorted on disk by DuckDB, so that neither need fit into memory.

A source is read once. What is read later is one run of numbers and the terms that they stand for.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from functools import cached_property
from hashlib import blake2b
from itertools import count
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from factprobe.errors import ConfigError, require
from factprobe.kgs.filling import BATCH, NODES, SORTED, Filling, sort
from factprobe.kgs.plain import last_part, stand_in
from factprobe.kgs.terms import SIGN, TOGETHER, FactColumns, read_facts, read_terms, write_facts, write_terms
from factprobe.records import Entity
from factprobe.storage.locks import hold
from factprobe.storage.whole import whole_file
from factprobe.workers import apart

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

FORMAT = 11
"""Of the file; one of another is made anew."""
_MEMORY = "1000MB"
_WAIT = 24 * 3600.0
"""Seconds to wait for another process that reads the same source."""
_SMALL = {
    "counts": "select relation, entities, literals, linked, names, description, start from counts order by number",
    "left_out": "select left_out from source",
    "problems": "select count(*) from problems",
    "has_names": "select coalesce(bool_or(named), false) from counts",
    "obsolete": "select count from obsolete",
    "unnamed": "select count(*), count(*) filter (elsewhere) from unnamed",
    "used": "select predicate from used",
}
"""What is asked of every store."""


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


class Store:
    """The sorted facts of a source, in a file that several processes may read.

    Args:
        path: the file; it is made where there is none, or one of another source.
        signature: what tells one state of the source from another.
        fill: reads the source.
        described: an expression in SQL of `relation` that gives the entity which has the names of a relation.
        forks: it may be read in a process of its own, so that none of the memory and threads for it stay.

    Raises:
        MissingExtraError: DuckDB or pyarrow is not installed.
        ConfigError: DuckDB opens no file of such a path.
    """

    def __init__(
        self, path: Path, signature: str, fill: Callable[[Filling], None], described: str, *, forks: bool = False
    ) -> None:
        require("duckdb", "pyarrow", extra="rdf", where=str(path))
        path = path.absolute()  # s3:x would be an address
        if odd := {"?", "\\"} & ({*str(path)} - {os.sep}):
            what = f"has {' and '.join(sorted(odd))} in its path, with which DuckDB opens nothing"
            raise ConfigError(what, where=path.parent, hint="name another folder with kg.store=")
        with hold(path.with_suffix(".lock"), "write", _WAIT):
            if not _is_of(path, signature):
                if forks:
                    apart(lambda: _make(path, signature, fill, described))
                else:
                    _make(path, signature, fill, described)
        self._path = path

    def relations(self) -> Iterator[Stored]:
        """Those that have facts, in the order of the source."""
        for iri, entities, literals, linked, names, description, _ in self._small["counts"]:
            label = (names or "").partition(SIGN)[0]
            yield Stored(iri, entities, literals, linked, label, description or "")

    def columns(self, relation: str, with_literals: bool) -> FactColumns:
        """The facts of a relation."""
        import numpy as np
        import pyarrow.compute as pc

        facts = read_facts(_facts_of(self._path), *self._places[relation])
        if not with_literals:
            facts = facts.filter(pc.invert(facts["literal"]))
        ends = {name: facts[name].to_numpy() for name in ("subject", "object")}
        numbers = np.sort(np.concatenate((ends["subject"], ends["object"])))
        numbers = numbers[np.flatnonzero(np.diff(numbers, prepend=-1))]  # in a fifth of the time of np.unique
        rows = np.empty(numbers.max(initial=-1) + 1, int)
        rows[numbers] = np.arange(len(numbers))
        return FactColumns(read_terms(_terms_of(self._path), numbers), *(rows[end] for end in ends.values()))

    def facts(self, relation: str, with_literals: bool) -> Iterator[tuple[Entity, Entity]]:
        """The ends of each fact of a relation, in the order of the source."""
        columns = self.columns(relation, with_literals)
        entities = columns.entities()
        for subject, object_ in zip(columns.subjects.tolist(), columns.objects.tolist(), strict=True):
            yield entities[subject], entities[object_]

    def problems(self) -> list[tuple[str, str]]:
        """Place and cause of what was broken in the source."""
        [[count]] = self._small["problems"]
        return list(self._rows("select place, what from problems order by rowid")) if count else []

    def left_out(self) -> int:
        """How many facts nothing can be asked about."""
        [[count]] = self._small["left_out"]
        return int(count)

    def other_names(self) -> int:
        """How many of those without a name have one in a language that is not wanted."""
        [[_, count]] = self._small["unnamed"]
        return int(count)

    def used(self) -> set[str]:
        """The predicates that have named something."""
        return {name for (name,) in self._small["used"]}

    def obsolete(self) -> int:
        """Return how many entities are obsolete, whose facts are left out."""
        [[count]] = self._small["obsolete"]
        return int(count)

    def has_names(self) -> bool:
        """Return whether a fact has names at both ends, so that ids do not serve as names."""
        [[found]] = self._small["has_names"]
        return bool(found)

    def unnamed(self) -> int:
        """How many entities have no name."""
        [[count, _]] = self._small["unnamed"]
        return int(count)

    def unlabelled(self, entities: Collection[str]) -> set[str]:
        """Those that have no name, of some entities as the source writes them."""
        query = "select entity from unnamed semi join (select unnest(?::varchar[]) as entity) using (entity)"
        return {name for (name,) in self._rows(query, list(entities))}

    @cached_property
    def _places(self) -> dict[str, tuple[int, int]]:
        """Where the facts of each relation begin in their file, and how many they are."""
        rows = self._small["counts"]
        return {relation: (start, entities + literals) for relation, entities, literals, *_, start in rows}

    @cached_property
    def _small(self) -> dict[str, list[Any]]:
        """What is asked of every store, over one connection: to open one takes several times as long."""
        with _connected(self._path, read_only=True) as connection:
            return {name: connection.execute(query).fetchall() for name, query in _SMALL.items()}

    def _rows(self, query: str, *values: Any) -> Iterator[Any]:
        """What a query gives; no connection, and so no thread, is left behind it where processes are doubled."""
        with _connected(self._path, read_only=True) as connection:
            yield from _fetched(connection.execute(query, values))


def hashed(value: object) -> str:
    """What tells one source from another, 16 hexadecimal digits."""
    return blake2b(msgspec.json.encode(value), digest_size=8).hexdigest()


def _terms_of(path: Path) -> Path:
    """The file of what stands at the ends of a store's facts."""
    return path.with_suffix(".arrow")


def _facts_of(path: Path) -> Path:
    """The file of a store's facts."""
    return path.with_suffix(".facts")


def _make(path: Path, signature: str, fill: Callable[[Filling], None], described: str) -> None:
    """Reads the source into the files, which appear when they are whole."""
    folder = path.with_suffix(".tmp")
    _clear(folder)
    folder.mkdir(mode=0o700)  # a link in it, which DuckDB would follow, is nobody else's
    temporary = folder / path.name
    try:
        for again in count():
            temporary.unlink(missing_ok=True)
            with _connected(temporary) as connection:
                if _fill(connection, signature, fill, described, again):
                    _write(connection, path)
                    break
        temporary.replace(path)
    finally:
        _clear(folder)


def _clear(folder: Path) -> None:
    """Remove a folder, or what stands in its place; a link is not followed."""
    if folder.is_dir() and not folder.is_symlink():
        rmtree(folder)
    else:
        folder.unlink(missing_ok=True)


def _fill(
    connection: DuckDBPyConnection, signature: str, fill: Callable[[Filling], None], described: str, again: int
) -> bool:
    """Reads the source; false where it has to be read again, with other hashes."""
    filling = Filling(connection, again)
    fill(filling)
    connection.execute("insert into source values (?, ?)", [f"{FORMAT} {signature}", filling.left_out])
    return sort(filling, described)


def _write(connection: DuckDBPyConnection, path: Path) -> None:
    """Writes what is not in the database itself."""
    with whole_file(_terms_of(path)) as terms, whole_file(_facts_of(path)) as facts:
        path.unlink(missing_ok=True)  # of the facts and terms that are to go
        [[named]] = connection.execute("select coalesce(bool_or(named), false) from counts").fetchall()
        write_terms(connection.sql(NODES).to_arrow_reader(TOGETHER), terms, stand_in if named else last_part)
        write_facts(connection.sql(SORTED).to_arrow_reader(BATCH), facts)


def _fetched(rows: DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
    while some := rows.fetchmany(BATCH):
        yield from some


def _is_of(path: Path, signature: str) -> bool:
    """Whether a file holds this state of the source."""
    import duckdb

    if not all(file.exists() for file in (path, _terms_of(path), _facts_of(path))):
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
        **({"threads": 1} if read_only else {}),
    }
    return duckdb.connect(str(path), read_only=read_only, config=settings)
