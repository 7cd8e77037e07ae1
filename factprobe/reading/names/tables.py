"""Names with the entities that bear them, and where they stand in a text, the longest first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from factprobe.reading.names.near import Known
from factprobe.reading.once import once
from factprobe.reading.words import Text, name_words

_LONGEST, _INFLECTED = 200, 20
"""Words of a name that is looked for within a text, and of one that may have an s in it; a longer one is a text."""
_LETTERS_FIGURES = re.compile(r"^([^\W\d]+)(\d+)$")


class Mention(Struct, frozen=True, gc=False):
    """A name in a text: words `start` to `end` (exclusive), and the URIs that bear it."""

    start: int
    end: int
    uris: frozenset[str]


class NameTable:
    """Normalised names with the URIs that bear them."""

    def __init__(self, entities: Iterable[tuple[str, Iterable[str]]]) -> None:
        self.uris: dict[str, frozenset[str]] = {}
        self.lengths: dict[str, list[int]] = {}
        self.lower = 0
        """How many of the names begin with a small letter."""
        for uri, names in entities:
            for name in names:
                self._add(uri, name)

    @once
    def known(self) -> Known:
        """The names, to find those that are near a text."""
        return Known(self.uris)

    def _add(self, uri: str, name: str) -> None:
        words = name_words(name)
        key = " ".join(words)
        bearers = self.uris.get(key)
        if bearers is None:
            self.uris[key] = frozenset((uri,))
            self.lower += name[:1].islower()
            lengths = self.lengths.setdefault(words[0], [])
            if len(words) not in lengths and len(words) <= _LONGEST:
                lengths.append(len(words))
                lengths.sort(reverse=True)
        elif uri not in bearers:
            self.uris[key] = bearers | {uri}


_NOBODY: frozenset[str] = frozenset()


def find(tables: Sequence[NameTable], text: Text) -> Iterator[tuple[int, int, frozenset[str]]]:
    """The names in a text, left to right and the longest at each place: start, end (exclusive), URIs."""
    words, lines, inflected = text.words, text.lines, text.inflected
    lookups = [(table.lengths.get, table.uris.get) for table in tables if not table.lengths.keys().isdisjoint(words)]
    if not (lookups or inflected):
        return
    i, count = 0, len(words)
    while i < count:
        word = words[i]
        best, uris = 0, _NOBODY
        begins = False  # whether a name begins with the word as it is
        for lengths_of, bearers_of in lookups:
            for length in lengths_of(word, ()):
                begins = True
                end = i + length
                if length < best or end > count or lines[end - 1] != lines[i]:
                    continue
                bearers = bearers_of(word if length == 1 else " ".join(words[i:end]))
                if bearers:
                    uris = bearers if length > best else uris | bearers
                    best = length
                    break
        if not best and inflected and (begins or i in inflected or (i + 1 in inflected and words[i + 1].isdigit())):
            best, uris = _inflected(tables, text, i)
        if best:
            yield i, i + best, uris
        i += best or 1


def may_be_in(text: Text, words: Sequence[str]) -> bool:
    """Whether `find` may find a name of some words in a text: its first word is there, as it is or inflected."""
    first = words[0]
    if first in text.words:
        return True
    return any(text.words[i][-1].isdigit() or first in _singulars(text.words[i]) for i in text.inflected)


def _inflected(tables: Sequence[NameTable], text: Text, i: int) -> tuple[int, frozenset[str]]:
    """A name with the s of a plural or of a possessive: guitars, tomatoes, Chelsea's, Nobel Prizes in Physics."""
    words = text.words
    figures = _figures(tables, text, i)
    if figures[0]:
        return figures
    firsts = (words[i], *_singulars(words[i]))
    for table in tables:
        for first in firsts:
            for length in table.lengths.get(first, ()):
                end = i + length
                if length > _INFLECTED or end > len(words) or text.lines[end - 1] != text.lines[i]:
                    continue
                for at in range(end - 1, i - 1, -1):
                    for one in _singulars(words[at]):
                        bearers = table.uris.get(" ".join((*words[i:at], one, *words[at + 1 : end])))
                        if bearers:
                            return length, bearers
    return 0, frozenset()


def _singulars(word: str) -> tuple[str, ...]:
    if len(word) < 4 or word[-1] != "s":
        return ()
    return (word[:-1], word[:-2], f"{word[:-3]}y") if word[-2] == "e" else (word[:-1],)


def _figures(tables: Sequence[NameTable], text: Text, i: int) -> tuple[int, frozenset[str]]:
    """A name of letters and figures, with the hyphen between them or without: BRCA-1, BRCA1."""
    word = text.words[i]
    key, length = "", 1
    if word[-1].isdigit() and not word.isdigit():
        key = _LETTERS_FIGURES.sub(r"\1 \2", word)
    elif i + 1 < len(text) and text.mark[i + 1] == "-" and text.words[i + 1].isdigit():
        key, length = word + text.words[i + 1], 2
    for table in tables:
        if key and key in table.uris:
            return length, table.uris[key]
    return 0, frozenset()
