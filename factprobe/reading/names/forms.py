"""Alternative forms of a name: a surname, initials, "the Caspian", "Henry the Eighth"."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice

from msgspec import Struct

from factprobe.reading.language import in_order, table, vocabulary
from factprobe.reading.names.fuzzy import KnownNames
from factprobe.reading.names.tables import NameTable
from factprobe.reading.tokenisation.tokenised_text import Text
from factprobe.reading.tokenisation.words import name_words
from factprobe.reading.values.parsing import ROMAN
from factprobe.records import Entity

_SAMPLE = 500
"""Number of labels sampled to determine whether the entities are people."""
_SOME, _MOST = 0.2, 0.4
"""Minimal fraction of labels with a given name at which a name with a given name, or any name, counts as a person's."""
_SUFFIXES = vocabulary("name_suffix").union(ROMAN[1:4])
_NUMERALS = {str(number): numeral for number, numeral in enumerate(ROMAN, start=1)}
_NUMBERS = {numeral: number for number, numeral in enumerate(ROMAN, start=1)}
_KINDS, _GIVEN, _PREFIXES = vocabulary("kind"), vocabulary("given"), vocabulary("prefix")
_COMMON = vocabulary("prefix", "function", "colour", "kind")
_MEANS_MORE = vocabulary("kind", "title", "function")
"""Words that are no surname by themselves."""
_KINDS_LAST, _KINDS_LAST_SEVERAL = vocabulary("kind_last"), vocabulary("kind_last_several")
_KINDS_FIRST, _OF = vocabulary("kind_first"), vocabulary("kind_first_of")
_LEAST = 3
"""Minimal number of letters of a short form."""
_MOST_WORDS = 30
"""Maximal number of words of a name that has other forms; longer ones are texts."""
Words = tuple[str, ...]


def people(
    entities: Mapping[str, Entity], words_of: Callable[[str], Sequence[str]] = name_words
) -> Callable[[str], bool]:
    """Return a function that decides whether a label is a person's name, by the given names among the entities."""
    some = islice(entities.values(), 0, None, max(len(entities) // _SAMPLE, 1))
    begin = [_has_given_name(words_of(entity.label)) for entity in some]
    share = sum(begin) / max(len(begin), 1)

    def is_person(label: str) -> bool:
        if share < _SOME:
            return False
        words = words_of(label)
        named = share >= _MOST or _has_given_name(words)
        return named and len(words) > 1 and _KINDS.isdisjoint(words[1:-1])

    return is_person


def _has_given_name(words: Sequence[str]) -> bool:
    return len(words) > 1 and (words[0] in _GIVEN or (len(words[0]) == 1 and words[0].isalpha()))


class NameForm(Struct, frozen=True, gc=False):
    """Alternative form of a name; untracked by the garbage collector, since there may be millions."""

    uri: str
    personal: bool
    """Whether the form omits a part of a person's name."""


def unique_forms(
    entities: Mapping[str, Entity], known: Collection[str], words_of: Callable[[str], Sequence[str]] = name_words
) -> dict[str, NameForm]:
    """Return the normalised forms that belong to a single entity.

    Args:
        entities: Entities at one end of a relation.
        known: Normalised names of the entities, which are excluded as forms.
        words_of: Splits a name into words, as `name_words` does.
    """
    is_person = people(entities, words_of)
    found: dict[str, NameForm] = {}
    shared: set[str] = set()
    for uri, entity in entities.items():
        for name in entity.names():
            for form, personal in forms(name, words_of, is_person=is_person(name)):
                if form not in known and found.setdefault(form, NameForm(uri, personal)).uri != uri:
                    shared.add(form)
    return {form: bearer for form, bearer in found.items() if form not in shared}


def forms(
    name: str, words_of: Callable[[str], Sequence[str]] = name_words, *, is_person: bool
) -> Iterator[tuple[str, bool]]:
    """Yield the normalised forms of a name, each with whether it omits a part of a person's name."""
    whole = tuple(words_of(name))
    if len(whole) > _MOST_WORDS:
        return
    bases = dict.fromkeys((whole, *_without_kind(whole, name)))
    for words in bases:
        for form in (words, *other_forms(words)):
            if form != whole and sum(map(len, form)) >= _LEAST:
                yield " ".join(form), False
        if is_person:
            yield from ((" ".join(form), True) for form in _personal(words) if len(form[-1]) >= _LEAST)


def _without_kind(words: Words, name: str) -> Iterable[Words]:
    """Yield the name without the type of its entity (the Caspian Sea, Pope Benedict XVI, Apple Inc.)."""
    raw = name.split()
    if len(words) > 1 and words[-1] in _KINDS_LAST:
        rest = words[:-2] if " ".join(words[-2:]) in _KINDS_LAST_SEVERAL else words[:-1]
        if rest and rest[-1] not in _COMMON and not rest[-1].isdigit() and any(c.isupper() for c in raw[0]):
            yield rest
    if len(words) > 1 and words[0] in _KINDS_FIRST:
        rest = words[2:] if words[1] in _OF else words[1:]
        if rest and (len(rest) > 1 or rest[0] not in _COMMON) and not rest[0].isdigit():
            yield rest


def other_forms(words: Words) -> Iterator[Words]:
    """Yield the name with its number or an abbreviated part written differently."""
    yield from _numbered(words)
    yield from _abbreviated(words)


def _numbered(words: Words) -> Iterator[Words]:
    """Yield other forms of numbers: Henry 8, Henry the 8th, Henry the Eighth; World War 2, World War II."""
    for i, word in enumerate(words):
        before, after = words[:i], words[i + 1 :]
        if i and word in _NUMBERS:
            number = _NUMBERS[word]
            yield (*before, str(number), *after)
            for ordinal in (_th(number), *table("ordinal").get(str(number), ())):
                yield (*before, ordinal, *after)
                for the in vocabulary("ordinal_the"):
                    yield (*before, the, ordinal, *after)
        elif word in _NUMERALS and len(words) > 1:
            yield (*before, _NUMERALS[word], *after)


def _th(number: int) -> str:
    endings = table("ordinal_ending")
    ending = endings["0"] if 10 < number < 14 else endings.get(str(number % 10), endings["0"])
    return f"{number}{ending[0]}"


def _abbreviated(words: Words) -> Iterator[Words]:
    """Yield abbreviated and expanded forms: U.S. Senate, United States Senate; Cambridge, MA."""
    flat = f" {' '.join(words)} "
    if "&" in flat:
        yield tuple(flat.replace("&", f" {in_order('link_and')[0]} ").split())
    for long, short in () if _abbreviation_starts().isdisjoint(words) else abbreviations():
        for one, other in ((long, short), (short, long)):
            if f" {one} " in flat:
                yield tuple(flat.replace(f" {one} ", f" {other} ").split())
    for size in (1, 2):
        code = states().get(" ".join(words[-size:])) if len(words) > size else None
        if code:
            yield (*words[:-size], code)


def _personal(words: Words) -> Iterator[Words]:
    """Yield forms of a person's name: the surname, with particles or middle names, and with initials."""
    end = len(words) - (words[-1] in _SUFFIXES)
    whole, last = words[:end], words[end - 1]
    if len(whole) < 2 or last in _NUMBERS:
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


@cache
def abbreviations() -> tuple[tuple[str, str], ...]:
    """Return pairs of a name and its common abbreviation."""
    return tuple(_pairs(vocabulary("short")))


@cache
def _abbreviation_starts() -> frozenset[str]:
    return frozenset(phrase.partition(" ")[0] for pair in abbreviations() for phrase in pair)


@cache
def states() -> dict[str, str]:
    """Return the postal abbreviation of each state by its name."""
    return dict(_pairs(vocabulary("state")))


def _pairs(entries: Iterable[str]) -> Iterator[tuple[str, str]]:
    for entry in sorted(entries):
        long, _, short = entry.partition(" = ")
        yield long, short


def form_words(form: str) -> Sequence[str]:
    """Split a form as `name_words` does; a form in ASCII is already normalised, apart from a leading article."""
    words = form.split()
    return words if form.isascii() and words[0] not in vocabulary("article") else name_words(form)


class Forms:
    """Index of alternative forms of the names at one end of a relation: surnames, initials, "the Caspian".

    Args:
        entities: Entities at the end, by URI.
        names: Names of the entities.
    """

    def __init__(self, entities: Mapping[str, Entity], names: NameTable) -> None:
        self._bearers = unique_forms(entities, names.uris, names.words)
        self.table = NameTable(
            ((bearer.uri, (form,)) for form, bearer in self._bearers.items()), form_words, beside=names
        )
        self.known = KnownNames({*names.uris, *self._bearers})
        """Names of the entities and their alternative forms."""
        by_uri: dict[str, list[str]] = {}
        for form, bearer in self._bearers.items():
            by_uri.setdefault(bearer.uri, []).append(form)
        self._by_uri = {uri: tuple(own) for uri, own in by_uri.items()}

    def of(self, uri: str) -> Sequence[str]:
        """Return the alternative forms of an entity's names."""
        return self._by_uri.get(uri, ())

    def is_of_another(self, text: Text, start: int, end: int, asked: Callable[[], str]) -> bool:
        """Return whether a surname belongs to another person: one in the question, or one with another first name."""
        form = " ".join(text.words[start:end])
        if form not in self._bearers or not self._bearers[form].personal:
            return False
        before = start - 1
        first_name = before >= 0 and not text.mark[start] and text.capital[before] and text.capital[start]
        known = text.words[before] in vocabulary("function", "title", "kind", "hedge")
        return (first_name and not known) or f" {form} " in asked()
