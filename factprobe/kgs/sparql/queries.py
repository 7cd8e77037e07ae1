"""SPARQL 1.1 queries, each for one page of an ordered list.

A page begins with the subject of the last row that was read, by `FILTER(STR(?s) >= "...")`, and its OFFSET skips only
the rows of this subject that were read. Thus each row is read exactly once, however long the list is and wherever the
endpoint ends a page.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from factprobe.errors import ConfigError
from factprobe.kgs.rdf.naming_predicates import ANY, NEUTRAL, expand_prefix

ENTITIES_PER_QUERY = 200
"""Number of entities whose names one query requests."""

_CHARACTERS = r'[^\x00-\x20<>"{}|^`\\]+'
_LOCAL_NAME, _IRI = re.compile(_CHARACTERS), re.compile("[A-Za-z][A-Za-z0-9+.-]*:" + _CHARACTERS)
_IRI_HINT = "write it as http://example.org/capital or rdfs:label"
_SKOLEM = "/.well-known/genid/"
"""Part of an IRI that stands for a blank node (RDF 1.1, 3.5), such as an unknown value in Wikidata."""


class Cursor(NamedTuple):
    """Start of a page: the first `skip` rows from a subject on were read."""

    subject: str = ""
    skip: int = 0


class Listing(ABC):
    """List of rows that is fetched in pages, in the order of the subjects."""

    variables: ClassVar[tuple[str, ...]]
    """Names of the columns, with the subject first."""

    @abstractmethod
    def query(self, start: Cursor, limit: int) -> str:
        """Return the query for at most `limit` rows from `start`."""

    def next_cursor(self, start: Cursor) -> Cursor | None:  # noqa: ARG002  # for overrides
        """Return the start of the next part of a list that is queried in parts; None after the last part."""
        return None


class Predicates(Listing):
    """List of all predicates of the endpoint."""

    variables = ("p",)

    def query(self, start: Cursor, limit: int) -> str:
        """Return the query for a page of predicates."""
        return _page_query(self.variables, "?s ?p ?o", start, limit)


@dataclass(frozen=True)
class FactListing(Listing):
    """List of the facts of a relation, without literals, or with literals in some languages."""

    relation: str
    with_literals: bool
    languages: Sequence[str]

    variables: ClassVar[tuple[str, ...]] = ("s", "o")

    def query(self, start: Cursor, limit: int) -> str:
        """Return the query for a page of facts."""
        return _page_query(self.variables, self._where_clause, start, limit)

    @property
    def count(self) -> str:
        """Query for the number of facts, as `?count`."""
        return f"SELECT (COUNT(*) AS ?count) WHERE {{ SELECT DISTINCT ?s ?o WHERE {{ {self._where_clause} }} }}"

    @property
    def _where_clause(self) -> str:
        objects = _object_condition(self.languages) if self.with_literals else "isIRI(?o)"
        condition = f'!CONTAINS(STR(?s), "{_SKOLEM}") && !CONTAINS(STR(?o), "{_SKOLEM}")'
        return f"?s <{self.relation}> ?o . FILTER(isIRI(?s) && {objects} && {condition})"


@dataclass(frozen=True)
class NameListing(Listing):
    """List of the values of naming predicates for some entities, which are sorted."""

    entities: Sequence[str]
    predicates: Collection[str]
    languages: Sequence[str]

    variables: ClassVar[tuple[str, ...]] = ("s", "p", "o")

    def query(self, start: Cursor, limit: int) -> str:
        """Return the query for a page of the names of one block of entities."""
        at = bisect_left(self.entities, start.subject)
        entities = " ".join(f"<{entity}>" for entity in self.entities[at : at + ENTITIES_PER_QUERY])
        # Predicates in VALUES may make an engine scan all their triples, whatever the entity.
        predicates = ", ".join(sorted(map("<{}>".format, self.predicates)))
        condition = f"FILTER(?p IN ({predicates}) && {_object_condition(self.languages)})"
        where = f"VALUES ?s {{ {entities} }} ?s ?p ?o . {condition}"
        return _page_query(self.variables, where, Cursor("", start.skip), limit)

    def next_cursor(self, start: Cursor) -> Cursor | None:
        """Return the start of the next block of entities; None after the last block."""
        at = bisect_left(self.entities, start.subject) + ENTITIES_PER_QUERY
        return Cursor(self.entities[at]) if at < len(self.entities) else None


def is_iri(text: str) -> bool:
    """Return whether a text is valid between `<` and `>` (SPARQL 1.1, rule 139)."""
    return _IRI.fullmatch(text) is not None


def check_iri(name: str, where: str, *, allows_local_name: bool = False, hint: str = _IRI_HINT) -> str:
    """Return the IRI that a setting gives, with its prefix expanded; if allowed, also only the last part of one.

    Raises:
        ConfigError: The value, in the setting `where`, is no IRI.
    """
    iri = expand_prefix(name)
    if not (is_iri(iri) or (allows_local_name and _LOCAL_NAME.fullmatch(iri))):
        raise ConfigError(f"{name!r} is not an IRI", where=where, hint=hint)
    return iri


def _page_query(variables: Sequence[str], where: str, start: Cursor, limit: int) -> str:
    texts = [f"STR(?{name})" for name in variables]
    since = f" FILTER({texts[0]} >= {json.dumps(start.subject, ensure_ascii=False)})" if start.subject else ""
    tags = " LANG(?o) DATATYPE(?o)" if "o" in variables else ""
    offset = f" OFFSET {start.skip}" if start.skip else ""
    select = " ".join(f"?{name}" for name in variables)
    return f"SELECT DISTINCT {select} WHERE {{ {where}{since} }} ORDER BY {' '.join(texts)}{tags} LIMIT {limit}{offset}"


def _object_condition(languages: Sequence[str]) -> str:
    """Return a SPARQL condition that `?o` is an entity, or a literal without a language or in a given one."""
    if not languages or ANY in languages:
        return "!isBlank(?o)"
    tags = "".join(f" || langMatches(LANG(?o), {json.dumps(tag)})" for tag in languages)
    return f"(isIRI(?o) || LANG(?o) IN ({', '.join(map(json.dumps, NEUTRAL))}){tags})"
