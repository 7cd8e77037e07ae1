"""Graphs in RDF, wherever they lie: by predicates it is told what names things, and what is a relation."""

from __future__ import annotations

import logging
from collections import Counter
from functools import cached_property
from typing import ClassVar

from factprobe.config import KgConfig
from factprobe.errors import UnknownNameError, listed
from factprobe.kgs.iris import from_iri
from factprobe.kgs.naming import DIRECT, ENTITY, Naming, expanded
from factprobe.kgs.plain import tail
from factprobe.kgs.store import Store, Stored
from factprobe.kgs.stored import StoredGraph, StoredSettings

log = logging.getLogger(__name__)

Names = tuple[str, ...]


class PredicateSettings(StoredSettings, frozen=True, kw_only=True):
    """Of a graph in RDF; IRIs may be written with the usual prefixes, as `rdfs:label`."""

    predicates: Names | str | None = None
    """Those that are relations, as IRIs or what these end in; by default all that link entities with labels."""
    literals: bool = False
    """Take texts, numbers and dates for objects too; so by default for relations that `predicates` names."""
    lang: Names | str = ("en",)
    """Languages of names, in order; a name without a language, or in no single one (`@mul`), is taken last, `[]` for
    all. `[en,'*']` calls an entity that has no such name by one in any other language."""
    labels: Names = ("rdfs:label", "skos:prefLabel", "schema:name", "foaf:name")
    """Predicates that give an entity its label, in order; what the first does not give is an alias."""
    aliases: Names = ("skos:altLabel", "schema:alternateName")
    """Predicates that give other names."""
    descriptions: Names = ("schema:description", "rdfs:comment", "skos:definition")
    """Predicates that describe a relation."""
    types: Names = ("rdf:type", "wdt:P31")
    """Predicates that give an entity its classes; no relations unless `predicates` names them."""
    obsolete: Names = ("owl:deprecated",)
    """Predicates that say `true` of an obsolete entity, whose facts are left out; `[]` keeps them."""


class PredicateGraph(StoredGraph):
    """A graph in RDF. A relation is called by what its IRI ends in, where that tells it apart."""

    settings_type: ClassVar[type[KgConfig]] = PredicateSettings
    settings: PredicateSettings
    described: ClassVar[str] = f"replace(relation, '{DIRECT}', '{ENTITY}')"

    @property
    def with_literals(self) -> bool:
        """As the settings say, and where they name the predicates."""
        return self.settings.literals or self.settings.predicates is not None

    @cached_property
    def reading(self) -> Naming:
        """Which predicates name things."""
        settings = self.settings
        lang = (settings.lang,) if isinstance(settings.lang, str) else settings.lang
        return Naming(settings.labels, settings.aliases, settings.types, settings.descriptions, lang, settings.obsolete)

    def stored(self) -> dict[str, Stored]:
        """The predicates that are relations."""
        every = self.every()
        short = {found.iri: tail(from_iri(found.iri)) for found in every}
        ends = Counter(short.values())
        named = {short[found.iri] if ends[short[found.iri]] == 1 else found.iri: found for found in every}
        return {name: named[name] for name in self._chosen(named)}

    def _chosen(self, named: dict[str, Stored]) -> list[str]:
        """The relations that the settings pick, or all that there are."""
        settings = self.settings
        if settings.predicates is None:
            types = {expanded(name) for name in settings.types}
            usual = {name: found for name, found in named.items() if found.iri not in types}
            if not settings.literals:
                self._warn_of_literals({name: found.literals for name, found in usual.items() if not found.entities})
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

    def _warn_of_literals(self, lone: dict[str, int]) -> None:
        """Says which predicates are left out as they link no entities."""
        if lone:
            told = listed([f"{name} ({count:,})" for name, count in lone.items()])
            what = "%s: left out, as they have only texts, numbers or dates: %s; kg.literals=true takes them"
            log.warning(what, self.place, told)

    def warn_of_names(self, store: Store) -> None:
        """Says which predicates that the settings name give no name, and how many names are in other languages."""
        used, usual = store.used(), type(self.settings)(name=self.name)
        for setting in ("labels", "aliases", "descriptions", "types"):
            named = getattr(self.settings, setting)
            unused = [name for name in named if expanded(name) not in used] if named != getattr(usual, setting) else []
            if unused:
                what = "%s: kg.%s: nothing is named by %s; see how the source has it"
                log.warning(what, self.place, setting, listed(unused))
        if obsolete := store.obsolete():
            log.warning(
                "%s: %d obsolete entities are left out with their facts; kg.obsolete=[] keeps them",
                self.place,
                obsolete,
            )
        if others := store.other_names():
            what = "%s: %d of the entities without a label have one in other languages; kg.lang=[%s,'*'] takes that"
            log.warning(what, self.place, others, ",".join(self.reading.languages))
