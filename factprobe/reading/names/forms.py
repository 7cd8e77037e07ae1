"""Alternative forms of names: surname and initials of a person, and the name of a place without its region."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import islice

from factprobe.reading.answer_leak import own_text
from factprobe.reading.language import vocabulary
from factprobe.reading.names.name_tables import NameTable
from factprobe.reading.names.regions import is_region_text
from factprobe.reading.tokenisation.words import name_words
from factprobe.reading.values.value_parsing import ROMAN
from factprobe.records import Entity, Question

_SAMPLE = 500
"""Number of labels sampled to determine whether the entities are people."""
_MIN_FOR_GIVEN, _MIN_FOR_ANY = 0.2, 0.4
"""Minimum shares of labels with a given name at which a name with a given name, or any name, is a person's."""
_SUFFIXES = vocabulary("name_suffix").union(ROMAN[1:4])
_KINDS, _GIVEN, _PREFIXES = vocabulary("kind"), vocabulary("given"), vocabulary("prefix")
_MEANS_MORE = vocabulary("kind", "title", "function")
"""Words that are not a surname by themselves."""
_LEAST = 3
"""Minimum number of letters of a short form."""
_MOST_WORDS = 30
"""Maximum number of words of a name that has other forms; longer ones are texts."""
Words = tuple[str, ...]


def people(entities: Mapping[str, Entity]) -> Callable[[str], bool]:
    """Return a function that decides whether a label is a person's name, by the given names among the entities."""
    some = islice(entities.values(), 0, None, max(len(entities) // _SAMPLE, 1))
    begin = [_has_given_name(name_words(entity.label)) for entity in some]
    share = sum(begin) / max(len(begin), 1)

    def is_person(label: str) -> bool:
        if share < _MIN_FOR_GIVEN:
            return False
        words = name_words(label)
        named = share >= _MIN_FOR_ANY or _has_given_name(words)
        return named and len(words) > 1 and _KINDS.isdisjoint(words[1:-1])

    return is_person


def _has_given_name(words: Sequence[str]) -> bool:
    return len(words) > 1 and (words[0] in _GIVEN or (len(words[0]) == 1 and words[0].isalpha()))


def unique_forms(entities: Mapping[str, Entity], known: Collection[str]) -> dict[str, str]:
    """Return the URI of each normalised form that only one entity's names have, by form.

    Forms are made of names of persons and of places with a region.

    Args:
        entities: Entities at one end of a relation.
        known: Normalised names of the entities, which are excluded as forms.
    """
    is_person = people(entities)
    found: dict[str, str] = {}
    shared: set[str] = set()
    for uri, entity in entities.items():
        for name in entity.names():
            for form in forms(name) if is_person(name) else _without_region(name):
                if form not in known and found.setdefault(form, uri) != uri:
                    shared.add(form)
    return {form: uri for form, uri in found.items() if form not in shared}


def _without_region(name: str) -> Iterator[str]:
    """Yield the normalised name of a place without the country or state after the comma ("Washington, D.C.")."""
    place, comma, region = name.rpartition(", ")
    if comma and is_region_text(region):
        yield " ".join(name_words(place))


def forms(name: str) -> Iterator[str]:
    """Yield the normalised forms of a person's name: surname, with particles or middle names, and with initials."""
    words = name_words(name)
    if 1 < len(words) <= _MOST_WORDS:
        yield from (" ".join(form) for form in _personal(words) if len(form[-1]) >= _LEAST and form != words)


def _personal(words: Words) -> Iterator[Words]:
    end = len(words) - (words[-1] in _SUFFIXES)
    whole, last = words[:end], words[end - 1]
    if len(whole) < 2 or last in ROMAN:
        return
    means_more = last in _MEANS_MORE
    for start in range(1, len(whole) - means_more):
        yield whole[start:]
    names = [word for word in whole[:-1] if word[0].isalpha() and word not in _PREFIXES]
    behind = whole[len(names) :] if len(names) < len(whole) - 1 else (last,)
    for count in {1, len(names)} if names else ():
        yield ("".join(word[0] for word in names[:count]), *behind)
    if len(whole) > 2:
        yield (whole[0], last)


class Forms:
    """Index of the alternative forms of persons' and places' names at one end of a relation.

    Args:
        entities: Entities at the end, by URI.
        names: Names of the entities.
    """

    def __init__(self, entities: Mapping[str, Entity], names: NameTable) -> None:
        bearers = unique_forms(entities, names.uris)
        self.table = NameTable((uri, (form,)) for form, uri in bearers.items())
        self.known = frozenset((*names.uris, *bearers))
        """Names of the entities and their alternative forms."""
        self._by_uri: dict[str, list[str]] = {}
        for form, uri in bearers.items():
            self._by_uri.setdefault(uri, []).append(form)

    def of(self, uri: str) -> Sequence[str]:
        """Return the alternative forms of an entity's names."""
        return self._by_uri.get(uri, ())

    def is_asked(self, name: str, question: Question) -> bool:
        """Return whether a question contains a name that is an alternative form, such as the surname "Mozart"."""
        return name in self.table.uris and f" {name} " in f" {' '.join(name_words(own_text(question)))} "
