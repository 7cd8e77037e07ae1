"""Store of facts and names on disk, sorted by DuckDB, for sources that do not fit into memory.

A source is loaded once. Then the facts of a relation are a range of rows in a file of facts, and their ends are row
numbers in a file of terms.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import cached_property, partial
from itertools import count
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, Any, NamedTuple

from factprobe.errors import ConfigError, DataError, require
from factprobe.kgs.default_labels import label_from_id, local_name_words
from factprobe.kgs.on_disk.bulk_load import BATCH, SELECT_NODES, SELECT_SORTED, BulkLoader, sort
from factprobe.kgs.on_disk.fact_columns import (
    SEPARATOR,
    TERMS_PER_BATCH,
    FactColumns,
    open_arrow,
    read_terms,
    write_terms,
)
from factprobe.records import Entity
from factprobe.storage.atomic_files import whole_file
from factprobe.storage.locks import hold_lock
from factprobe.workers import run_in_child_process

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

FORMAT_VERSION = 16
"""Version of the file format; a store in another version is rebuilt."""
_TERMS, _FACTS = ".arrow", ".facts"
"""Endings of the Arrow files of terms and of facts, in the folder of a store."""
_MEMORY_LIMIT = "1000MB"
_LOCK_WAIT = 24 * 3600.0
"""Seconds to wait while another process loads the same source."""
_OVERVIEW_QUERIES = (
    "select relation, entities, literals, linked, names, description, transitive, start from counts order by number",
    """
    select left_out, (select count(*) from problems), (select coalesce(bool_or(named), false) from counts),
        (select count from obsolete), (select count(*) from unnamed), (select count(*) from unnamed where elsewhere)
    from source
    """,
    "select predicate from used",
    "select relation, count from schema_counts",
)
"""Queries for relations, counts, used predicates and schema facts, run together when the store is opened."""


class StoredRelation(NamedTuple):
    """Relation in a store."""

    iri: str
    entities: int
    """Number of facts whose object is an entity."""
    literals: int
    """Number of facts whose object is a literal."""
    linked: int
    """Number of facts between two entities with labels."""
    label: str
    description: str
    transitive: bool
    """True if RDFS, SKOS or the source declares that the relation is transitive."""


class StoreCounts(NamedTuple):
    """Numbers of facts and entities in a store."""

    left_out: int
    """Number of facts that no question can use, and that are left out."""
    problems: int
    has_names: bool
    """True if at least one fact has names at both ends; otherwise ids serve as names."""
    obsolete: int
    """Number of obsolete entities, whose facts are left out."""
    unnamed: int
    """Number of entities without a name."""
    named_elsewhere: int
    """Number of entities without a name that have one in a language that the settings exclude."""


class Store:
    """Sorted facts of a source, in files that several processes may read.

    `fill` loads the source if the file of the store is missing or has another `signature`, a text that identifies the
    state of the source. `naming_entity` is an SQL expression that maps the column `relation` to the entity whose names
    the relation has. With `can_fork` the source is loaded in a child process, at whose end memory and threads are
    released.

    Raises:
        MissingExtraError: DuckDB or pyarrow is not installed.
        ConfigError: DuckDB cannot open a file with such a path.
    """

    def __init__(
        self,
        path: Path,
        signature: str,
        fill: Callable[[BulkLoader], None],
        naming_entity: str,
        *,
        can_fork: bool = False,
    ) -> None:
        require("duckdb", "pyarrow", extra="rdf", where=str(path))
        import duckdb  # noqa: F401  # before the fork: each child process would take half a second
        import pyarrow.compute

        pyarrow.array([])  # imports pandas where it is installed
        path = path.absolute()  # DuckDB would read s3:x as an address
        if odd := {"?", "\\"} & ({*str(path)} - {os.sep}):
            what = f"has {' and '.join(sorted(odd))} in its path, which DuckDB cannot open"
            raise ConfigError(what, where=path.parent, hint="set kg.store= to another folder")
        with hold_lock(path.with_suffix(".lock"), "write", _LOCK_WAIT):
            if not _is_current(path, signature):
                build = partial(_build_store, path, signature, fill, naming_entity)
                run_in_child_process(build) if can_fork else build()
        self._path = path

    def relations(self) -> Iterator[StoredRelation]:
        """Yield the relations with facts, in the order of the source."""
        for iri, entities, literals, linked, names, description, transitive, _ in self._overview[0]:
            label = (names or "").partition(SEPARATOR)[0]
            yield StoredRelation(iri, entities, literals, linked, label, description or "", transitive)

    def columns(self, relation: str, with_literals: bool) -> FactColumns:
        """Return the facts of a relation as columns."""
        import numpy as np
        import pyarrow.compute as pc

        with open_arrow(self._path.with_suffix(_FACTS)) as reader:
            facts = reader.read_all().slice(*self._row_ranges[relation])
        if not with_literals:
            facts = facts.filter(pc.invert(facts["literal"]))
        ends = {name: facts[name].to_numpy() for name in ("subject", "object")}
        numbers = np.sort(np.concatenate((ends["subject"], ends["object"])))
        numbers = numbers[np.flatnonzero(np.diff(numbers, prepend=-1))]  # takes a fifth of the time of np.unique
        rows = np.empty(numbers.max(initial=-1) + 1, int)
        rows[numbers] = np.arange(len(numbers))
        return FactColumns(read_terms(self._path.with_suffix(_TERMS), numbers), *(rows[end] for end in ends.values()))

    def facts(self, relation: str, with_literals: bool) -> Iterator[tuple[Entity, Entity]]:
        """Yield the ends of each fact of a relation, in the order of the source."""
        columns = self.columns(relation, with_literals)
        entities = columns.entities()
        for subject, object_ in zip(columns.subjects.tolist(), columns.objects.tolist(), strict=True):
            yield entities[subject], entities[object_]

    def problems(self) -> list[tuple[str, str]]:
        """Return place and cause of each broken record in the source."""
        query = "select place, what from problems order by rowid"
        return self._query_rows(query) if self.counts.problems else []

    @property
    def counts(self) -> StoreCounts:
        """Counts of the facts and entities."""
        [counts] = self._overview[1]
        return StoreCounts(*counts)

    @property
    def used_predicates(self) -> set[str]:
        """Predicates that gave a name to at least one entity."""
        return {name for (name,) in self._overview[2]}

    @property
    def schema_facts(self) -> dict[str, int]:
        """Numbers of facts about properties or with terms of RDF, RDFS and OWL, by relation; they are left out."""
        return dict(self._overview[3])

    def unlabelled(self, entities: Collection[str]) -> set[str]:
        """Return the ids in `entities` of entities that have no name in the source."""
        query = "select entity from unnamed semi join (select unnest(?::varchar[]) as entity) using (entity)"
        return {name for (name,) in self._query_rows(query, list(entities))}

    @cached_property
    def _row_ranges(self) -> dict[str, tuple[int, int]]:
        """First row and number of facts of each relation."""
        return {relation: (start, entities + literals) for relation, entities, literals, *_, start in self._overview[0]}

    @cached_property
    def _overview(self) -> list[list[Any]]:
        """Results of the overview queries, over one connection, as opening one takes longer than all of them."""
        with _connect(self._path) as connection:
            return [connection.execute(query).fetchall() for query in _OVERVIEW_QUERIES]

    def _query_rows(self, query: str, *values: Any) -> list[Any]:
        """Return the rows of a query, over a connection that is then closed, as its threads must not survive a fork."""
        with _connect(self._path) as connection:
            return connection.execute(query, values).fetchall()


def _build_store(path: Path, signature: str, fill: Callable[[BulkLoader], None], naming_entity: str) -> None:
    """Load the source into the files of the store, which appear only when they are complete."""
    folder = path.with_suffix(".tmp")
    _remove_path(folder)
    folder.mkdir(mode=0o700)  # another user could put a link there, which DuckDB would follow
    temporary = folder / path.name
    try:
        for attempt in count():
            temporary.unlink(missing_ok=True)
            with _connect(temporary, path) as connection:
                loader = BulkLoader(connection, attempt)
                fill(loader)
                connection.execute(
                    "insert into source values (?, ?)", [f"{FORMAT_VERSION} {signature}", loader.left_out]
                )
                if sort(loader, naming_entity):  # False if two texts have one hash
                    _write_files(connection, path)
                    break
        temporary.replace(path)
    finally:
        _remove_path(folder)


def _remove_path(folder: Path) -> None:
    """Remove a folder, or a file or link in its place; links are not followed."""
    if folder.is_dir() and not folder.is_symlink():
        rmtree(folder)
    else:
        folder.unlink(missing_ok=True)


def _write_files(connection: DuckDBPyConnection, path: Path) -> None:
    """Write the files of facts and terms, and what DuckDB has not yet written."""
    import pyarrow

    with whole_file(path.with_suffix(_TERMS)) as terms, whole_file(path.with_suffix(_FACTS)) as facts:
        path.unlink(missing_ok=True)  # removed before its facts and terms are replaced
        [[named]] = connection.execute("select coalesce(bool_or(named), false) from counts").fetchall()
        nodes = connection.sql(SELECT_NODES).to_arrow_reader(TERMS_PER_BATCH)
        write_terms(nodes, terms, label_from_id if named else local_name_words)
        rows = connection.sql(SELECT_SORTED).to_arrow_reader(BATCH)
        with pyarrow.ipc.new_file(facts, rows.schema) as writer:
            for batch in rows:
                writer.write_batch(batch)
        connection.execute("checkpoint")  # otherwise DuckDB writes at the close, which ignores that the disk is full


def _is_current(path: Path, signature: str) -> bool:
    """Return whether a store exists, can be opened and has this signature."""
    if not all(path.with_suffix(ending).exists() for ending in (path.suffix, _TERMS, _FACTS)):
        return False
    try:
        for ending in (_TERMS, _FACTS):
            with open_arrow(path.with_suffix(ending)):
                pass
        with _connect(path) as connection:
            return connection.execute("select signature from source").fetchall() == [(f"{FORMAT_VERSION} {signature}",)]
    except DataError:  # a damaged file, or one of another version or program: it is rebuilt
        return False


@contextmanager
def _connect(path: Path, becomes: Path | None = None) -> Iterator[DuckDBPyConnection]:
    """Yield a connection that can only read, or that writes a file which becomes that of a store.

    Raises:
        DataError: The file cannot be read or written.
        KeyboardInterrupt: A query was interrupted, for which DuckDB raises an error of its own.
    """
    import duckdb

    read_only = becomes is None
    settings: dict[str, str | bool | int | float | list[str]] = {
        "memory_limit": _MEMORY_LIMIT,
        "temp_directory": str(path.with_suffix(".spill")),
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        **({"threads": 1} if read_only else {}),
    }
    errors: tuple[type[duckdb.Error], ...] = (duckdb.Error,)
    fault, hint = "read", "delete it"
    if not read_only:
        errors = duckdb.OperationalError, duckdb.FatalException, duckdb.InvalidInputException
        fault, hint = "written", "make room, or set kg.store= to another folder"
    try:
        with duckdb.connect(str(path), read_only=read_only, config=settings) as connection:
            yield connection
    except errors as error:
        what = f"cannot be {fault}: {str(error).splitlines()[0]}"
        raise DataError(what, where=becomes or path, hint=f"{hint}, and run the same command again") from error
    except RuntimeError as error:
        if str(error) != "Query interrupted":
            raise
        raise KeyboardInterrupt from error
