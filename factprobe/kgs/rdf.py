"""RDF: facts, names and types by predicates, in files of any size."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import ClassVar

import msgspec

from factprobe.config import Filled, KgConfig, path_of, user_cache
from factprobe.errors import DataError, UnknownNameError, listed, require
from factprobe.kgs.held import SourceGraph, SourceSettings
from factprobe.kgs.plain import last_part, relation_of, tail
from factprobe.kgs.rdf_files import Naming, expanded, read_files
from factprobe.kgs.store import Filling, Store, Stored
from factprobe.records import Relation, Triplet
from factprobe.storage import open_utf8, safe_name

_BYTES = 150
"""Of a triple, about."""
log = logging.getLogger(__name__)

# Two fields with a union of `Filled` may have msgspec 0.22 crash the interpreter as it ends.
Names = tuple[str, ...]


class RdfSettings(SourceSettings, frozen=True, kw_only=True):
    """Of a graph in RDF; IRIs may be written with the usual prefixes, as `rdfs:label`."""

    predicates: Names | str | None = None
    """Those that are relations, as IRIs or what these end in; by default all that link entities with labels."""
    literals: bool = False
    """Take texts, numbers and dates for objects too; so by default for relations that `predicates` names."""
    lang: Names | str = ("en",)
    """Languages of names, in order; a name without a language is taken last. `[]` for all."""
    labels: Names = ("rdfs:label", "skos:prefLabel", "schema:name", "foaf:name")
    """Predicates that give an entity its label, in order; what the first does not give is an alias."""
    aliases: Names = ("skos:altLabel", "schema:alternateName")
    """Predicates that give other names."""
    descriptions: Names = ("schema:description", "rdfs:comment", "skos:definition")
    """Predicates that describe a relation."""
    types: Names = ("rdf:type", "wdt:P31")
    """Predicates that give an entity its classes; no relations unless `predicates` names them."""
    store: Filled | None = None
    """The folder where the sorted facts are kept for the next run; by default in the user's cache folder."""


class Rdf(SourceGraph):
    """Turtle, N-Triples, N-Quads, TriG, N3, RDF/XML and JSON-LD."""

    settings_type: ClassVar[type[KgConfig]] = RdfSettings
    settings: RdfSettings

    def load_relations(self) -> Iterable[Relation]:
        """The predicates that are relations, in the order of the source, by what they end in where that tells them
        apart.

        Raises:
            UnknownNameError: a predicate is picked that the source does not have.
            DataError: the source has no facts.
        """
        for name, found in self._relations.items():
            yield relation_of(name, found.label, self.templates, found.description)
        for name in self.templates.keys() - self._relations.keys():
            yield relation_of(name, "", self.templates)

    def facts(self, relation: Relation) -> Iterator[Triplet]:
        """See the base class."""
        if not self.has_facts(relation):
            raise DataError(f"has no facts of {relation.relation!r}", where=self.place, mend="see its id there")
        with_literals = self.settings.literals or self.settings.predicates is not None
        for subject, object_ in self._store.facts(self._relations[relation.relation].iri, with_literals):
            yield Triplet(
                subject.label or last_part(subject.uri),
                object_.label or last_part(object_.uri),
                object_.uri,
                subject.uri,
                relation,
                subject.aliases,
                object_.aliases,
                subject.types,
                object_.types,
            )

    def has_facts(self, relation: Relation) -> bool:
        """Whether the source has one of that relation."""
        return relation.relation in self._relations

    def apart(self, relation: Relation) -> int:
        """About the size of its triples."""
        found = self._relations[relation.relation]
        return (found.entities + found.literals) * _BYTES

    @cached_property
    def _relations(self) -> dict[str, Stored]:
        every = list(self._store.relations("replace(relation, '/prop/direct/', '/entity/')"))
        if not every:
            raise DataError("holds no fact that can be read", where=self.place, mend="see that it is the right file")
        ends = Counter(tail(found.iri) for found in every)
        named = {tail(found.iri) if ends[tail(found.iri)] == 1 else found.iri: found for found in every}
        return {name: named[name] for name in self._chosen(named)}

    def _chosen(self, named: dict[str, Stored]) -> list[str]:
        """The relations that the settings pick, or all that there are."""
        settings = self.settings
        if settings.predicates is None:
            types = {expanded(name) for name in settings.types}
            usual = {name: found for name, found in named.items() if found.iri not in types}
            linked = any(found.linked for found in usual.values())
            if linked:
                self._warn_of(
                    {
                        name: found.entities
                        for name, found in usual.items()
                        if found.entities and not found.linked and not (settings.literals and found.literals)
                    }
                )
            return [
                name
                for name, found in usual.items()
                if (found.linked if linked else found.entities) or (settings.literals and found.literals)
            ]
        by_iri = {found.iri: name for name, found in named.items()}
        picked = (settings.predicates,) if isinstance(settings.predicates, str) else settings.predicates
        for name in picked:
            if name not in named and expanded(name) not in by_iri:
                raise UnknownNameError(f"predicate of {self.place}", name, named, where="kg.predicates")
        wanted = {name if name in named else by_iri[expanded(name)] for name in picked}
        return [name for name in named if name in wanted]

    def _warn_of(self, unlinked: dict[str, int]) -> None:
        """Says which relations are left out that have facts, but none with a label at both ends."""
        if unlinked:
            told = listed([f"{name} ({count:,} facts)" for name, count in unlinked.items()])
            what = "%s: left out, as no fact has labels at both ends: %s; kg.predicates=[%s] takes what it names"
            log.warning(what, self.place, told, ",".join(unlinked))

    @cached_property
    def _store(self) -> Store:
        require("pyoxigraph", "duckdb", "pyarrow", extra="rdf", where=f"kg={self.settings.adapter or self.name}")
        settings = self.settings
        lang = (settings.lang,) if isinstance(settings.lang, str) else settings.lang
        naming = Naming(settings.labels, settings.aliases, settings.types, settings.descriptions, lang)

        def fill(filling: Filling) -> None:
            read_files(self.paths, naming, filling)

        store = Store(self._file(naming), self._signature(naming), fill)
        for place, what in store.problems():
            self.problems.add(what, place)
        if unnamed := store.unnamed():
            log.warning("%s: %d entities have no label, and go by the last part of their ids", self.place, unnamed)
        if left_out := store.left_out():
            what = "%s: %d triples are left out, about blank nodes, in other languages, or too long"
            log.warning(what, self.place, left_out)
        return store

    def _file(self, naming: Naming) -> Path:
        """Where the sorted facts lie: one file for each source and way to name things."""
        folder = path_of(self.settings.store) if self.settings.store else user_cache()
        digest = _hashed([[str(path.absolute()) for path in self.paths], naming])
        return folder / "graphs" / f"{safe_name(self.paths[0].name)}-{digest}.duckdb"

    def _signature(self, naming: Naming) -> str:
        """What changes when a file does.

        Raises:
            DataError: one cannot be read.
        """
        states = []
        for path in self.paths:
            with open_utf8(path):
                found = path.stat()
            states.append((str(path), found.st_size, found.st_mtime_ns))
        return _hashed([naming, states])


def _hashed(value: object) -> str:
    return blake2b(msgspec.json.encode(value), digest_size=8).hexdigest()
