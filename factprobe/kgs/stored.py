"""Graphs that give the facts of all relations in one stream, which is sorted on disk."""

from __future__ import annotations

import logging
from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from factprobe.config import Filled, KgConfig, path_of, user_cache
from factprobe.errors import DataError, require
from factprobe.kgs.filling import Filling
from factprobe.kgs.held import NAMELESS, UNNAMED, SourceGraph, TemplateConfig, TemplatedGraph
from factprobe.kgs.iris import from_iri
from factprobe.kgs.plain import relation_of, triplet_of
from factprobe.kgs.store import Store, Stored, hashed
from factprobe.kgs.terms import FactColumns
from factprobe.records import Relation, Triplet
from factprobe.storage import open_utf8, safe_name

_BYTES = 150
"""Of a triple, about."""
log = logging.getLogger(__name__)


class StoredSettings(TemplateConfig, frozen=True, kw_only=True):
    """Of a graph whose facts are sorted on disk."""

    store: Filled | None = None
    """The folder where the sorted facts are kept for the next run; by default in the user's cache folder."""


class StoredGraph(TemplatedGraph):
    """A graph whose facts are sorted on disk, once for each state of its source and each way to read it."""

    settings_type: ClassVar[type[KgConfig]] = StoredSettings
    settings: StoredSettings
    needs: ClassVar[tuple[str, ...]] = ("duckdb", "pyarrow")
    """The modules of the extra `rdf` that read it."""
    forks: ClassVar[bool] = False
    """Whether it may be read in a process of its own: `fill` changes nothing of this object."""

    described: ClassVar[str] = "relation"
    """An expression in SQL of `relation` that gives the entity which has the names of a relation."""

    @property
    def with_literals(self) -> bool:
        """Whether texts, numbers and dates are objects too."""
        return False

    @property
    @abstractmethod
    def reading(self) -> Any:
        """What changes that is stored, beside the source: settings that JSON can hold."""

    @property
    @abstractmethod
    def source(self) -> tuple[str, object]:
        """What the source is called in the name of a file, and all that tells it from another."""

    def state(self) -> object:
        """What changes when the source does, and has it read anew."""
        return None

    @abstractmethod
    def fill(self, filling: Filling) -> None:
        """Reads the source; what is broken goes to the problems of the filling.

        Raises:
            DataError: it cannot be read.
        """

    @abstractmethod
    def stored(self) -> dict[str, Stored]:
        """The relations that have facts and are wanted, by name, in the order of the source."""

    def load_relations(self) -> Iterable[Relation]:
        """Those that have facts, in the order of the source, then those that only the settings describe.

        Raises:
            UnknownNameError: one is picked that the source does not have.
            DataError: the source has no facts.
        """
        for name, found in self._relations.items():
            yield relation_of(name, found.label, self.templates, found.description)
        for name in [name for name in self.templates if name not in self._relations]:
            yield relation_of(name, "", self.templates)

    def facts(self, relation: Relation) -> Iterator[Triplet]:
        """See the base class."""
        for subject, object_ in self._store.facts(self._iri(relation), self.with_literals):
            yield triplet_of(relation, subject, object_)

    def columns(self, relation: Relation) -> FactColumns:
        """See the base class."""
        return self._store.columns(self._iri(relation), self.with_literals)

    def _iri(self, relation: Relation) -> str:
        if not self.has_facts(relation):
            raise DataError(f"has no facts of {relation.relation!r}", where=self.place, hint="see its id there")
        return self._relations[relation.relation].iri

    def iri(self, relation: Relation) -> str:
        """See the base class."""
        found = self._relations.get(relation.relation)
        return from_iri(found.iri) if found else relation.relation

    def unlabelled(self, uris: Collection[str]) -> set[str]:
        """See the base class."""
        return self._store.unlabelled(uris)

    def has_facts(self, relation: Relation) -> bool:
        """Whether the source has one of that relation."""
        return relation.relation in self._relations

    def apart(self, relation: Relation) -> int:
        """About the size of its triples."""
        found = self._relations[relation.relation]
        return (found.entities + found.literals) * _BYTES

    @cached_property
    def _relations(self) -> dict[str, Stored]:
        return self.stored()

    def every(self) -> list[Stored]:
        """All relations that have facts.

        Raises:
            DataError: there are none.
        """
        every = list(self._store.relations())
        if not every:
            raise self.no_facts()
        return every

    def no_facts(self) -> DataError:
        """What is said of a source without facts."""
        return DataError("holds no fact that can be read", where=self.place, hint="see that it is the right source")

    def warn_of_names(self, store: Store) -> None:
        """Says what is odd about the names that were read."""

    @cached_property
    def _store(self) -> Store:
        require(*self.needs, extra="rdf", where=f"kg={self.settings.adapter or self.name}")
        store = Store(self._file(), hashed([self.reading, self.state()]), self.fill, self.described, forks=self.forks)
        for place, what in store.problems():
            self.problems.add(what, place)
        if unnamed := store.unnamed():
            log.warning(UNNAMED if store.has_names() else NAMELESS, self.place, unnamed)
        self.warn_of_names(store)
        if left_out := store.left_out():
            what = "%s: %d triples are left out, about blank nodes, in other languages, or too long"
            log.warning(what, self.place, left_out)
        return store

    def _file(self) -> Path:
        """Where the sorted facts lie: one file for each source and way to read it."""
        called, source = self.source
        return self.folder / f"{safe_name(called)}-{hashed([source, self.reading])}.duckdb"

    @property
    def folder(self) -> Path:
        """Where what is kept of graphs lies."""
        return (path_of(self.settings.store) if self.settings.store else user_cache()) / "graphs"


class StoredFiles(StoredGraph, SourceGraph):
    """A graph whose files hold all its relations, and are sorted on disk."""

    settings: StoredSettings  # type: ignore[assignment]  # with a source, though a struct has but one base
    forks: ClassVar[bool] = True

    @property
    def source(self) -> tuple[str, object]:
        """See the base class."""
        return self.paths[0].name, [str(path.absolute()) for path in self.paths]

    def state(self) -> object:
        """See the base class.

        Raises:
            DataError: a file cannot be read.
        """
        states = []
        for path in self.paths:
            with open_utf8(path):
                found = path.stat()
            states.append((str(path), found.st_size, found.st_mtime_ns))
        return states
