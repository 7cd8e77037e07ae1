"""Table of names with their entities, and search for these names in a text."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import compress

from msgspec import Struct

from factprobe.reading.tokenisation.tokenised_text import Text
from factprobe.reading.tokenisation.words import name_words, singulars_of

_LONGEST, _INFLECTED = 200, 20
"""Maximum number of words of a name that is searched for, and of one that may be inflected; longer ones are texts."""
_NOBODY: frozenset[str] = frozenset()
_LETTERS_FIGURES = re.compile(r"^([^\W\d]+)(\d+)$")


class NameMention(Struct, frozen=True, gc=False):
    """Mention of a name: words `start` to `end` (exclusive), and the URIs of its entities."""

    start: int
    end: int
    uris: frozenset[str]


class NameTable:
    """Normalised names with the URIs of their entities.

    Args:
        entities: URIs, each with its names.
        words_of: Function that splits a name into words, such as `name_words`.
        keeps: True to store the words of the names for `words`, as in the table of a whole end.
        beside: Table that is always searched together with this one, and shares its index of beginnings.
    """

    def __init__(
        self,
        entities: Iterable[tuple[str, Iterable[str]]],
        words_of: Callable[[str], Sequence[str]] = name_words,
        *,
        keeps: bool = False,
        beside: NameTable | None = None,
    ) -> None:
        self.uris: dict[str, str | frozenset[str]] = {}
        """URI of each name, or a set if several entities share it; sets alone would take five times the memory."""
        self.beside = beside
        self.lengths: dict[str, tuple[int, ...]] = {} if beside is None else beside.lengths
        """Numbers of words of the names with a given first word, in descending order."""
        self.pairs: dict[str, tuple[int, ...]] = {} if beside is None else beside.pairs
        """Numbers of words of the names with two given first words, in descending order."""
        self.lower = 0
        """Number of names that begin with a lower-case letter."""
        self._words_of = words_of
        self._keys: dict[str, str] | None = {} if keeps else None
        for uri, names in entities:
            for name in names:
                self._add(uri, name)

    def bearers(self, name: str) -> frozenset[str]:
        """Return the URIs of a normalised name; empty if it is unknown."""
        found = self.uris.get(name)
        if found is None:
            return _NOBODY
        return frozenset((found,)) if isinstance(found, str) else found

    def words(self, name: str) -> Sequence[str]:
        """Return the words of a name like `name_words`, from the table if it has stored them."""
        key = self._keys.get(name) if self._keys else None
        return self._words_of(name) if key is None else key.split()

    def _add(self, uri: str, name: str) -> None:
        words = self._words_of(name)
        count = len(words)
        key = words[0] if count == 1 else " ".join(words)
        if self._keys is not None and (count > 1 or " " not in key):  # punctuation alone is one word with its spaces
            self._keys[name] = key
        bearers = self.uris.get(key)
        if bearers is None:
            self.uris[key] = uri
            self.lower += name[:1].islower()
            _add_length(self.lengths, words[0], count)
            if count > 1:
                _add_length(self.pairs, key if count == 2 else f"{words[0]} {words[1]}", count)
        elif uri != bearers:
            self.uris[key] = self.bearers(key) | {uri}


def _add_length(lengths: dict[str, tuple[int, ...]], start: str, count: int) -> None:
    known = lengths.get(start)
    if known is None or count not in known:
        lengths[start] = _with_length(known or (), count)


@lru_cache(maxsize=1 << 12)
def _with_length(lengths: tuple[int, ...], count: int) -> tuple[int, ...]:
    """Add a length in descending order, unless it is too long to be searched for; cached, as few combinations occur."""
    return lengths if count > _LONGEST else tuple(sorted((*lengths, count), reverse=True))


def find(tables: Sequence[NameTable], text: Text) -> Iterator[tuple[int, int, frozenset[str]]]:
    """Yield start, end (exclusive) and URIs of the names in a text, left to right, taking the longest at each place."""
    words, pairs, lines, count, behind = text.words, text.pairs, text.lines, len(text.words), 0
    leading = [table for table in tables if table.beside is None]
    for i in _places(tables, leading, text):
        if i < behind:
            continue
        best, uris = 0, _NOBODY
        for table in leading if i + 1 < count else ():
            for length in table.pairs.get(pairs[i], ()):
                end = i + length
                if length <= best or end > count or lines[end - 1] != lines[i]:
                    continue
                if bearers := _bearers(tables, " ".join(words[i:end])):
                    best, uris = length, bearers
                    break
        if not best and (uris := _bearers(tables, words[i])):
            best = 1
        if not best and text.inflected:
            best, uris = _find_inflected(tables, text, i)
        if best:
            yield i, i + best, uris
            behind = i + best


def _places(tables: Sequence[NameTable], leading: Sequence[NameTable], text: Text) -> list[int]:
    """Return the indices of the words at which a name may begin, including inflected ones and ones with figures."""
    words, pairs, inflected, numbers = text.words, text.pairs, text.inflected, range(len(text.words))
    places: set[int] = set()
    names, beginnings = _NOBODY, _NOBODY
    for table in tables:
        names |= table.uris.keys() & words
    for table in leading:
        beginnings |= table.pairs.keys() & pairs
        if inflected:
            places.update([i for i, one in text.singulars if one in table.lengths])
            places.update([i - 1 for i, one in text.singulars if i and f"{words[i - 1]} {one}" in table.pairs])
    if names:
        places.update(compress(numbers, map(names.__contains__, words)))
    if beginnings:
        places.update(compress(numbers, map(beginnings.__contains__, pairs)))
    if inflected:
        places.update([at for i in inflected if words[i][-1].isdigit() for at in (i, max(i - 1, 0))])
    return sorted(places)


def _bearers(tables: Sequence[NameTable], key: str) -> frozenset[str]:
    """Return the URIs of a normalised name in any of the tables."""
    found = _NOBODY
    for table in tables:
        if key in table.uris:
            found = found | table.bearers(key) if found else table.bearers(key)
    return found


def first_words(text: Text) -> Collection[str] | None:
    """Return the possible first words of names that `find` may find; None if any is possible, as with figures."""
    words, inflected = text.words, text.inflected
    if not inflected:
        return words
    if any(words[i][-1].isdigit() for i in inflected):
        return None
    return {*words, *(one for _, one in text.singulars)}


def _find_inflected(tables: Sequence[NameTable], text: Text, i: int) -> tuple[int, frozenset[str]]:
    """Find a name with a plural or possessive s ("guitars", "tomatoes", "Chelsea's", "Nobel Prizes in Physics")."""
    words, inflected = text.words, text.inflected
    figures = _figures(tables, text, i)
    if figures[0]:
        return figures
    firsts = (words[i], *singulars_of(words[i]))
    for table in tables:
        for first in firsts:
            for length in table.lengths.get(first, ()):
                end = i + length
                if length > _INFLECTED or end > len(words) or text.lines[end - 1] != text.lines[i]:
                    continue
                for at in range(end - 1, i - 1, -1):
                    for one in singulars_of(words[at]) if at in inflected else ():
                        if bearers := table.bearers(" ".join((*words[i:at], one, *words[at + 1 : end]))):
                            return length, bearers
    return 0, _NOBODY


def _figures(tables: Sequence[NameTable], text: Text, i: int) -> tuple[int, frozenset[str]]:
    """Find a name of letters and figures, with or without a hyphen between them ("BRCA-1", "BRCA1")."""
    word = text.words[i]
    if word[-1].isdigit() and not word.isdigit():
        key, length = _LETTERS_FIGURES.sub(r"\1 \2", word), 1
    elif i + 1 < len(text) and text.mark[i + 1] == "-" and text.words[i + 1].isdigit():
        key, length = word + text.words[i + 1], 2
    else:
        return 0, _NOBODY
    return next(((length, table.bearers(key)) for table in tables if key in table.uris), (0, _NOBODY))
