"""Graphs that are read from one stream of all facts and sorted on disk."""

from __future__ import annotations

import logging
import os
from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from msgspec.structs import replace

from factprobe.config import Filled, KgConfig, path_of, user_cache
from factprobe.errors import DataError, require
from factprobe.kgs.default_labels import relation_of, triplet_of
from factprobe.kgs.in_memory.memory_graph import NO_LABELS_WARNING, UNLABELLED_WARNING
from factprobe.kgs.iris import from_iri
from factprobe.kgs.on_disk.bulk_load import BulkLoader
from factprobe.kgs.on_disk.entailment import FURTHER
from factprobe.kgs.on_disk.fact_columns import FactColumns
from factprobe.kgs.on_disk.store import Store, StoredRelation
from factprobe.kgs.sources import SourceGraph, TemplateConfig, TemplatedGraph
from factprobe.records import Relation, Triplet
from factprobe.storage import open_utf8, safe_name, short_hash

_TRIPLE_BYTES = 150
"""Approximate size of a triple in bytes."""
log = logging.getLogger(__name__)


class StoredSettings(TemplateConfig, frozen=True, kw_only=True):
    """Settings of a graph whose facts are sorted on disk."""

    store: Filled | None = None
    """Folder for the sorted facts, which later runs reuse; by default in the user's cache folder."""


class StoredGraph(TemplatedGraph):
    """Graph whose facts are sorted on disk, once for each state of the source and each selection by settings."""

    settings_type: ClassVar[type[KgConfig]] = StoredSettings
    settings: StoredSettings
    needs: ClassVar[tuple[str, ...]] = ("duckdb", "pyarrow")
    """Modules of the extra `rdf` that the graph needs."""
    can_fork: ClassVar[bool] = False
    """True if `fill` does not change the object, so that it may run in a child process."""

    naming_entity: ClassVar[str] = "relation"
    """SQL expression for the entity that has the names of a relation, by the column `relation`."""

    @property
    def with_literals(self) -> bool:
        """True if texts, numbers and dates are objects too."""
        return False

    @property
    @abstractmethod
    def read_options(self) -> Any:
        """Settings that affect the stored facts, as values for JSON."""

    @property
    @abstractmethod
    def source(self) -> tuple[str, object]:
        """Name of the source, for file names, and a value that identifies the source."""

    def source_state(self) -> object:
        """Return a value that changes if the content of the source does; the source is then read again."""
        return None

    @abstractmethod
    def fill(self, loader: BulkLoader) -> None:
        """Load the source, and report broken records to the loader's problems; raise a `DataError` if it fails."""

    @abstractmethod
    def stored_relations(self) -> dict[str, StoredRelation]:
        """Return the selected relations that have facts, by name, in the order of the source."""

    def load_relations(self) -> Iterable[Relation]:
        """Yield the relations with facts, in the order of the source, then relations that have only a template."""
        for name, stored in self._relations_by_name.items():
            relation = relation_of(name, stored.label, self.templates, stored.description)
            yield replace(relation, transitive=True) if stored.transitive else relation
        for name in [name for name in self.templates if name not in self._relations_by_name]:
            yield relation_of(name, "", self.templates)

    def facts(self, relation: Relation) -> Iterator[Triplet]:
        """Yield the facts of a relation in the order of the source."""
        for subject, object_ in self._store.facts(self._relation_iri(relation), self.with_literals):
            yield triplet_of(relation, subject, object_)

    def further_facts(self, relation: Relation) -> Iterator[Triplet]:
        """Yield the graph's subclass facts for a relation that gives entities their classes, such as `rdf:type`."""
        iri = FURTHER.get(self._relation_iri(relation))
        if iri in {stored.iri for stored in self._store.relations()}:
            for subject, object_ in self._store.facts(iri, with_literals=False):
                yield triplet_of(relation, subject, object_)

    def columns(self, relation: Relation) -> FactColumns:
        """Return the facts of a relation as columns."""
        return self._store.columns(self._relation_iri(relation), self.with_literals)

    def _relation_iri(self, relation: Relation) -> str:
        if not self.has_facts(relation):
            raise self.no_facts_of(relation)
        return self._relations_by_name[relation.relation].iri

    def iri(self, relation: Relation) -> str:
        """Return the IRI of a relation; its id if the source has no facts of it."""
        stored = self._relations_by_name.get(relation.relation)
        return from_iri(stored.iri) if stored else relation.relation

    def unlabelled(self, uris: Collection[str]) -> set[str]:
        """Return the URIs in `uris` whose entities have no name in the source."""
        return self._store.unlabelled(uris)

    def has_facts(self, relation: Relation) -> bool:
        """Return whether the source has facts of the relation."""
        return relation.relation in self._relations_by_name

    def source_bytes(self, relation: Relation) -> int:
        """Return the approximate size of the triples of a relation in bytes."""
        stored = self._relations_by_name[relation.relation]
        return (stored.entities + stored.literals) * _TRIPLE_BYTES

    @cached_property
    def _relations_by_name(self) -> dict[str, StoredRelation]:
        return self.stored_relations()

    def all_relations(self) -> list[StoredRelation]:
        """Return all relations that have facts; raise a `DataError` if there are none."""
        relations = list(self._store.relations())
        if not relations:
            raise self.no_facts_error()
        return relations

    def no_facts_error(self) -> DataError:
        """Return the error for a source without facts."""
        return DataError("has no readable fact", where=self.place, hint="check that it is the right source")

    def warn_of_unusual_names(self, store: Store) -> None:
        """Warn of unusual names in the source; for overrides."""

    @cached_property
    def _store(self) -> Store:
        require(*self.needs, extra="rdf", where=f"kg={self.settings.adapter or self.name}")
        name, source = self.source
        path = self.folder / f"{safe_name(name)}-{short_hash([source, self.read_options])}.duckdb"
        signature = short_hash([self.read_options, self.source_state()])
        store = Store(path, signature, self.fill, self.naming_entity, can_fork=self.can_fork)
        for place, what in store.problems():
            self.problems.add(what, place)
        if unnamed := store.counts.unnamed:
            log.warning(UNLABELLED_WARNING if store.counts.has_names else NO_LABELS_WARNING, self.place, unnamed)
        self.warn_of_unusual_names(store)
        if left_out := store.counts.left_out:
            what = "%s: %d triples are skipped: they have blank nodes, infinite numbers, "
            what += "texts in other languages, or too long ones"
            log.warning(what, self.place, left_out)
        return store

    @property
    def folder(self) -> Path:
        """Folder with the stored graphs."""
        return (path_of(self.settings.store) if self.settings.store else user_cache()) / "graphs"


class StoredFiles(StoredGraph, SourceGraph):
    """Graph from files that have all its relations, sorted on disk."""

    settings: StoredSettings  # type: ignore[assignment]  # subclasses' settings also have `source`
    can_fork: ClassVar[bool] = True

    @property
    def source(self) -> tuple[str, object]:
        """Name of the first file, and the paths of all files, also below a folder with a name that is not UTF-8."""
        absolute = [os.fsencode(path.absolute()).decode(errors="backslashreplace") for path in self.paths]
        return self.paths[0].name, absolute

    def source_state(self) -> object:
        """Return the path, size, inode and times of each file.

        The modification time can be set, as `cp -p` and `rsync -t` do, but not the time of the last change of an inode.
        """
        states = []
        for path in self.paths:
            with open_utf8(path):
                stat = path.stat()
            states.append((str(path), stat.st_size, stat.st_ino, stat.st_mtime_ns, stat.st_ctime_ns))
        return states
