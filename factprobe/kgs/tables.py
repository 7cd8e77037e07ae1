"""Tables of facts of any relations: CSV, TSV, Parquet and JSON Lines, KGX, the layout of KG embeddings."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import Any, ClassVar

from factprobe.config import Filled, KgConfig, path_of
from factprobe.errors import DataError, listed
from factprobe.inputs.base import Record
from factprobe.inputs.tables import Json, Parquet
from factprobe.kgs.columns import (
    ColumnNames,
    assert_facts,
    assert_named,
    assert_once,
    fact_columns,
    is_header,
    name_columns,
    warn_of_unused,
)
from factprobe.kgs.held import HeldGraph, SourceFact, SourceGraph, SourceSettings
from factprobe.kgs.names import Names, assert_used, collect_names, read_mapping, rows_of_names
from factprobe.kgs.rows import FactRow
from factprobe.records import Relation
from factprobe.storage import COMPRESSED, AlreadyNamed, csv_rows
from factprobe.text import counted

log = logging.getLogger(__name__)

_TRIPLE = ["subject", "relation", "object"]
_READERS: dict[str, type[Json | Parquet]] = {
    ".jsonl": Json,
    ".ndjson": Json,
    ".json": Json,
    ".parquet": Parquet,
    ".pq": Parquet,
}
_TABBED = (".tsv", ".tab", ".txt")
_TABLES = (".csv", *_TABBED, *_READERS)
_COMMENT = re.compile(r"#(?:\s|#|$)")
_SPLITS = ("train", "valid", "test")
_COMMENTED = "taken for a comment, with as many columns as a fact; if it is one, put a header before it"
_TRIED = 1000
"""Rows that tell whether a table without a header is one of facts."""

Records = Iterator[tuple[str, Record]]
_Rows = Iterator[tuple[int, list[str]]]


class TableSettings(SourceSettings, frozen=True, kw_only=True):
    """Of a graph in tables."""

    columns: ColumnNames = ColumnNames()
    """Under which names the columns stand, or their numbers from 1 where there is no header; by default as a plain
    header tells, or subject, relation, object without one."""
    labels: Filled | None = None
    """A table of ids and labels, and perhaps aliases and types; by default KGX's nodes, or entity2text, beside the
    facts."""
    relation_labels: Filled | None = None
    """The same of the relations; by default relation2text beside the facts."""
    separator: str = "|"
    """What stands between several names, or types, in one cell."""


class Tables(SourceGraph, HeldGraph):
    """Tables whose rows are facts; a folder is read as KGX's edges and nodes, or as the splits of a KG embedding."""

    settings_type: ClassVar[type[KgConfig]] = TableSettings
    settings: TableSettings

    def read(self) -> Iterator[SourceFact]:
        """See the base class."""
        known: set[str] = set()
        relations: set[str] = set()
        obsolete = 0
        for path in self.paths:
            columns, records = self._table(path, known)
            relation = path.name.partition(".")[0]
            for where, record in records:
                row = FactRow(record, columns, self.settings.separator)
                try:
                    fact = row.fact(relation, self._names)
                except ValueError as error:
                    self.problems.add(f"broken fact: {error}", where)
                else:
                    relations.add(fact.relation)
                    if any(self._names.is_obsolete(entity.uri) for entity in (fact.subject, fact.object)):
                        obsolete += 1
                    else:
                        yield fact
        if obsolete:
            log.warning("%s: %s about obsolete entities left out", self.place, counted(obsolete, "fact"))
        for name in relations:
            self._relation_names.get(name)
            self._names.get(name)
        if relations:
            assert_used(self._names, self._label_file, "kg.labels")
            assert_used(self._relation_names, self._relation_file, "kg.relation_labels")

    def inputs(self, relation: Relation) -> list[Path]:
        """See the base class; with the tables of names."""
        return [*super().inputs(relation), *filter(None, (self._label_file, self._relation_file))]

    def relation_label(self, name: str) -> str:
        """See the base class; the tables of names go before the facts."""
        known = self._relation_names.get(name) or self._names.get(name)
        return known.label if known else super().relation_label(name)

    @cached_property
    def _names(self) -> Names:
        return self._named(self._label_file)

    @cached_property
    def _relation_names(self) -> Names:
        return self._named(self._relation_file)

    @property
    def _label_file(self) -> Path | None:
        nodes = [path.name.replace("edges", "nodes") for path in self.paths if "edges" in path.name]
        return self._beside(self.settings.labels, (*nodes, "entity2text.txt", "entity2text.tsv"))

    @property
    def _relation_file(self) -> Path | None:
        return self._beside(self.settings.relation_labels, ("relation2text.txt", "relation2text.tsv"))

    def _beside(self, named: str | None, usual: Sequence[str]) -> Path | None:
        """The file that is named, or the first one of a usual name that lies beside the facts."""
        if named is not None:
            return path_of(named)
        folder = self.paths[0].parent
        return next((path for name in usual if (path := folder / name).is_file()), None)

    def _found(self, name: str) -> list[Path]:
        folder = path_of(name)
        if not folder.is_dir():
            return super()._found(name)
        tables = sorted(path for path in folder.iterdir() if _ending(path) in _TABLES)
        splits = [path for split in _SPLITS for path in tables if path.name.partition(".")[0] == split]
        found = splits or [path for path in tables if "edges" in path.name]
        if not found:
            hint = f"name its files: kg.source='{folder}/*.csv'"
            raise DataError("holds neither train.txt nor a table of edges", where=folder, hint=hint)
        return found

    def _table(self, path: Path, known: set[str]) -> tuple[ColumnNames, Records]:
        """The columns of a table, and its records.

        Args:
            path: the table.
            known: what stands in the tables without a header that come before, to which its cells are added.

        Raises:
            DataError: it is no table, or its columns cannot be told.
        """
        before = len(self.problems.messages)
        head, open_ = self._opened(path)
        if not head:
            what = "has no line that can be read" if len(self.problems.messages) > before else "is empty"
            raise DataError(what, where=path, hint="put a fact on each line: subject,relation,object")
        given, is_text = self.settings.columns, _ending(path) not in _READERS
        used: Sequence[str | int] | None = range(1, len(head) + 1) if is_text and given.are_numbers else None
        assert_named(given, used or head, path)
        columns = given if used else given.or_else(fact_columns(head))
        if columns.are_whole:
            assert_once(columns, used or head, path)
            warn_of_unused(columns, used or head, path)
            return columns, open_(used)
        if is_text and len(head) == len(_TRIPLE) and given == ColumnNames() and not is_header(head):
            records = open_(_TRIPLE)
            first = list(islice(records, _TRIED))
            rows = [[record[name].strip() for name in _TRIPLE] for _, record in first]
            assert_facts(rows, known, path)
            known.update(*rows)
            return ColumnNames(**dict(zip(_TRIPLE, _TRIPLE, strict=True))), chain(first, records)
        hint = "say which are which: kg.columns.subject=NAME kg.columns.relation=NAME kg.columns.object=NAME"
        if is_text:
            hint += ", or without a header by numbers: kg.columns.subject=1 kg.columns.object=2"
        raise DataError(f"has the columns {listed(head)}, and no plain header", where=path, hint=hint)

    def _opened(self, path: Path) -> tuple[list[str], Callable[[Sequence[str | int] | None], Records]]:
        """The first row of a table, or its keys, and what gives its records.

        That takes the names of the columns where the first row is a record too, and None where it names them.
        """
        ending = _ending(path)
        if reader := _READERS.get(ending):
            looked_at = reader(path, self.problems).records()
            some = islice(looked_at, 1) if reader is Parquet else looked_at  # where each record has all keys
            keys = list(dict.fromkeys(key for _, record in some for key in record))
            return keys, lambda _: reader(path, AlreadyNamed()).records()
        if ending not in _TABLES:
            hint = f"name a file that ends in {listed(_TABLES)}, or those and {listed(COMPRESSED)}"
            raise DataError("is no table by its name", where=path, hint=hint)
        head, itself, comments, rows = _headed(self._rows(path))
        names = [name.strip() for name in head]

        def open_(used: Sequence[str | int] | None) -> Records:
            if used and not is_header(names):
                for number in comments:
                    self.problems.add(_COMMENTED, f"{path}:{number}")
            return self._cells(path, used or names, chain(itself if used else [], rows))

        return names, open_

    def _rows(self, path: Path) -> _Rows:
        if _ending(path) in _TABBED:
            return csv_rows(path, self.problems, delimiter="\t", quoted=None)
        return csv_rows(path, self.problems)

    def _cells(self, path: Path, names: Sequence[Any], rows: _Rows) -> Records:
        for number, row in rows:
            if len(row) == len(names):
                yield f"{path}:{number}", dict(zip(names, row, strict=True))
            else:
                self.problems.add(
                    f"{counted(len(row), 'column')}, where the first line has {len(names)}", f"{path}:{number}"
                )

    def _named(self, path: Path | None) -> Names:
        """Return what a file of names says; the first line of one without a header is an entity too."""
        if path is None:
            return Names()
        if _ending(path) == ".json" and (mapped := read_mapping(path, self.problems)) is not None:
            return mapped
        head, open_ = self._opened(path)
        columns = name_columns(head)
        if columns is None and _ending(path) not in _READERS:
            _, first, _, rows = _headed(self._rows(path))
            records = rows_of_names(chain(first, rows), path, self.problems)
        else:
            records = open_(None)
        if columns is None and len(head) < 2:
            raise DataError("has one column, no id and label", where=path, hint="see that it is the right file")
        return collect_names(records, columns, self.settings.separator, self.problems)


def _headed(rows: _Rows) -> tuple[list[str], list[tuple[int, list[str]]], list[int], _Rows]:
    """The first row, the same as a record where it may be one, the lines of comments like it, and the other rows.

    A header may be the last comment with as many columns as what follows.
    """
    comments: list[tuple[int, list[str]]] = []
    for number, row in rows:
        if not any(map(str.strip, row)):
            continue
        if _COMMENT.match(row[0]):
            comments.append((number, [row[0].lstrip("# "), *row[1:]]))
            continue
        alike = [(at, comment) for at, comment in comments if len(comment) == len(row) > 1]
        if alike:
            return alike[-1][1], [], [at for at, _ in alike], chain([(number, row)], rows)
        return row, [(number, row)], [], rows
    return [], [], [], rows


def _ending(path: Path) -> str:
    """How the name of a file ends, without that of its compression."""
    plain = path.with_suffix("") if path.suffix.lower() in COMPRESSED else path
    return plain.suffix.lower()
