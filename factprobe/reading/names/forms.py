"""Alternative forms of names: surname and initials of a person, and the name of a place without its region."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import islice

from factprobe.reading.answer_leak import own_text
from factprobe.reading.language import vocabulary
from factprobe.reading.names.name_tables import NameTable
from factprobe.reading.names.regions import is_region_text
from factprobe.reading.tokenisation.words import name_words
from factprobe.reading.values.number_words import ROMAN
from factprobe.records import Entity, Question

_SAMPLE = 500
"""Number of labels sampled to determine whether the entities are people."""
_MIN_SHARE = 0.4
"""Minimum share of labels with a given name for which all labels are names of persons; else only these labels are."""
_SUFFIXES = vocabulary("name_suffix").union(ROMAN[1:4])
_KINDS, _GIVEN, _PREFIXES = vocabulary("kind"), vocabulary("given"), vocabulary("prefix", "contrast")
_NO_SURNAMES = vocabulary("kind", "title", "function")
"""Words that are no surname by themselves, such as "County" or "King"."""
_MIN_LENGTH = 3
"""Minimum number of letters in the last word of a short form."""
_MAX_WORDS = 30
"""Maximum number of words of a name; longer labels are texts and have no short forms."""


def people(entities: Mapping[str, Entity]) -> Callable[[str], bool]:
    """Return a function that decides whether a label is a person's, by the share of given names in the entities."""
    sampled = islice(entities.values(), 0, None, max(len(entities) // _SAMPLE, 1))
    have_given_name = [_has_given_name(name_words(entity.label)) for entity in sampled]
    share = sum(have_given_name) / max(len(have_given_name), 1)

    def is_person(label: str) -> bool:
        words = name_words(label)
        named = share >= _MIN_SHARE or _has_given_name(words)
        return named and len(words) > 1 and _KINDS.isdisjoint(words[1:-1])

    return is_person


def _has_given_name(words: Sequence[str]) -> bool:
    return len(words) > 1 and (words[0] in _GIVEN or (len(words[0]) == 1 and words[0].isalpha()))


def unique_forms(entities: Mapping[str, Entity], known: Collection[str]) -> dict[str, str]:
    """Return the URIs of entities by the alternative forms of their names, without forms that several entities share.

    Alternative forms are those of persons (`Einstein`) and of places with a region (`Washington`).

    Args:
        entities: Entities at one end of a relation, by URI.
        known: Normalised names of all these entities, which are excluded as forms.
    """
    is_person = people(entities)
    uris: dict[str, str] = {}
    shared: set[str] = set()
    for uri, entity in entities.items():
        for name in entity.names():
            for form in forms(name) if is_person(name) else _without_region(name):
                if form not in known and uris.setdefault(form, uri) != uri:
                    shared.add(form)
    return {form: uri for form, uri in uris.items() if form not in shared}


def _without_region(name: str) -> Iterator[str]:
    """Yield a place name, normalised, without its country or state, then without each part (`toyota aichi`)."""
    parts = name.split(", ")
    if len(parts) > 1 and is_region_text(parts[-1]):
        yield from (" ".join(name_words(", ".join(parts[:count]))) for count in range(len(parts) - 1, 0, -1))


def forms(name: str) -> Iterator[str]:
    """Yield short forms of a person's name, normalised: the surname alone, with particles, middle names or initials."""
    words = name_words(name)
    whole = words[: len(words) - (words[-1] in _SUFFIXES)]
    if not 1 < len(whole) <= _MAX_WORDS or whole[-1] in ROMAN:
        return
    given = [word for word in whole[:-1] if word not in _PREFIXES]
    found = [whole[start:] for start in range(1, len(whole) - (whole[-1] in _NO_SURNAMES))]
    found.append(("".join(word[0] for word in given), *whole[len(given) :]))
    found += [(whole[0], whole[-1])] if len(whole) > 2 else []
    yield from (" ".join(form) for form in found if len(form[-1]) >= _MIN_LENGTH and form != words)


class Forms:
    """Index of the alternative forms of persons' and places' names at one end of a relation.

    Args:
        entities: Entities at the end, by URI.
        names: Names of the entities.
    """

    def __init__(self, entities: Mapping[str, Entity], names: NameTable) -> None:
        bearers = unique_forms(entities, names.uris)
        self.table = NameTable((uri, (form,)) for form, uri in bearers.items())
        """Alternative forms with their entities."""
        self.known = frozenset((*names.uris, *bearers))
        """Names of the entities and their alternative forms."""
        self._by_uri: dict[str, list[str]] = {}
        for form, uri in bearers.items():
            self._by_uri.setdefault(uri, []).append(form)

    def of(self, uri: str) -> Sequence[str]:
        """Return the alternative forms of an entity's names."""
        return self._by_uri.get(uri, ())

    def is_asked(self, name: str, question: Question) -> bool:
        """Return whether a normalised name is an alternative form (surname "Mozart") that the question contains."""
        return name in self.table.uris and f" {name} " in f" {' '.join(name_words(own_text(question)))} "
