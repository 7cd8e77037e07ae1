"""Table of names with their entities, and search for these names in a text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from factprobe.reading.tokenisation.tokenised_text import Text
from factprobe.reading.tokenisation.words import name_words, singular

_LONGEST = 200
"""Maximum number of words of a name that is searched for; longer ones are texts."""
_NOBODY: frozenset[str] = frozenset()


class NameMention(Struct, frozen=True, gc=False):
    """Mention of a name: words `start` to `end` (exclusive), and the URIs of its entities."""

    start: int
    end: int
    uris: frozenset[str]


class NameTable:
    """Normalised names with the URIs of their entities.

    Args:
        entities: URIs, each with its names.
    """

    def __init__(self, entities: Iterable[tuple[str, Iterable[str]]]) -> None:
        self.uris: dict[str, str | frozenset[str]] = {}
        """URI of each name, or a set if several entities share it; sets alone would take five times the memory."""
        self.pairs: dict[str, tuple[int, ...]] = {}
        """Numbers of words of the names with two given first words."""
        self.lower = 0
        """Number of names that begin with a lower-case letter."""
        for uri, names in entities:
            for name in names:
                self._add(uri, name)

    def bearers(self, name: str) -> frozenset[str]:
        """Return the URIs of a normalised name; empty if it is unknown."""
        found = self.uris.get(name)
        if found is None:
            return _NOBODY
        return frozenset((found,)) if isinstance(found, str) else found

    def _add(self, uri: str, name: str) -> None:
        words = name_words(name)
        key = " ".join(words)
        bearers = self.uris.get(key)
        if bearers is None:
            self.uris[key] = uri
            self.lower += name[:1].islower()
            if 1 < len(words) <= _LONGEST:
                pair = f"{words[0]} {words[1]}"
                known = self.pairs.get(pair, ())
                if len(words) not in known:
                    self.pairs[pair] = (*known, len(words))
        elif uri != bearers:
            self.uris[key] = self.bearers(key) | {uri}


def find(tables: Sequence[NameTable], text: Text) -> Iterator[tuple[int, int, frozenset[str]]]:
    """Yield start, end (exclusive) and URIs of the names in a text, left to right, taking the longest at each place.

    The last word of a name may have a plural or possessive s ("guitars", "Chelsea's").
    """
    words, lines, behind = text.words, text.lines, 0
    for i in _places(tables, text):
        if i < behind:
            continue
        pairs = {pair := " ".join(words[i : i + 2]), singular(pair)}
        lengths = {1, *[length for table in tables for pair in pairs for length in table.pairs.get(pair, ())]}
        for length in sorted(lengths, reverse=True):
            end = i + length
            if end <= len(words) and lines[end - 1] == lines[i] and (uris := _bearers(tables, words[i:end])):
                yield i, end, uris
                behind = end
                break


def _places(tables: Sequence[NameTable], text: Text) -> list[int]:
    """Return the indices of the words at which a name may begin."""
    words, pairs = text.keyed
    places: set[int] = set()
    for table in tables:
        for keys, known in ((words, table.uris), (pairs, table.pairs)):
            places.update([i for i, key in keys if key in known])
    return sorted(places)


def _bearers(tables: Sequence[NameTable], words: Sequence[str]) -> frozenset[str]:
    """Return the URIs of a name in any of the tables; without the s of its last word if it is unknown with it."""
    for last in dict.fromkeys((words[-1], singular(words[-1]))):
        name = " ".join((*words[:-1], last))
        if found := _NOBODY.union(*[table.bearers(name) for table in tables]):
            return found
    return _NOBODY
