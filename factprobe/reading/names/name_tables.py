"""Table of names with their entities, and search for these names in a text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from factprobe.reading.tokenisation.tokenised_text import Text
from factprobe.reading.tokenisation.words import name_words, strip_s

_MAX_WORDS = 200
"""Maximum number of words of a name; longer labels are texts and not searched for."""
_NO_URIS: frozenset[str] = frozenset()


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
        """URI by normalised name, or a set of URIs for a shared name; sets for all would take five times the memory."""
        self.pairs: dict[str, tuple[int, ...]] = {}
        """Lengths in words of all names that begin with a pair of words, by this pair."""
        for uri, names in entities:
            for name in names:
                self._add(uri, name)

    def bearers(self, name: str) -> frozenset[str]:
        """Return the URIs of the entities with a normalised name; empty if there is none."""
        uris = self.uris.get(name)
        if uris is None:
            return _NO_URIS
        return frozenset((uris,)) if isinstance(uris, str) else uris

    def _add(self, uri: str, name: str) -> None:
        words = name_words(name)
        key = " ".join(words)
        bearers = self.uris.get(key)
        if bearers is None:
            self.uris[key] = uri
            if 1 < len(words) <= _MAX_WORDS:
                pair = f"{words[0]} {words[1]}"
                lengths = self.pairs.get(pair, ())
                if len(words) not in lengths:
                    self.pairs[pair] = (*lengths, len(words))
        elif uri != bearers:
            self.uris[key] = self.bearers(key) | {uri}


def find(tables: Sequence[NameTable], text: Text) -> Iterator[tuple[int, int, frozenset[str]]]:
    """Yield the mentions of names in a text, from left to right, the longest at each place.

    Each has start and end in words (exclusive), and URIs of its entities. The last word of a mention may have a plural
    or possessive s ("guitars", "Chelsea's").
    """
    words, lines, behind = text.words, text.lines, 0
    for i in _possible_starts(tables, text):
        if i < behind:
            continue
        pairs = {pair := " ".join(words[i : i + 2]), strip_s(pair)}
        lengths = {1, *[length for table in tables for pair in pairs for length in table.pairs.get(pair, ())]}
        for length in sorted(lengths, reverse=True):
            end = i + length
            if end <= len(words) and lines[end - 1] == lines[i] and (uris := _bearers(tables, words[i:end])):
                yield i, end, uris
                behind = end
                break


def find_names(names: Iterable[tuple[str, Iterable[str]]], text: Text) -> Iterator[tuple[int, int, frozenset[str]]]:
    """Yield the mentions of names, given by URI, as `find` does; a table of all would take longer than the search."""
    words = text.keyed[0].keys()
    present = [(uri, [name for name in own if words >= {*name_words(name)}]) for uri, own in names]
    return find([NameTable(present)], text) if any(own for _, own in present) else iter(())


def _possible_starts(tables: Sequence[NameTable], text: Text) -> list[int]:
    """Return the indices of the words at which a name may begin."""
    words, pairs = text.keyed
    starts: set[int] = set()
    for table in tables:
        for keys, known in ((words, table.uris.keys()), (pairs, table.pairs.keys())):
            if not known.isdisjoint(keys):
                starts.update(*[indices for key, indices in keys.items() if key in known])
    return sorted(starts)


def _bearers(tables: Sequence[NameTable], words: Sequence[str]) -> frozenset[str]:
    """Return the URIs of a name in any of the tables; if it is in none, the URIs of the name without its final s."""
    whole = " ".join(words)
    for name in dict.fromkeys((whole, whole[: len(whole) - len(words[-1])] + strip_s(words[-1]))):
        if uri_sets := [table.bearers(name) for table in tables if name in table.uris]:
            return uri_sets[0].union(*uri_sets[1:])
    return _NO_URIS
