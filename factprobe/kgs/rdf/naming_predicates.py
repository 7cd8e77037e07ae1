"""RDF predicates that give names to entities, and the languages of these names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from factprobe.kgs.on_disk.bulk_load import ALIAS, DESCRIPTION, LABEL, OBSOLETE, TYPE

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
"""Classes of obsolete terms, used before OWL had `owl:deprecated`."""
ANY = "*"
"""Wildcard for all languages that are not listed."""
NEUTRAL = ("", "mul", "und", "zxx")
"""Language tags of texts without a certain language: no tag, `mul` for several languages (default labels of Wikidata),
`und` for undetermined, `zxx` for no linguistic content (ISO 639-2 and BCP 47)."""
DIRECT, ENTITY = "/prop/direct/", "/entity/"
"""Path segments in IRIs of a Wikibase property: as a predicate, and as the entity that has its labels."""


def expand_prefix(name: str) -> str:
    """Return the IRI for a name with a known prefix, such as `rdfs:label`; any other text is unchanged."""
    prefix, sign, local = name.partition(":")
    return f"{_PREFIXES[prefix]}{local}" if sign and prefix in _PREFIXES else name


class Naming(NamedTuple):
    """Predicates of names, types, descriptions and obsolescence, and languages of names, in order of preference."""

    labels: Sequence[str]
    aliases: Sequence[str]
    types: Sequence[str]
    descriptions: Sequence[str]
    languages: Sequence[str]
    """Language tags in lower case, in order of preference; empty for all. Names without a certain language rank after
    the listed ones. Names in other languages rank last if `*` is listed; otherwise they are ignored."""

    obsolete: Sequence[str] = ()
    """Predicates whose value `true` marks an obsolete entity."""

    @property
    def other_languages_rank(self) -> int:
        """Rank of unlisted languages; -1 if `*` is not listed. If `languages` is empty, all ranks are 0 instead."""
        return len(self._named_languages) + 1 if ANY in self.languages else -1

    @property
    def _named_languages(self) -> Sequence[str]:
        return [name for name in self.languages if name != ANY]

    def roles(self) -> Iterator[tuple[str, int, int]]:
        """Yield (IRI, kind such as `LABEL` or `ALIAS`, rank of preference) for each predicate."""
        by_kind = {DESCRIPTION: self.descriptions, TYPE: self.types, ALIAS: self.aliases, LABEL: self.labels}
        by_kind[OBSOLETE] = self.obsolete
        for kind, names in by_kind.items():
            for rank, name in enumerate(map(expand_prefix, names)):
                for iri in {name, name.replace("http://schema.org/", "https://schema.org/")}:
                    yield iri, kind, rank

    def rank_of(self, tag: str | None) -> int:
        """Return the rank of a language tag, 0 for the most preferred; -1 if names in it are ignored."""
        if not self.languages:
            return len(self._named_languages)
        tag = (tag or "").lower()
        ranks = (rank for rank, name in enumerate(self._named_languages) if tag == name or tag.startswith(f"{name}-"))
        return next(ranks, len(self._named_languages) if tag in NEUTRAL else self.other_languages_rank)

    def rank_expression(self) -> tuple[str, list[str]]:
        """Return a DuckDB expression that ranks the column `language`, with its parameters."""
        last = len(self._named_languages)
        whens = "".join(f" when language = ? or starts_with(language, ? || '-') then {rank}" for rank in range(last))
        values = [value for name in self._named_languages for value in (name, name)]
        neutral = ", ".join(f"'{tag}'" for tag in NEUTRAL)
        rank = self.other_languages_rank if self.languages else 0
        other = f"when language in ({neutral}) then {last} else {rank}"
        return f"case{whens} {other} end", values
