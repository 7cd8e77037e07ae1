"""Which predicates of RDF name things, and in which languages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from factprobe.kgs.filling import ALIAS, DESCRIPTION, LABEL, OBSOLETE, TYPE

_PREFIXES = {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "schema": "http://schema.org/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "owl": "http://www.w3.org/2002/07/owl#",
    "dbo": "http://dbpedia.org/ontology/",
    "wdt": "http://www.wikidata.org/prop/direct/",
}


OBSOLETE_TYPES = ("owl:DeprecatedClass", "owl:DeprecatedProperty")
"""Classes of what is obsolete, which OWL had before `owl:deprecated`."""
ANY = "*"
"""Among languages: any other."""
NEUTRAL = ("", "mul", "und", "zxx")
"""Tags of texts that are in no single language: none, several (Wikidata's default labels), undetermined, not a language
(ISO 639-2 and BCP 47)."""
DIRECT, ENTITY = "/prop/direct/", "/entity/"
"""In the IRIs of a Wikibase, of a property as predicates have it, and as the entity that has its names, which links to
the other by `wikibase:directClaim`."""


def described_by(predicate: str) -> str:
    """The entity that has the names of a predicate."""
    return predicate.replace(DIRECT, ENTITY)


def expanded(name: str) -> str:
    """An IRI that may be written with a prefix that is known: `rdfs:label`."""
    prefix, sign, local = name.partition(":")
    return f"{_PREFIXES[prefix]}{local}" if sign and prefix in _PREFIXES else name


class Naming(NamedTuple):
    """Which predicates name things, in the order in which they are preferred."""

    labels: Sequence[str]
    aliases: Sequence[str]
    types: Sequence[str]
    descriptions: Sequence[str]
    languages: Sequence[str]
    """Those of names, in order; a name in none, or in no single one, is taken last, but for one in any other behind
    `*`. All, where there are none."""

    obsolete: Sequence[str] = ()
    """Predicates that say `true` of what is obsolete."""

    @property
    def other(self) -> int:
        """The rank of a language that is not named; -1 where those are not wanted."""
        return len(self._named) + 1 if ANY in self.languages else -1

    @property
    def _named(self) -> Sequence[str]:
        return [name for name in self.languages if name != ANY]

    def roles(self) -> Iterator[tuple[str, int, int]]:
        """A predicate in angle brackets, the kind of name that it gives, and its rank, for each of them."""
        every = {DESCRIPTION: self.descriptions, TYPE: self.types, ALIAS: self.aliases, LABEL: self.labels}
        every[OBSOLETE] = self.obsolete
        for kind, names in every.items():
            for rank, name in enumerate(map(expanded, names)):
                for iri in {name, name.replace("http://schema.org/", "https://schema.org/")}:
                    yield f"<{iri}>", kind, rank

    def language(self, tag: str | None) -> int:
        """The rank of a language; -1 for one that is not wanted."""
        if not self.languages:
            return len(self._named)
        tag = (tag or "").lower()
        wanted = (rank for rank, name in enumerate(self._named) if tag == name or tag.startswith(f"{name}-"))
        return next(wanted, len(self._named) if tag in NEUTRAL else self.other)

    def language_rank(self) -> tuple[str, list[str]]:
        """An expression of DuckDB that gives the same of the tag `language`, with its values."""
        last = len(self._named)
        whens = "".join(f" when language = ? or starts_with(language, ? || '-') then {rank}" for rank in range(last))
        values = [value for name in self._named for value in (name, name)]
        neutral = ", ".join(f"'{tag}'" for tag in NEUTRAL)
        other = f"when language in ({neutral}) then {last} else {self.other if self.languages else 0}"
        return f"case{whens} {other} end", values


class Ranks(dict[str | None, int]):
    """The ranks of languages, each worked out once."""

    def __init__(self, naming: Naming) -> None:
        super().__init__()
        self._naming = naming

    def __missing__(self, tag: str | None) -> int:
        rank = self[tag] = self._naming.language(tag)
        return rank
