"""The queries that an endpoint is asked (SPARQL 1.1): each gives one page of a list in order, from any row on.

A page goes on behind the last row of the one before by its subject, `FILTER(STR(?s) >= "...")`, and skips by OFFSET no
more than the rows of this subject that are there: however long a list is, and whatever the endpoint cuts a page down
to, no row comes twice or never.
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
from factprobe.kgs.naming import ANY, NEUTRAL, expanded

ENTITIES = 200
"""Whose names are asked for at once."""

_CHARACTERS = r'[^\x00-\x20<>"{}|^`\\]+'
_PART, _IRI = re.compile(_CHARACTERS), re.compile("[A-Za-z][A-Za-z0-9+.-]*:" + _CHARACTERS)
_WRITTEN = "write it as http://example.org/capital or rdfs:label"
_SKOLEM = "/.well-known/genid/"
"""In IRIs that stand for blank nodes (RDF 1.1, 3.5), as for what Wikidata knows to be some value."""


class Cursor(NamedTuple):
    """Where a page begins: behind so many rows of a subject."""

    subject: str = ""
    skip: int = 0


class Listing(ABC):
    """A list of rows in the order of their subjects."""

    variables: ClassVar[tuple[str, ...]]
    """The columns, the subject first."""

    @abstractmethod
    def query(self, start: Cursor, limit: int) -> str:
        """What gives at most so many rows from a place on."""

    def behind(self, start: Cursor) -> Cursor | None:  # noqa: ARG002  # most end there
        """Where it goes on when there is nothing more at a place; None at the end."""
        return None


class Predicates(Listing):
    """All predicates."""

    variables = ("p",)

    def query(self, start: Cursor, limit: int) -> str:
        """See the base class."""
        return _page(self.variables, "?s ?p ?o", start, limit)


@dataclass(frozen=True)
class FactListing(Listing):
    """The facts of a relation, with literals in some languages or without literals."""

    relation: str
    with_literals: bool
    languages: Sequence[str]

    variables: ClassVar[tuple[str, ...]] = ("s", "o")

    def query(self, start: Cursor, limit: int) -> str:
        """See the base class."""
        return _page(self.variables, self._where, start, limit)

    @property
    def count(self) -> str:
        """What gives their number, as `?count`."""
        return f"SELECT (COUNT(*) AS ?count) WHERE {{ SELECT DISTINCT ?s ?o WHERE {{ {self._where} }} }}"

    @property
    def _where(self) -> str:
        objects = _objects(self.languages) if self.with_literals else "isIRI(?o)"
        known = f'!CONTAINS(STR(?s), "{_SKOLEM}") && !CONTAINS(STR(?o), "{_SKOLEM}")'
        return f"?s <{self.relation}> ?o . FILTER(isIRI(?s) && {objects} && {known})"


@dataclass(frozen=True)
class NamesOf(Listing):
    """What some predicates, in angle brackets, say of entities, which are in order."""

    entities: Sequence[str]
    predicates: Collection[str]
    languages: Sequence[str]

    variables: ClassVar[tuple[str, ...]] = ("s", "p", "o")

    def query(self, start: Cursor, limit: int) -> str:
        """See the base class."""
        at = bisect_left(self.entities, start.subject)
        entities = " ".join(f"<{entity}>" for entity in self.entities[at : at + ENTITIES])
        # Predicates in VALUES too may have an engine look through all that they say, of whatever entity.
        known = f"FILTER(?p IN ({', '.join(sorted(self.predicates))}) && {_objects(self.languages)})"
        where = f"VALUES ?s {{ {entities} }} ?s ?p ?o . {known}"
        return _page(self.variables, where, Cursor("", start.skip), limit)

    def behind(self, start: Cursor) -> Cursor | None:
        """See the base class."""
        at = bisect_left(self.entities, start.subject) + ENTITIES
        return Cursor(self.entities[at]) if at < len(self.entities) else None


def is_iri(text: str) -> bool:
    """Whether a text can stand between `<` and `>` (SPARQL 1.1, rule 139)."""
    return _IRI.fullmatch(text) is not None


def checked(name: str, where: str, *, may_be_part: bool = False, hint: str = _WRITTEN) -> str:
    """An IRI of the settings in full, or what one ends in where that will do.

    Args:
        name: as the settings have it.
        where: the setting.
        may_be_part: whether that will do.
        hint: how it is written.

    Raises:
        ConfigError: it is none.
    """
    iri = expanded(name)
    if not (is_iri(iri) or (may_be_part and _PART.fullmatch(iri))):
        raise ConfigError(f"{name!r} is no IRI", where=where, hint=hint)
    return iri


def _page(variables: Sequence[str], where: str, start: Cursor, limit: int) -> str:
    texts = [f"STR(?{name})" for name in variables]
    since = f" FILTER({texts[0]} >= {json.dumps(start.subject, ensure_ascii=False)})" if start.subject else ""
    tags = " LANG(?o) DATATYPE(?o)" if "o" in variables else ""
    offset = f" OFFSET {start.skip}" if start.skip else ""
    select = " ".join(f"?{name}" for name in variables)
    return f"SELECT DISTINCT {select} WHERE {{ {where}{since} }} ORDER BY {' '.join(texts)}{tags} LIMIT {limit}{offset}"


def _objects(languages: Sequence[str]) -> str:
    """What tells entities and literals in these languages, or in none, from all else."""
    if not languages or ANY in languages:
        return "!isBlank(?o)"
    tags = "".join(f" || langMatches(LANG(?o), {json.dumps(tag)})" for tag in languages)
    return f"(isIRI(?o) || LANG(?o) IN ({', '.join(map(json.dumps, NEUTRAL))}){tags})"
