"""UMLS Metathesaurus in its Rich Release Format (UMLS Reference Manual, chapter 3), read by DuckDB.

A row is a line, each field ends in `|`, and no field is quoted. MRREL is read first, so that names and types are read
only for concepts in the selected rows.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from glob import escape
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from factprobe.config import KgConfig, path_of
from factprobe.errors import DataError, UnknownNameError, format_list
from factprobe.kgs.default_labels import MAX_NAME_LENGTH
from factprobe.kgs.on_disk.bulk_load import ALIAS, LABEL, TYPE, BulkLoader
from factprobe.kgs.on_disk.disk_graph import StoredFiles, StoredSettings
from factprobe.kgs.on_disk.store import StoredRelation
from factprobe.storage import DISK_FULL_ERRORS

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Names = tuple[str, ...]
_COLUMNS = {
    "MRREL": "CUI1 AUI1 STYPE1 REL CUI2 AUI2 STYPE2 RELA RUI SRUI SAB SL RG DIR SUPPRESS CVF",
    "MRCONSO": "CUI LAT TS LUI STT SUI ISPREF AUI SAUI SCUI SDUI SAB TTY CODE STR SRL SUPPRESS CVF",
    "MRSTY": "CUI TUI STN STY ATUI CVF",
    "MRRANK": "RANK SAB TTY SUPPRESS",
}
"""Names of the columns of each file."""
_OPTIONAL_FILE = "MRRANK"
_WHOLE_NAMES = ("{}.RRF", "{}.RRF.gz")
"""Names of a file that is not split, compressed or not."""
_PART_GLOBS = ("{}.RRF.??.gz", "{}.RRF.??")
"""Patterns of the names of the parts of a split file, compressed or not."""
_MAX_BROKEN_ROWS = 100_000
"""Number of broken rows from which a file is taken to have another format."""

_READ_CSV = (
    "read_csv($paths, columns={{{}}}, auto_detect=false, header=false, delim='|', quote='', escape='', "
    "store_rejects=true, rejects_scan='scans', rejects_table='rejects')"
)
_SELECTED_ROWS = """
from {rows} where SUPPRESS = 'N' and CUI1 <> CUI2 and {relation} is not null
    and ($vocabularies::varchar[] is null or SAB in $vocabularies::varchar[])
"""
_CREATE_FACTS = f"""
create temporary table related as
select {{relation}} as relation, CUI2 as subject, CUI1 as object, '' as datatype {_SELECTED_ROWS}
    and ($relations::varchar[] is null or {{relation}} in $relations::varchar[])
"""
_SELECT_RELATIONS = "select distinct relation from predicates"
_HAS_ROWS = f"select 1 {_SELECTED_ROWS} limit 1"
_SELECT_DISTINCT = f"select distinct {{column}} {_SELECTED_ROWS}"
_CREATE_CONCEPTS = "create temporary table concepts as select distinct term as CUI from ends"
_CREATE_RANKS = "create temporary table ranks (SAB varchar, TTY varchar, place int)"
_ADD_RANKS = "insert into ranks select SAB, TTY, 10000 - max(try_cast(RANK as int)) from {rows} group by SAB, TTY"
_ADD_NAMES = f"""
insert into names
select CUI, if(status = 0, {LABEL}, {ALIAS}), coalesce(place, 10000 + status), STR
from (
    select CUI, AUI, SAB, TTY, STR, 4 * (TS <> 'P')::int + 2 * (STT <> 'PF')::int + (ISPREF <> 'Y')::int as status
    from {{rows}} where LAT = 'ENG' and SUPPRESS = 'N' and length(STR) <= {MAX_NAME_LENGTH}
) semi join concepts using (CUI) left join ranks using (SAB, TTY)
order by CUI, AUI, STR
"""
_ADD_TYPES = (
    f"insert into names select CUI, {TYPE}, 0, STY from {{rows}} semi join concepts using (CUI) order by CUI, STY"
)
_SELECT_BROKEN = """
select file_path, line, lower(arg_min(error_type, column_idx)) from rejects join scans using (scan_id, file_id)
group by file_path, line order by file_path, line
"""


class RrfSelection(NamedTuple):
    """Selection of rows in MRREL."""

    vocabularies: tuple[str, ...] | None
    """Names of source vocabularies (SAB); None for all."""
    relations: tuple[str, ...] | None
    with_rel: bool
    """True if the relation of a row without a RELA is its REL."""

    @property
    def relation(self) -> str:
        """SQL expression for the relation of a row."""
        return "coalesce(RELA, REL)" if self.with_rel else "RELA"


def files_of(folder: Path) -> list[Path]:
    """Return the files of the Metathesaurus in a folder; each may be plain, compressed or in parts.

    Raises:
        DataError: The path is not a folder, or a file is missing or empty.
    """
    if not folder.is_dir():
        raise DataError("is not a folder", where=folder, hint="set kg.source= to the folder META of UMLS")
    paths: list[Path] = []
    for kind in _COLUMNS:
        whole = [path for form in _WHOLE_NAMES if (path := folder / form.format(kind)).exists()]
        parts = {path.name.removesuffix(".gz"): path for form in _PART_GLOBS for path in folder.glob(form.format(kind))}
        files = whole[:1] or [parts[name] for name in sorted(parts)]
        if not files and kind != _OPTIONAL_FILE:
            raise DataError(f"has no {kind}.RRF", where=folder, hint="set kg.source= to the folder META of UMLS")
        for path in files:
            if not path.stat().st_size:
                raise DataError("is empty", where=path, hint="copy or unpack it again")
        paths += files
    return paths


class _Files:
    """Files of the Metathesaurus by kind (`MRREL`), for queries by DuckDB."""

    def __init__(self, paths: Sequence[Path], connection: DuckDBPyConnection) -> None:
        self.connection = connection
        self._paths = {kind: [path for path in paths if path.name.startswith(f"{kind}.")] for kind in _COLUMNS}

    def has(self, kind: str) -> bool:
        return bool(self._paths[kind])

    def execute(
        self, kind: str, query: str, values: Mapping[str, Any] = MappingProxyType({}), **more: str
    ) -> list[Any]:
        """Return the result of a query in which the content of the files of a kind replaces `{rows}`."""
        import duckdb

        columns = ", ".join(f"{name}: 'varchar'" for name in _COLUMNS[kind].split())
        paths = [escape(str(path)) for path in self._paths[kind]]
        try:
            query = query.format(rows=_READ_CSV.format(columns), **more)
            return self.connection.execute(query, {**values, "paths": paths}).fetchall()
        except (duckdb.IOException, duckdb.InvalidInputException) as error:
            if any(os.strerror(number) in str(error) for number in DISK_FULL_ERRORS):
                raise
            hint = "check that it is complete"
            where = format_list([str(path) for path in self._paths[kind]])
            raise DataError(f"cannot be read: {str(error).splitlines()[0]}", where=where, hint=hint) from error

    def broken(self) -> list[tuple[str, str]]:
        """Return place and cause of each broken row; raise a `DataError` if they are too many for this format."""
        rows = self.connection.execute(_SELECT_BROKEN).fetchmany(_MAX_BROKEN_ROWS)
        if len(rows) == _MAX_BROKEN_ROWS:
            hint = "check that it is in the Rich Release Format (RRF)"
            raise DataError(f"has {_MAX_BROKEN_ROWS:,} or more broken rows", where=rows[0][0], hint=hint)
        return [(f"{path}:{line}", f"broken row: {what}") for path, line, what in rows]


def _check_relations(files: _Files, chosen: RrfSelection) -> None:
    relations = {name for [name] in files.connection.execute(_SELECT_RELATIONS).fetchall()}
    for name in chosen.relations or ():
        if name not in relations:
            values = {"vocabularies": chosen.vocabularies}
            names = files.execute("MRREL", _SELECT_DISTINCT, values, relation=chosen.relation, column=chosen.relation)
            raise UnknownNameError("relation", name, [known for [known] in names], where="relations")


class RrfSettings(StoredSettings, frozen=True, kw_only=True):
    """Settings of the Metathesaurus."""

    source: tuple[str, ...] | str | None = None
    """Folder `META` of the Metathesaurus."""
    vocabularies: Names | str | None = None
    """Source vocabularies (SAB) whose facts are used, e.g. `[SNOMEDCT_US,MED-RT]`; by default all."""
    relations: Names | str | None = None
    """Relations (RELA) to read; by default the setting `relations` of the run, or all."""
    with_rel: bool = False
    """Use rows without a RELA too, as facts of the relation in REL: `RB`, `CHD`, `SIB` and so on."""


class Metathesaurus(StoredFiles):
    """Graph of the relations between concepts in MRREL; the second concept of a row is the subject: CUI2 RELA CUI1."""

    settings_type: ClassVar[type[KgConfig]] = RrfSettings
    settings: RrfSettings
    source_kind: ClassVar[tuple[str, str]] = "folder", "META"

    @cached_property
    def read_options(self) -> RrfSelection:
        """Selected vocabularies and relations."""
        settings = self.settings
        return RrfSelection(_sort_names(settings.vocabularies), _sort_names(settings.relations), settings.with_rel)

    def fill(self, loader: BulkLoader) -> None:
        """Load the files, and report broken rows to the problems of the loader.

        Raises:
            DataError: A file cannot be read, or has too many broken rows.
            UnknownNameError: A selected vocabulary or relation does not occur.
        """
        files, chosen, connection = _Files(self.paths, loader.connection), self.read_options, loader.connection
        for name in chosen.vocabularies or ():
            if not files.execute("MRREL", _HAS_ROWS, {"vocabularies": [name]}, relation=chosen.relation):
                names = files.execute(
                    "MRREL", _SELECT_DISTINCT, {"vocabularies": None}, relation=chosen.relation, column="SAB"
                )
                raise UnknownNameError("source vocabulary", name, [known for [known] in names], where="kg.vocabularies")
        selection = {"vocabularies": chosen.vocabularies, "relations": chosen.relations}
        files.execute("MRREL", _CREATE_FACTS, selection, relation=chosen.relation)
        loader.add("related")
        connection.execute("drop table related")
        _check_relations(files, chosen)
        connection.execute(_CREATE_CONCEPTS)
        connection.execute(_CREATE_RANKS)
        if files.has(_OPTIONAL_FILE):
            files.execute(_OPTIONAL_FILE, _ADD_RANKS)
        files.execute("MRCONSO", _ADD_NAMES)
        files.execute("MRSTY", _ADD_TYPES)
        loader.problems += files.broken()

    def stored_relations(self) -> dict[str, StoredRelation]:
        """Return the relations by name, with the words of the name as label."""
        return {entry.iri: entry._replace(label=entry.iri.replace("_", " ")) for entry in self.all_relations()}

    def _find_files(self, name: str) -> list[Path]:
        return files_of(path_of(name))


def _sort_names(names: Names | str | None) -> Names | None:
    """Return the names in a setting as a sorted tuple, since their order has no meaning; None if it is not set."""
    return (names,) if isinstance(names, str) else names and tuple(sorted(names))
