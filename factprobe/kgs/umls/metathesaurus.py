"""UMLS Metathesaurus in its Rich Release Format, as distributed to licensees."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import ClassVar

from factprobe.config import KgConfig, path_of
from factprobe.kgs.on_disk.bulk_load import BulkLoader
from factprobe.kgs.on_disk.disk_graph import StoredFiles, StoredSettings
from factprobe.kgs.on_disk.store import StoredRelation
from factprobe.kgs.umls.rrf_files import RrfSelection, files_of, read_files

Names = tuple[str, ...]


class RrfSettings(StoredSettings, frozen=True, kw_only=True):
    """Settings of the Metathesaurus."""

    source: tuple[str, ...] | str | None = None
    """The Metathesaurus folder `META`."""
    vocabularies: Names | str | None = None
    """The source vocabularies (SAB) whose facts are used, e.g. `[SNOMEDCT_US,MED-RT]`; by default all."""
    relations: Names | str | None = None
    """The relations (RELA) to read; by default the run's `relations`, or all."""
    with_rel: bool = False
    """Use rows without a RELA too, as facts of the relation in REL: `RB`, `CHD`, `SIB` and so on."""


class Metathesaurus(StoredFiles):
    """Graph of the relations between concepts in MRREL, whose rows are read from right to left: CUI2 RELA CUI1."""

    settings_type: ClassVar[type[KgConfig]] = RrfSettings
    settings: RrfSettings
    source_kind: ClassVar[tuple[str, str]] = "folder", "META"

    @cached_property
    def read_options(self) -> RrfSelection:
        """Selected vocabularies and relations."""
        settings = self.settings
        return RrfSelection(_several(settings.vocabularies), _several(settings.relations), settings.with_rel)

    def fill(self, loader: BulkLoader) -> None:
        """Load the files."""
        read_files(self.paths, self.read_options, loader)

    def stored_relations(self) -> dict[str, StoredRelation]:
        """Return the relations by name, with the words of the name as label."""
        return {found.iri: found._replace(label=found.iri.replace("_", " ")) for found in self.all_relations()}

    def _find_files(self, name: str) -> list[Path]:
        return files_of(path_of(name))


def _several(names: Names | str | None) -> Names | None:
    """Return the names as a sorted tuple, since their order changes nothing."""
    return (names,) if isinstance(names, str) else names and tuple(sorted(names))
