"""UMLS as its licensees have it: the Metathesaurus in its Rich Release Format."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import ClassVar

from factprobe.config import KgConfig, path_of
from factprobe.kgs.filling import Filling
from factprobe.kgs.rrf_files import Chosen, files_of, read_files
from factprobe.kgs.store import Stored
from factprobe.kgs.stored import StoredFiles, StoredSettings

Names = tuple[str, ...]


class RrfSettings(StoredSettings, frozen=True, kw_only=True):
    """Of the Metathesaurus."""

    source: tuple[str, ...] | str | None = None
    """Its folder `META`."""
    vocabularies: Names | str | None = None
    """The source vocabularies (SAB) that facts are taken from, e.g. `[SNOMEDCT_US,MED-RT]`; by default all."""
    relations: Names | str | None = None
    """The relations (RELA) that are read at all; by default those that the run picks, or all."""
    with_rel: bool = False
    """Take rows without a RELA too, as facts of the relation that REL names: `RB`, `CHD`, `SIB` and so on."""


class Metathesaurus(StoredFiles):
    """The relations between concepts in MRREL, whose rows are read from right to left: CUI2 RELA CUI1."""

    settings_type: ClassVar[type[KgConfig]] = RrfSettings
    settings: RrfSettings
    lies_in: ClassVar[tuple[str, str]] = "folder", "META"

    @cached_property
    def reading(self) -> Chosen:
        """The vocabularies and relations that are chosen."""
        settings = self.settings
        return Chosen(_several(settings.vocabularies), _several(settings.relations), settings.with_rel)

    def fill(self, filling: Filling) -> None:
        """See the base class.

        Raises:
            UnknownNameError: there is no fact of a vocabulary or relation that is chosen.
        """
        read_files(self.paths, self.reading, filling)

    def stored(self) -> dict[str, Stored]:
        """The relations, labelled as they are called."""
        return {found.iri: found._replace(label=found.iri.replace("_", " ")) for found in self.every()}

    def _found(self, name: str) -> list[Path]:
        return files_of(path_of(name))


def _several(names: Names | str | None) -> Names | None:
    """One name stands for a list of it; their order changes nothing."""
    return (names,) if isinstance(names, str) else names and tuple(sorted(names))
