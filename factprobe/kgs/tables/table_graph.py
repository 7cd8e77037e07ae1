"""Graphs in tables of facts: CSV, TSV, Parquet, JSON Lines, KGX, and data sets of KG embeddings."""

from __future__ import annotations

import logging
import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import Any, ClassVar

from msgspec.structs import astuple

from factprobe.config import Filled, KgConfig, NotEmpty, path_of
from factprobe.errors import DataError, format_list
from factprobe.inputs.base import Record
from factprobe.inputs.table_formats import READERS, Csv, Parquet
from factprobe.kgs.in_memory.memory_graph import InMemoryGraph, SourceFact
from factprobe.kgs.sources import SourceGraph, SourceSettings, plain_path
from factprobe.kgs.tables.column_checks import (
    PROPERTIES_HINT,
    check_columns_exist,
    check_ends_differ,
    check_facts,
    check_unique,
    warn_of_unused,
)
from factprobe.kgs.tables.column_names import ColumnNames, fact_columns, is_header, name_columns
from factprobe.kgs.tables.fact_rows import FactRow
from factprobe.kgs.tables.label_files import check_matches_facts, collect_names, read_mapping, rows_of_names
from factprobe.kgs.tables.label_index import LabelIndex
from factprobe.records import Relation
from factprobe.storage import COMPRESSED, SilentProblems, csv_rows
from factprobe.text import format_count

log = logging.getLogger(__name__)

_TRIPLE = ["subject", "relation", "object"]
_READERS = {ending: reader for ending, reader in READERS.items() if reader is not Csv}
"""Readers of tables whose records have keys, by file ending; other tables are rows, perhaps without a header."""
_TAB_ENDINGS = (".tsv", ".tab", ".txt")
_TABLE_ENDINGS = (".csv", *_TAB_ENDINGS, *_READERS)
_COMMENT = re.compile(r"#(?:\s|#|$)")
_SPLIT_NAMES = ("train", "valid", "test")
_COMMENT_PROBLEM = "read as a comment, but has as many columns as a fact; if it is a fact, put a header before it"
_CHECKED_ROWS = 1000
"""Number of rows by which it is decided whether a table without a header has facts."""

Records = Iterator[tuple[str, Record]]
_Rows = Iterator[tuple[int, list[str]]]


class TableSettings(SourceSettings, frozen=True, kw_only=True):
    """Settings of a graph in tables."""

    columns: ColumnNames = ColumnNames()
    """Names of the columns or, without a header, their numbers from 1; by default they are guessed from the header, or
    are subject, relation and object in a file without a header."""
    labels: Filled | None = None
    """Table of entity ids and labels, perhaps with aliases and types; by default the nodes of KGX, or `entity2text`, in
    the folder of the facts."""
    relation_labels: Filled | None = None
    """Table of relation ids and labels; by default `relation2text` in the folder of the facts."""
    separator: NotEmpty = "|"
    """Separator of aliases or types in one cell."""


class TableGraph(SourceGraph, InMemoryGraph):
    """Graph from tables whose rows are facts.

    A folder is read as edges and nodes of KGX, or as the splits of a data set for KG embeddings.
    """

    settings_type: ClassVar[type[KgConfig]] = TableSettings
    settings: TableSettings

    def read(self) -> Iterator[SourceFact]:
        """Yield the facts of all tables, except negated facts and facts of obsolete entities."""
        cells: set[str] = set()
        relations: set[str] = set()
        left_out: Counter[str] = Counter()
        for path in self.paths:
            columns, records = self._columns_and_records(path, cells)
            relation = path.name.partition(".")[0]
            for where, record in records:
                row = FactRow(record, columns, self.settings.separator)
                try:
                    fact, is_denied = row.to_fact(relation, self._label_index), row.is_true(columns.denied)
                except ValueError as error:
                    self.problems.add(f"broken fact: {error}", where)
                else:
                    relations.add(fact.relation)
                    if any(self._label_index.is_obsolete(entity.uri) for entity in (fact.subject, fact.object)):
                        left_out["about obsolete entities"] += 1
                    elif is_denied:
                        left_out["marked as negated or obsolete"] += 1
                    else:
                        yield fact
        for why, count in left_out.items():
            log.warning("%s: %s %s skipped", self.place, format_count(count, "fact"), why)
        for name in relations:
            self._relation_names.get(name)
            self._label_index.get(name)
        if relations:
            check_matches_facts(self._label_index, self._label_file, "kg.labels")
            check_matches_facts(self._relation_names, self._relation_file, "kg.relation_labels")

    def inputs(self, relation: Relation) -> list[Path]:
        """Return the files of facts and the tables of names."""
        return [*super().inputs(relation), *filter(None, (self._label_file, self._relation_file))]

    def relation_label(self, name: str) -> str:
        """Return the label of a relation; the tables of names take precedence over the facts."""
        entity = self._relation_names.get(name) or self._label_index.get(name)
        return entity.label if entity else super().relation_label(name)

    @cached_property
    def _label_index(self) -> LabelIndex:
        return self._read_labels(self._label_file)

    @cached_property
    def _relation_names(self) -> LabelIndex:
        return self._read_labels(self._relation_file)

    @property
    def _label_file(self) -> Path | None:
        nodes = [path.name.replace("edges", "nodes") for path in self.paths if "edges" in path.name]
        return self._choose_file(self.settings.labels, (*nodes, "entity2text.txt", "entity2text.tsv"))

    @property
    def _relation_file(self) -> Path | None:
        return self._choose_file(self.settings.relation_labels, ("relation2text.txt", "relation2text.tsv"))

    def _choose_file(self, file_setting: str | None, usual: Sequence[str]) -> Path | None:
        """Return the file in the settings, or else the first with a usual name near the facts; None without either."""
        if file_setting is not None:
            return path_of(file_setting)
        folder = self.paths[0].parent
        return next((path for name in usual if (path := folder / name).is_file()), None)

    def _find_files(self, name: str) -> list[Path]:
        folder = path_of(name)
        if not folder.is_dir():
            return super()._find_files(name)
        tables = sorted(path for path in folder.iterdir() if _file_ending(path) in _TABLE_ENDINGS)
        splits = [path for split in _SPLIT_NAMES for path in tables if path.name.partition(".")[0] == split]
        files = splits or [path for path in tables if "edges" in path.name]
        if not files:
            hint = f"name its files: kg.source='{folder}/*.csv'"
            raise DataError("has neither train.txt nor a table of edges", where=folder, hint=hint)
        return files

    def _columns_and_records(self, path: Path, known: set[str]) -> tuple[ColumnNames, Records]:
        """Return the columns of a table, and its records.

        `known` has the cells of earlier tables without a header; the cells of this table are added.

        Raises:
            DataError: The columns cannot be determined.
        """
        before = len(self.problems.messages)
        head, open_ = self._open_table(path)
        if not head:
            what = "has no readable line" if len(self.problems.messages) > before else "is empty"
            raise DataError(what, where=path, hint="put a fact on each line: subject,relation,object")
        given, is_text = self.settings.columns, _file_ending(path) not in _READERS
        used: Sequence[str | int] | None = range(1, len(head) + 1) if is_text and given.has_numbers else None
        check_columns_exist(given, used or head, path)
        columns = given if used else given.fill_from(fact_columns(head))
        check_ends_differ(columns, path)
        if columns.has_both_ends:
            check_unique(columns, used or head, path)
            warn_of_unused(columns, used or head, path)
            return columns, open_(used)
        if is_text and len(head) == len(_TRIPLE) and given == ColumnNames() and not is_header(head):
            records = open_(_TRIPLE)
            first = list(islice(records, _CHECKED_ROWS))
            rows = [[record[name].strip() for name in _TRIPLE] for _, record in first]
            check_facts(rows, known, path)
            known.update(*rows)
            return ColumnNames(**dict(zip(_TRIPLE, _TRIPLE, strict=True))), chain(first, records)
        ends = [end for end in ("subject", "object") if getattr(columns, end) is None]
        free = [column for column in head if column not in astuple(columns)]
        example = (f"kg.columns.{end}={column}" for end, column in zip(ends, free, strict=False))
        hint = f"name the columns, such as {shlex.join(example) or 'kg.columns.object=NAME'}"
        if is_text:
            hint += ", or their numbers if there is no header: kg.columns.subject=1 kg.columns.object=2"
        if columns.relation is None:
            hint += f"; a column of relations, if there is one, is kg.columns.relation=NAME; {PROPERTIES_HINT}"
        raise DataError(f"has the columns {format_list(head)}, and no known header", where=path, hint=hint)

    def _open_table(self, path: Path) -> tuple[list[str], Callable[[Sequence[str | int] | None], Records]]:
        """Return the first row or the keys of a table, and a function that returns its records.

        The argument of the function is the column names if the first row is a record, and None if it is a header.
        """
        ending = _file_ending(path)
        if reader := _READERS.get(ending):
            looked_at = reader(path, self.problems).records()
            sample = islice(looked_at, 1) if reader is Parquet else looked_at  # in Parquet every record has all keys
            keys = list(dict.fromkeys(key for _, record in sample for key in record))
            return keys, lambda _: reader(path, SilentProblems()).records()
        if ending not in _TABLE_ENDINGS:
            hint = f"name a file that ends in {format_list(_TABLE_ENDINGS)}, or those and {format_list(COMPRESSED)}"
            raise DataError("has no known ending of a table", where=path, hint=hint)
        head, itself, comments, rows = _split_header(self._read_rows(path))
        names = [name.strip() for name in head]

        def open_(used: Sequence[str | int] | None) -> Records:
            if used and not is_header(names):
                for number in comments:
                    self.problems.add(_COMMENT_PROBLEM, f"{path}:{number}")
            return self._make_records(path, used or names, chain(itself if used else [], rows))

        return names, open_

    def _read_rows(self, path: Path) -> _Rows:
        if _file_ending(path) in _TAB_ENDINGS:
            return csv_rows(path, self.problems, delimiter="\t", quoted=None)
        return csv_rows(path, self.problems)

    def _make_records(self, path: Path, names: Sequence[Any], rows: _Rows) -> Records:
        for number, row in rows:
            if len(row) == len(names):
                yield f"{path}:{number}", dict(zip(names, row, strict=True))
            else:
                what = f"{format_count(len(row), 'column')}, where the first line has {len(names)}"
                self.problems.add(what, f"{path}:{number}")

    def _read_labels(self, path: Path | None) -> LabelIndex:
        """Return the names in a file, which may have a header."""
        if path is None:
            return LabelIndex()
        if _file_ending(path) == ".json" and (mapped := read_mapping(path, self.problems)) is not None:
            return mapped
        head, open_ = self._open_table(path)
        columns = name_columns(head)
        if columns is None and _file_ending(path) not in _READERS:
            _, first, _, rows = _split_header(self._read_rows(path))
            records = rows_of_names(chain(first, rows), path, self.problems)
        else:
            records = open_(None)
        if columns is not None:
            warn_of_unused(columns, head, path)
        if columns is None and len(head) < 2:
            raise DataError("has one column, not an id and a label", where=path, hint="check that it is the right file")
        return collect_names(records, columns, self.settings.separator, self.problems)


def _split_header(rows: _Rows) -> tuple[list[str], list[tuple[int, list[str]]], list[int], _Rows]:
    """Split the rows of a table into its header and the rest.

    The last comment before the first row that has as many columns is the header; without one, the first row may be it.

    Returns:
        The header; the first row, as a list of one, if it may be the header or a record; the line numbers of comments
        with as many columns as the first row; and the other rows.
    """
    comments: list[tuple[int, list[str]]] = []
    for number, row in rows:
        if not any(map(str.strip, row)):
            continue
        if _COMMENT.match(row[0]):
            comments.append((number, [row[0].lstrip("# "), *row[1:]]))
            continue
        candidates = [(at, comment) for at, comment in comments if len(comment) == len(row) > 1]
        if candidates:
            return candidates[-1][1], [], [at for at, _ in candidates], chain([(number, row)], rows)
        return row, [(number, row)], [], rows
    return [], [], [], rows


def _file_ending(path: Path) -> str:
    """Return the ending of a file name in lower case, apart from one of compression."""
    return plain_path(path).suffix.lower()
