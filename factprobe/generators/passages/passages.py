"""Passages from the evidences of a fact, and search for names in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from msgspec import Struct

from factprobe.records import Evidence, Span
from factprobe.text import normalise, one_line

_WIDE = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\u0e00-\u0e7f\uac00-\ud7af"
"""Range of letters of scripts without spaces, each of which is a word."""
_STEM, _ENDING = 4, 5
"""Minimum length of the stem that forms of a word share (Scotland, Scottish); maximum length of their endings."""


class Word(NamedTuple):
    """Word of a text."""

    key: str
    """Normalised form."""
    start: int
    end: int


class NameSpan(NamedTuple):
    """Mention of a name from one of several tables in a text."""

    start: int
    """Index of its first character."""
    end: int
    """Index after its last character."""
    table: int
    """Index of the table with the name."""


def words_of(text: str) -> list[Word]:
    """Return the words of a text with their spans; initials without spaces (J.R.) are one word."""
    return [Word(normalise(match[0]), *match.span()) for match in _word().finditer(text)]


@cache  # compiled on first use, to keep the start short
def _word() -> re.Pattern[str]:
    return re.compile(rf"[{_WIDE}]|(?:[^\W\d_]\.)+[^\W\d_](?!\w)|(?:(?![{_WIDE}])[^\W_])+(?:[+#]+(?!\w))?")


class NameKeys:
    """Table of names, each as its words without spaces: `U.S.` equals `US`. Names of symbols only are ignored."""

    def __init__(self, names: Iterable[str]) -> None:
        self.keys: set[str] = set()
        self._words: dict[str, set[str]] = {}
        for name in names:
            words = [word.key for word in words_of(name)]
            self.keys.update(("".join(words), normalise(name).replace(" ", "")))  # with its article and without
            for word in words:
                self._words.setdefault(word[:_STEM], set()).add(word)
        self.keys.discard("")
        self.longest = max(map(len, self.keys), default=0)
        self.initials = {key[0] for key in self.keys}

    def is_inflected(self, key: str) -> bool:
        """Return whether a word may be an inflected or derived form of a word in the names (Scottish for Scotland)."""
        if len(key) < _STEM or key[:_STEM] not in self._words:
            return False
        stems = ((word, max(_STEM, max(len(key), len(word)) - _ENDING)) for word in self._words[key[:_STEM]])
        return any(key[:stem] == word[:stem] for word, stem in stems)


def mentions(words: Sequence[Word], tables: Sequence[NameKeys]) -> Iterator[NameSpan]:
    """Yield mentions from left to right: the longest name at each word, with the first table that has it."""
    longest = max((table.longest for table in tables), default=0)
    initials: set[str] = set().union(*(table.initials for table in tables))
    i = 0
    while i < len(words):
        key, last, found = "", i, -1
        for j in range(i, len(words) if words[i].key[:1] in initials else i):
            key += words[j].key
            if len(key) > longest:
                break
            holder = next((number for number, table in enumerate(tables) if key in table.keys), -1)
            if holder >= 0:
                last, found = j, holder
        if found >= 0:
            yield NameSpan(words[i].start, words[last].end, found)
        i = last + 1


class Passage(Struct, frozen=True, gc=False):
    """Text of the source that states a fact."""

    text: str
    filled: tuple[Span, ...] = ()
    """Spans in which the object replaced a mask of the source; empty if it has no masks."""


def passages_of(evidences: Iterable[Evidence], longest: int) -> Iterator[Passage]:
    """Yield sentence and passage of each evidence in one line, up to `longest` characters, unless raters reject it."""
    for evidence in evidences:
        if evidence.is_doubted():
            continue
        sentence, filled = evidence.filled_sentence()
        for passage in (Passage(sentence, tuple(filled)), Passage(one_line(evidence.snippet))):
            if 0 < len(passage.text) <= longest:
                yield passage
