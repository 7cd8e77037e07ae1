"""Graphs behind SPARQL endpoints, such as Wikidata."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, ClassVar
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from factprobe.calls.loops import run_coroutine
from factprobe.config import Filled, KgConfig
from factprobe.errors import ConfigError, DataError, UnknownNameError
from factprobe.kgs.default_labels import local_name
from factprobe.kgs.on_disk.bulk_load import BATCH, DESCRIPTION, BulkLoader
from factprobe.kgs.on_disk.entailment import DECLARATIONS
from factprobe.kgs.rdf.naming_predicates import DIRECT, ENTITY, Naming
from factprobe.kgs.rdf.predicate_graph import Names, PredicateGraph
from factprobe.kgs.rdf.triples import BLANK_NODE, Columns, TripleLoader
from factprobe.kgs.sources import as_names
from factprobe.kgs.sparql.endpoint import Endpoint, SparqlSettings
from factprobe.kgs.sparql.queries import ENTITIES_PER_QUERY, FactListing, NameListing, Predicates, check_iri, is_iri
from factprobe.secrecy import refuse
from factprobe.storage import Problems, safe_name, short_hash

_ENTITIES_PER_LIST = 20 * ENTITIES_PER_QUERY
"""Number of entities whose names are fetched as one list."""
_STRING = "http://www.w3.org/2001/XMLSchema#string"
_LANG_STRING = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"
_SELECT_ENTITIES = "select distinct term as entity from ends where datatype = '' order by entity"
_MISSING_FACTS_PROBLEM = (
    "it sent {:,} of the {:,} facts that it counts of {}; check whether it is changing or has a limit"
)
_PROPERTY = re.compile(r"P\d+")
_PROPERTY_HINT = "write it as P36, or as an IRI; kg.predicates may list other predicates than relations"
_ENDPOINT_HINT = "write it as http://127.0.0.1:7878/query"


class Sparql(PredicateGraph):
    """Graph behind a SPARQL 1.1 endpoint, fetched page by page.

    Raises:
        ConfigError: No endpoint is set, or a setting is not an IRI.
    """

    settings_type: ClassVar[type[KgConfig]] = SparqlSettings
    settings: SparqlSettings

    def __init__(
        self, data_dir: Path | None, name: str, problems: Problems | None = None, settings: KgConfig | None = None
    ) -> None:
        super().__init__(data_dir, name, problems, settings)
        refuse(msgspec.to_builtins(self.settings), "kg")
        for kind in ("labels", "aliases", "descriptions", "types"):
            for iri in getattr(self.settings, kind):
                check_iri(iri, f"kg.{kind}")
        self._selection = self.selected_predicates()

    def selected_predicates(self) -> tuple[str, ...] | None:
        """Return the predicates that the settings select, as IRIs or their last parts; None for all."""
        names = as_names(self.settings.predicates)
        if names is None:
            return None
        return tuple(dict.fromkeys(check_iri(name, "kg.predicates", allows_local_name=True) for name in names))

    @property
    def place(self) -> str:
        """Address of the endpoint, or the name of the graph."""
        return self.settings.endpoint or self.name

    @property
    def source(self) -> tuple[str, object]:
        """Host of the endpoint, and the settings that determine which facts are fetched."""
        settings = self.settings
        return self._host_name, [settings.endpoint, settings.snapshot, self._selection, settings.literals]

    @property
    def _host_name(self) -> str:
        """Host of the endpoint, after a check that its address is set and valid."""
        if self.settings.endpoint is None:
            hint = f"name the address for queries: kg={self.settings.adapter or self.name} kg.endpoint=http://..."
            raise ConfigError("is not set", where="kg.endpoint", hint=hint)
        try:
            address = urlsplit(self.settings.endpoint)
            host = address.hostname if address.scheme in ("http", "https") and address.port != 0 else None
        except ValueError:
            host = None
        if not host:
            raise ConfigError("is not the address of an endpoint", where="kg.endpoint", hint=_ENDPOINT_HINT)
        return host

    def fill(self, loader: BulkLoader) -> None:
        """Load the facts and names from the endpoint."""
        settings = self.settings
        assert settings.endpoint is not None, "its host is in the name of the store"
        pages = self.folder / f"{safe_name(self._host_name)}-{short_hash([settings.endpoint, settings.snapshot])}.pages"
        run_coroutine(self._read_endpoint(Endpoint(settings.endpoint, settings, pages), loader))

    async def _read_endpoint(self, endpoint: Endpoint, loader: BulkLoader) -> None:
        naming = self.read_options
        triples, rank = TripleLoader(naming, loader), cache(naming.rank_of)
        async with endpoint:
            chosen = await self._choose_predicates(endpoint, naming)
            facts = [FactListing(predicate, self.with_literals, naming.languages) for predicate in chosen]
            await endpoint.fetch(facts)
            total = 0
            for listing in facts:
                found = 0
                async for rows in endpoint.pages(listing):
                    terms = [(subject, listing.relation, object_) for subject, object_ in rows]
                    triples.add(_triple_columns(terms, rank), names=False)
                    found += len(rows)
                count = await endpoint.count(listing)
                if not (found or count) and self._selection is not None:
                    await endpoint.evict(listing)
                    what = f"has no readable facts of {listing.relation}"
                    raise DataError(what, where=self.place, hint="check its IRI and kg.lang")
                if found < count:
                    loader.problems.append((self.place, _MISSING_FACTS_PROBLEM.format(found, count, listing.relation)))
                total += found
            if not total:
                await endpoint.evict(Predicates())
                raise self.no_facts_error()
            predicates = {predicate for predicate, _, _ in naming.roles()}
            naming_predicates = {predicate for predicate, kind, _ in naming.roles() if kind != DESCRIPTION}
            labelled = sorted(iri.replace(DIRECT, ENTITY) for iri in chosen)
            relations = NameListing(labelled, predicates.union(DECLARATIONS), naming.languages)
            await endpoint.fetch([relations, *_name_listings(loader, naming_predicates, naming)])
            for names in (relations, *_name_listings(loader, naming_predicates, naming)):
                async for rows in endpoint.pages(names):
                    terms = [(subject, predicate.value, object_) for subject, predicate, object_ in rows]
                    triples.add(_triple_columns(terms, rank), facts=False)
                    if names is relations:
                        declared = [row for row in terms if row[1] in DECLARATIONS]
                        triples.add(_triple_columns(declared, rank), names=False)
        triples.close()

    async def _choose_predicates(self, endpoint: Endpoint, naming: Naming) -> list[str]:
        """Return the IRIs of the relations to fetch; the endpoint is asked unless the settings have full IRIs."""
        selection = self._selection
        if selection is not None and all(map(is_iri, selection)):
            return list(selection)
        predicates = [row[0].value async for rows in endpoint.pages(Predicates()) for row in rows]
        names = {*predicates, *map(local_name, predicates)}
        if missing := [name for name in selection or () if name not in names]:
            await endpoint.evict(Predicates())
            raise UnknownNameError(
                f"predicate of {self.place}", missing[0], map(local_name, predicates), where="kg.predicates"
            )
        if selection is not None:
            return [iri for iri in predicates if is_iri(iri) and (iri in selection or local_name(iri) in selection)]
        naming_too = {predicate for predicate, _, _ in naming.roles()}
        return [iri for iri in predicates if is_iri(iri) and iri not in naming_too]


def _name_listings(loader: BulkLoader, predicates: set[str], naming: Naming) -> Iterator[NameListing]:
    """Yield the lists of names to fetch, for all entities in the loaded facts."""
    ends = loader.connection.sql(
        _SELECT_ENTITIES
    ).to_arrow_table()  # materialised, since names are added over the same connection
    for batch in ends.to_batches(BATCH):
        entities = [entity for entity in batch.column(0).to_pylist() if is_iri(entity)]
        for at in range(0, len(entities), _ENTITIES_PER_LIST):
            yield NameListing(entities[at : at + _ENTITIES_PER_LIST], predicates, naming.languages)


def _triple_columns(rows: Sequence[tuple[Any, str, Any]], rank: Callable[[str], int]) -> Columns:
    return {
        "subject": [subject.value if subject.type == "uri" else "" for subject, _, _ in rows],
        "predicate": [predicate for _, predicate, _ in rows],
        "object": [object_.value for _, _, object_ in rows],
        "datatype": [_term_datatype(object_) for _, _, object_ in rows],
        "language": [rank(object_.language) for _, _, object_ in rows],
    }


def _term_datatype(term: Any) -> str:
    if "literal" in term.type:
        return term.datatype or (_LANG_STRING if term.language else _STRING)
    return "" if term.type == "uri" else BLANK_NODE


class WikidataSettings(SparqlSettings, frozen=True, kw_only=True):
    """Settings of Wikidata; facts are its truthy statements (`wdt:`) with the properties in `relations`."""

    endpoint: Filled | None = "https://query.wikidata.org/sparql"
    """Address for queries."""
    labels: Names = ("rdfs:label",)
    aliases: Names = ("skos:altLabel",)
    descriptions: Names = ("schema:description",)
    types: Names = ("wdt:P31",)
    obsolete: Names = ()
    requests_per_minute: Annotated[float, Meta(gt=0)] | None = 60.0
    """Maximum number of queries per minute; keep it low for a free public service."""


class Wikidata(Sparql):
    """Graph of Wikidata, or of another Wikibase that uses its IRIs."""

    settings_type: ClassVar[type[KgConfig]] = WikidataSettings
    settings: WikidataSettings

    def selected_predicates(self) -> tuple[str, ...]:
        """Return the properties in the settings as ids such as `P36` or IRIs; raise a `ConfigError` without any."""
        names = as_names(self.settings.predicates)
        if not names:  # all of Wikidata would be a billion facts
            hint = "name properties of Wikidata: 'relations=[P36,P19]'"
            raise ConfigError("is not set", where="relations", hint=hint)
        full = (f"wdt:{name}" if _PROPERTY.fullmatch(name) else name for name in names)
        return tuple(dict.fromkeys(check_iri(name, "relations", hint=_PROPERTY_HINT) for name in full))
