"""Graphs behind SPARQL endpoints, Wikidata's among them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from factprobe.calls.loops import run_apart
from factprobe.config import Filled, KgConfig
from factprobe.errors import ConfigError, DataError, UnknownNameError
from factprobe.kgs.filling import BATCH, DESCRIPTION, Filling
from factprobe.kgs.naming import Naming, Ranks, described_by
from factprobe.kgs.plain import tail
from factprobe.kgs.predicates import Names, PredicateGraph, PredicateSettings
from factprobe.kgs.sparql_pages import Endpoint
from factprobe.kgs.sparql_queries import ENTITIES, FactListing, NamesOf, Predicates, checked, is_iri
from factprobe.kgs.store import hashed
from factprobe.kgs.triples import NONE, Columns, Triples
from factprobe.secrecy import refuse
from factprobe.storage import Problems, safe_name

_BLOCK = 20 * ENTITIES
"""Entities whose names are one list of pages; other lists go beside it."""
_STRING = "http://www.w3.org/2001/XMLSchema#string"
_TAGGED = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"
_ENDS = "select distinct term as entity from ends where datatype = '' order by entity"
_MISSING = "it gave {:,} of the {:,} facts that it counts of {}; see whether it changes meanwhile, or has a limit"
_PROPERTY = re.compile(r"P\d+")
_AS_PROPERTY = "write it as P36, or as an IRI; kg.predicates names others than relations does"
_WRITTEN = "write it as http://127.0.0.1:7878/query"


class SparqlSettings(PredicateSettings, frozen=True, kw_only=True):
    """Of a graph behind a SPARQL endpoint; IRIs may be written with the usual prefixes, as `rdfs:label`."""

    endpoint: Filled | None = None
    """The address for queries, e.g. `http://127.0.0.1:7878/query`."""
    snapshot: str = ""
    """Any name, a date say: what was fetched under another one, or under none, is asked for anew."""
    contact: Annotated[str, Meta(pattern=r"^[ -~]*$")] = ""
    """Your mail address or page, for those who keep the endpoint: it goes into the header `User-Agent`."""
    token_env: Filled | None = None
    """The environment variable with what goes into the header `Authorization`: `Basic ...`, or a token alone."""
    page_size: Annotated[int, Meta(ge=1, le=1_000_000)] = 10_000
    """Rows that are asked for at once; an endpoint may send less."""
    max_concurrency: Annotated[int, Meta(ge=1, le=100)] = 2
    """Queries under way at once; fewer while the endpoint says that it has too much to do."""
    timeout: Annotated[float, Meta(gt=0)] = 90.0
    """Seconds that one query may take."""
    max_retries: Annotated[int, Meta(ge=0)] = 8
    """Further tries of a query on a transient fault."""
    retry_wait: Annotated[float, Meta(ge=0)] = 1.0
    """Seconds before the second try; they double with each further one, up to half a minute; the endpoint's
    Retry-After goes before."""
    requests_per_minute: Annotated[float, Meta(gt=0)] | None = None
    """The endpoint's limit; by default none."""

    @property
    def tokens_per_minute(self) -> None:
        """None: queries are not counted in tokens."""


class Sparql(PredicateGraph):
    """What an endpoint for SPARQL 1.1 gives, page by page.

    Raises:
        ConfigError: no endpoint is named, or what is to be an IRI is none.
    """

    settings_type: ClassVar[type[KgConfig]] = SparqlSettings
    settings: SparqlSettings

    def __init__(
        self, data_dir: Path | None, name: str, problems: Problems | None = None, settings: KgConfig | None = None
    ) -> None:
        super().__init__(data_dir, name, problems, settings)
        found = self.settings
        refuse(msgspec.to_builtins(found), "kg")
        for kind in ("labels", "aliases", "descriptions", "types"):
            for iri in getattr(found, kind):
                checked(iri, f"kg.{kind}")
        self._picked = self.picked()

    def picked(self) -> tuple[str, ...] | None:
        """The predicates that the settings name, as IRIs or what these end in; None for all."""
        names = self.settings.predicates
        if names is None:
            return None
        several = (names,) if isinstance(names, str) else names
        return tuple(dict.fromkeys(checked(name, "kg.predicates", may_be_part=True) for name in several))

    @property
    def place(self) -> str:
        """See the base class: the endpoint."""
        return self.settings.endpoint or self.name

    @property
    def source(self) -> tuple[str, object]:
        """See the base class."""
        settings = self.settings
        return self._host, [settings.endpoint, settings.snapshot, self._picked, settings.literals]

    @property
    def _host(self) -> str:
        """The endpoint's host.

        Raises:
            ConfigError: none is named, or its address is none.
        """
        if self.settings.endpoint is None:
            hint = f"name the address for queries: kg={self.settings.adapter or self.name} kg.endpoint=http://..."
            raise ConfigError("is not set", where="kg.endpoint", hint=hint)
        try:
            address = urlsplit(self.settings.endpoint)
            host = address.hostname if address.scheme in ("http", "https") and address.port != 0 else None
        except ValueError:
            host = None
        if not host:
            raise ConfigError("is no address of an endpoint", where="kg.endpoint", hint=_WRITTEN)
        return host

    def fill(self, filling: Filling) -> None:
        """See the base class.

        Raises:
            DataError: the endpoint does not give what it is asked for; what it has given is kept.
            UnknownNameError: it has no predicate of a name that the settings pick.
        """
        settings = self.settings
        assert settings.endpoint is not None, "its host is in the name of the store"
        pages = self.folder / f"{safe_name(self._host)}-{hashed([settings.endpoint, settings.snapshot])}.pages"
        endpoint = Endpoint(settings.endpoint, settings, pages, settings.contact, settings.token_env)
        run_apart(self._read(endpoint, filling))

    async def _read(self, endpoint: Endpoint, filling: Filling) -> None:
        naming = self.reading
        triples, ranks = Triples(naming, filling), Ranks(naming)
        async with endpoint:
            chosen = await self._predicates(endpoint, naming)
            facts = [FactListing(predicate, self.with_literals, naming.languages) for predicate in chosen]
            await endpoint.fetch(facts)
            total = 0
            for listing in facts:
                found = 0
                async for rows in endpoint.pages(listing):
                    given = [(subject, listing.relation, object_) for subject, object_ in rows]
                    triples.add(_columns(given, ranks), names=False)
                    found += len(rows)
                count = await endpoint.count(listing)
                if not (found or count) and self._picked is not None:
                    await endpoint.forget(listing)
                    what = f"has no facts of {listing.relation} that can be read"
                    raise DataError(what, where=self.place, hint="see its IRI there, and kg.lang")
                if found < count:
                    filling.problems.append((self.place, _MISSING.format(found, count, listing.relation)))
                total += found
            if not total:
                await endpoint.forget(Predicates())
                raise self.no_facts()
            every = {predicate for predicate, _, _ in naming.roles()}
            said = {predicate for predicate, kind, _ in naming.roles() if kind != DESCRIPTION}
            relations = NamesOf(sorted(map(described_by, chosen)), every, naming.languages)
            await endpoint.fetch([relations, *_names(filling, said, naming)])
            for names in (relations, *_names(filling, said, naming)):
                async for rows in endpoint.pages(names):
                    triples.add(_columns([(s, p.value, o) for s, p, o in rows], ranks), facts=False)
        triples.close()

    async def _predicates(self, endpoint: Endpoint, naming: Naming) -> list[str]:
        """Those whose facts are asked for, of all that there are where the settings do not name each in full."""
        picked = self._picked
        if picked is not None and all(map(is_iri, picked)):
            return list(picked)
        found = [row[0].value async for rows in endpoint.pages(Predicates()) for row in rows]
        there = {*found, *map(tail, found)}
        if lacking := [name for name in picked or () if name not in there]:
            await endpoint.forget(Predicates())
            raise UnknownNameError(f"predicate of {self.place}", lacking[0], map(tail, found), where="kg.predicates")
        if picked is not None:
            return [iri for iri in found if is_iri(iri) and (iri in picked or tail(iri) in picked)]
        naming_too = {predicate for predicate, _, _ in naming.roles()}
        return [iri for iri in found if is_iri(iri) and f"<{iri}>" not in naming_too]


def _names(filling: Filling, predicates: set[str], naming: Naming) -> Iterator[NamesOf]:
    """What is to be asked of the names of all entities in the facts."""
    ends = filling.connection.sql(_ENDS).to_arrow_table()  # a temporary table's, to which names are then added
    for some in ends.to_batches(BATCH):
        entities = [entity for entity in some.column(0).to_pylist() if is_iri(entity)]
        for at in range(0, len(entities), _BLOCK):
            yield NamesOf(entities[at : at + _BLOCK], predicates, naming.languages)


def _columns(rows: Sequence[tuple[Any, str, Any]], ranks: Ranks) -> Columns:
    return {
        "subject": [f"<{subject.value}>" if subject.type == "uri" else NONE for subject, _, _ in rows],
        "predicate": [f"<{predicate}>" for _, predicate, _ in rows],
        "object": [object_.value for _, _, object_ in rows],
        "datatype": [_datatype(object_) for _, _, object_ in rows],
        "language": [ranks[object_.language or None] for _, _, object_ in rows],
    }


def _datatype(term: Any) -> str:
    if "literal" in term.type:
        return term.datatype or (_TAGGED if term.language else _STRING)
    return "" if term.type == "uri" else NONE


class WikidataSettings(SparqlSettings, frozen=True, kw_only=True):
    """Of Wikidata: its truthy facts (`wdt:`), by the properties in `relations`."""

    endpoint: Filled | None = "https://query.wikidata.org/sparql"
    """The address for queries."""
    labels: Names = ("rdfs:label",)
    """Predicates that give an entity its label, in order; what the first does not give is an alias."""
    aliases: Names = ("skos:altLabel",)
    """Predicates that give other names."""
    descriptions: Names = ("schema:description",)
    """Predicates that describe a relation."""
    types: Names = ("wdt:P31",)
    """Predicates that give an entity its classes; no relations unless `predicates` names them."""
    obsolete: Names = ()
    """Predicates that say `true` of an obsolete entity, whose facts are left out; `[]` keeps them."""
    requests_per_minute: Annotated[float, Meta(gt=0)] | None = 60.0
    """Of which a public service that is free bears more from nobody."""


class Wikidata(Sparql):
    """Wikidata, or another Wikibase that uses its IRIs."""

    settings_type: ClassVar[type[KgConfig]] = WikidataSettings
    settings: WikidataSettings

    def picked(self) -> tuple[str, ...]:
        """The properties that the settings name, `P36` or in full.

        Raises:
            ConfigError: none is named; there are thousands, with a billion facts.
        """
        names = self.settings.predicates
        if not names:
            hint = "name properties of Wikidata: 'relations=[P36,P19]'"
            raise ConfigError("is not set", where="relations", hint=hint)
        several = (names,) if isinstance(names, str) else names
        full = (f"wdt:{name}" if _PROPERTY.fullmatch(name) else name for name in several)
        return tuple(dict.fromkeys(checked(name, "relations", hint=_AS_PROPERTY) for name in full))
