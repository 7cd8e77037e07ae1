"""Text as normalised words with their punctuation, sentences, lines and items."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Iterable
from itertools import chain, pairwise
from typing import Final

from factprobe.lazy import lazy
from factprobe.reading.tokenisation.words import (
    ENDS,
    Word,
    pieces_of,
    singular,
    tokens_of,
    word_offsets,
)
from factprobe.text import join_initials

_OF_LINES = frozenset("\n;|•")
"""Marks that names cannot contain, unlike commas and full stops ("Washington, D.C.", "St. Louis")."""
_Stop = tuple[int, str]
"""Mark, with the index of the word after it."""


class Text:
    """Words of a text, as parallel lists.

    `words` are normalised, `raw` as written. `mark` separates a word from the previous one: punctuation, "-" within a
    hyphenated word, or an empty string. `depth` counts open brackets. Sentences, lines and items (separated by commas,
    slashes and bullets) are numbered from 0. `starts` are offsets in `source`, the text that was read. A text is
    immutable; `replaced` returns a changed source.
    """

    def __init__(self, text: str) -> None:
        if not text.isascii():
            text = unicodedata.normalize("NFKC", text.replace("´", "'"))
        self.source: Final = join_initials(text.replace("\r\n", "\n"))
        self.asks: Final[set[int]] = set()
        """Numbers of the sentences that end in a question mark."""
        self.introduces: Final[set[int]] = set()
        """Numbers of the sentences that end in a colon, and so introduce the following text."""
        rows, stops = self._read()
        words, raw, capital, mark = map(list, zip(*rows, strict=True)) if rows else ([], [], [], [])
        self.words: Final[list[str]] = words
        self.raw: Final[list[str]] = raw
        self.capital: Final[list[bool]] = capital
        self.mark: Final[list[str]] = mark
        self.depth: Final[list[int]] = []
        self.sentences: Final[list[int]] = []
        self.lines: Final[list[int]] = []
        self.items: Final[list[int]] = []
        self._place(stops)

    def __len__(self) -> int:
        return len(self.words)

    def span(self, i: int) -> tuple[int, int]:
        """Return the span of a word in the source; empty if the source has it in another form."""
        return self._spans[i]

    @lazy
    def _spans(self) -> list[tuple[int, int]]:
        """Return the span of each word; words of one piece are searched one after the other."""
        source, starts = self.source, self.starts
        found: list[tuple[int, int]] = []
        piece, at, stop, whole = -1, 0, 0, ""
        for i, raw in enumerate(self.raw):
            if starts[i] != piece:
                piece = at = starts[i]
                behind = bisect_right(starts, piece, i)
                stop = starts[behind] if behind < len(starts) else len(source)
                whole = ""
            elif raw is whole:
                found.append(found[-1])
                continue
            start = source.find(raw, at, stop)
            if start < 0:  # the whole piece may stand for each of its words
                start, whole = source.find(raw, piece, stop), raw
            at = max(at, start + len(raw)) if start >= 0 else at
            found.append((start, start + len(raw)) if start >= 0 else (piece, piece))
        return found

    def replaced(self, spans: Iterable[tuple[int, int, str]]) -> str:
        """Return the source with spans replaced; each is given as start, end and replacement."""
        parts: list[str] = []
        at = 0
        for start, end, other in sorted(spans):
            parts += self.source[at:start], other
            at = end
        return "".join([*parts, self.source[at:]])

    @lazy
    def shouts(self) -> bool:
        """True if capitals carry no information, since the whole text or every word is capitalised."""
        long = [raw for raw in self.raw if len(raw) > 2]
        return len(long) > 3 and all(raw[0].isupper() for raw in long)

    @lazy
    def starts(self) -> list[int]:
        """Index in the source at which the piece of each word begins."""
        found, end = list[int](), 0
        for token in tokens_of(self.source):
            start = self.source.index(token, end)  # only white space separates tokens
            end = start + len(token)
            found += [start + offset for offset in word_offsets(token)]
        return found

    @lazy
    def pairs(self) -> list[str]:
        """Each word but the last one, joined with the next word."""
        return [f"{word} {behind}" for word, behind in pairwise(self.words)]

    @lazy
    def singulars(self) -> list[str]:
        """Words without a plural or possessive s."""
        return [*map(singular, self.words)]

    @lazy
    def singular_pairs(self) -> list[str]:
        """Each word but the last one, joined with the singular of the next word."""
        return [*map(singular, self.pairs)]

    def _read(self) -> tuple[list[Word], list[_Stop]]:
        """Read the words, and the marks between and after them."""
        pieces = [*chain.from_iterable(map(pieces_of, tokens_of(self.source)))]
        rows: list[Word] = []
        stops: list[_Stop] = []
        for words, mark in pieces:
            rows += words
            if mark:
                stops.append((len(rows), mark))
        return rows, stops

    def _place(self, stops: list[_Stop]) -> None:
        """Set the marks before each word, its depth of brackets, and its sentence, line and item."""
        count = len(self.words)
        begun = sentence = line = item = depth = 0
        for at, mark in (*stops, (count, "")):  # an empty mark for the words after the last one
            if new := at - begun:
                self.depth.extend([depth] * new)
                self.sentences.extend([sentence] * new)
                self.lines.extend([line] * new)
                self.items.extend([item] * new)
                begun = at
            if at < count:
                self.mark[at] += "–" if mark == "-" else mark
            if mark in "()[]":
                if mark in ")]":
                    depth = max(depth - 1, 0)
                elif mark == "(" or (at and self.lines[-1] == line):  # a bracketed tag before a name is not an aside
                    depth += 1
                continue
            if ":" in mark:
                self.introduces.add(sentence)
            elif "?" in mark:
                self.asks.add(sentence)
            item += 1
            if mark[-1] in ENDS or mark in "\n•":
                sentence += 1
            if mark in _OF_LINES:
                line += 1
                depth = 0 if mark != ";" else depth
