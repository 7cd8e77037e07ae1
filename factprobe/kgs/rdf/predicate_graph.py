"""Graphs in RDF, where some predicates give names and the others are relations."""

from __future__ import annotations

import logging
from collections import Counter
from functools import cached_property
from typing import ClassVar

from factprobe.config import KgConfig
from factprobe.errors import UnknownNameError, format_list
from factprobe.kgs.default_labels import local_name
from factprobe.kgs.iris import from_iri
from factprobe.kgs.on_disk.disk_graph import StoredGraph, StoredSettings
from factprobe.kgs.on_disk.entailment import RDFS, VOCABULARIES
from factprobe.kgs.on_disk.store import Store, StoredRelation
from factprobe.kgs.rdf.naming_predicates import ANY, DIRECT, ENTITY, Naming, expand_prefix
from factprobe.kgs.sources import as_names

log = logging.getLogger(__name__)

Names = tuple[str, ...]


class PredicateSettings(StoredSettings, frozen=True, kw_only=True):
    """Settings of a graph in RDF; IRIs may be written with the usual prefixes, as `rdfs:label`."""

    predicates: Names | str | None = None
    """Predicates that are relations, as IRIs or their last parts; by default all that link entities with labels."""
    literals: bool = False
    """Read texts, numbers and dates as objects too; in relations listed in `predicates` they always are."""
    lang: Names | str = ("en",)
    """Languages of names, in order of preference; names without a language (or `@mul`) come last. `[en,'*']` prefers
    English and takes names in any other language where there is none; `[]` or `['*']` takes names in all languages."""
    labels: Names = ("rdfs:label", "skos:prefLabel", "schema:name", "foaf:name")
    """Predicates that give an entity its label, in order of preference; further names from them are aliases."""
    aliases: Names = ("skos:altLabel", "schema:alternateName")
    """Predicates that give aliases."""
    descriptions: Names = ("schema:description", "rdfs:comment", "skos:definition")
    """Predicates that describe a relation."""
    types: Names = ("rdf:type", "wdt:P31")
    """Predicates that give an entity its classes; they are relations only if `predicates` lists them."""
    obsolete: Names = ("owl:deprecated",)
    """Predicates whose value `true` marks an obsolete entity, whose facts are left out; `[]` keeps them."""


class PredicateGraph(StoredGraph):
    """Graph in RDF; a relation's name is the last part of its IRI if that is unique, and else the IRI."""

    settings_type: ClassVar[type[KgConfig]] = PredicateSettings
    settings: PredicateSettings
    naming_entity: ClassVar[str] = f"replace(relation, '{DIRECT}', '{ENTITY}')"

    @property
    def with_literals(self) -> bool:
        """True if texts, numbers and dates are objects too, by the settings `literals` or `predicates`."""
        return self.settings.literals or self.settings.predicates is not None

    @cached_property
    def read_options(self) -> Naming:
        """Predicates of names, classes, descriptions and obsolescence, and languages of names, from the settings."""
        settings = self.settings
        names = settings.labels, settings.aliases, settings.types, settings.descriptions
        languages = tuple(name.lower() for name in as_names(settings.lang) or ())
        return Naming(*names, () if {*languages} == {ANY} else languages, settings.obsolete)

    def stored_relations(self) -> dict[str, StoredRelation]:
        """Return the selected relations by id: the last part of the IRI, or the IRI if several have this last part."""
        relations = self.all_relations()
        short = {relation.iri: local_name(from_iri(relation.iri)) for relation in relations}
        ends = Counter(short.values())
        named = {short[entry.iri] if ends[short[entry.iri]] == 1 else entry.iri: entry for entry in relations}
        return {name: named[name] for name in self._selected_ids(named)}

    def _selected_ids(self, named: dict[str, StoredRelation]) -> list[str]:
        """Return the ids of the relations that the settings select; without a selection, of all usable ones."""
        settings = self.settings
        if settings.predicates is None:
            types = {expand_prefix(name) for name in settings.types}
            usual = {name: found for name, found in named.items() if found.iri not in types}
            schema = {name: found.linked for name, found in usual.items() if _is_schema(found.iri)}
            hint = f"list them in kg.predicates=[{','.join(schema)}]"
            self._warn_of_skipped("RDF, RDFS or OWL defines them", schema, " facts", hint)
            usual = {name: found for name, found in usual.items() if name not in schema}
            if not settings.literals:
                lone = {name: found.literals for name, found in usual.items() if not found.entities}
                what = "they have only texts, numbers or dates"
                self._warn_of_skipped(what, lone, "", "set kg.literals=true, or kg.aliases=[...] if they are names,")
            linked = any(found.linked for found in usual.values())
            used = {name for name, found in usual.items() if settings.literals and found.literals}
            used |= {name for name, found in usual.items() if (found.linked if linked else found.entities)}
            lone = {name: found.entities for name, found in usual.items() if found.entities and name not in used}
            hint = f"list them in kg.predicates=[{','.join(lone)}]"
            self._warn_of_skipped("no fact has labels at both ends", lone, " facts", hint)
            return [name for name in usual if name in used]
        by_iri = {relation.iri: name for name, relation in named.items()}
        selection = as_names(settings.predicates) or ()
        for name in selection:
            if name not in named and expand_prefix(name) not in by_iri:
                raise UnknownNameError(f"predicate of {self.place}", name, named, where="kg.predicates")
        ids = {name if name in named else by_iri[expand_prefix(name)] for name in selection}
        return [name for name in named if name in ids]

    def _warn_of_skipped(self, why: str, counts: dict[str, int], noun: str, hint: str) -> None:
        """Warn of predicates that are skipped, with the number of their facts or literals."""
        if counts:
            names = format_list([f"{name} ({count:,}{noun})" for name, count in counts.items()])
            log.warning("%s: skipped, as %s: %s; %s to use them", self.place, why, names, hint)

    def warn_of_unusual_names(self, store: Store) -> None:
        """Warn of whatever makes names, entities or facts missing in the stored graph.

        This is: predicates in the settings that nothing has, skipped obsolete entities, skipped facts about the schema,
        and entities that have a label only in other languages.
        """
        used, usual = store.used_predicates, type(self.settings)(name=self.name)
        for setting in ("labels", "aliases", "descriptions", "types"):
            named = getattr(self.settings, setting)
            unused = [name for name in named if expand_prefix(name) not in used]
            if unused and named != getattr(usual, setting):
                what = "%s: kg.%s: %s names no entity; look up the predicate in the source"
                log.warning(what, self.place, setting, format_list(unused))
        if obsolete := store.counts.obsolete:
            what = "%s: %d obsolete entities are skipped with their facts; kg.obsolete=[] keeps them"
            log.warning(what, self.place, obsolete)
        if schema := store.schema_facts:
            names = format_list([f"{local_name(iri)} ({count:,})" for iri, count in schema.items()])
            what = "%s: facts about properties, or with terms of RDF, RDFS or OWL, are skipped: %s"
            log.warning(what, self.place, names)
        if others := store.counts.named_elsewhere:
            what = "%s: %d entities without a label have one in other languages; kg.lang=[%s,'*'] uses it"
            log.warning(what, self.place, others, ",".join(self.read_options.languages))


def _is_schema(iri: str) -> bool:
    """Return whether a predicate describes the graph's schema.

    `rdfs:subClassOf` does not count as schema, since it is the content of ontologies such as the Gene Ontology.
    """
    return iri.startswith(VOCABULARIES) and iri != f"{RDFS}subClassOf"
