"""Text as normalised words with their punctuation, sentences, lines and items."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import Final

from factprobe.lazy import lazy
from factprobe.reading.language import vocabulary
from factprobe.reading.tokenisation.tokens import key_of
from factprobe.reading.tokenisation.words import (
    ENDS,
    Word,
    split_at_marks,
    split_whitespace,
    strip_s,
)
from factprobe.text import compose, join_initials

_LINE_MARKS = frozenset("\n;|•")
"""Marks that end a line, which no name contains, unlike commas and full stops (Washington, D.C.; St. Louis)."""
_IN_NO_NAME = vocabulary("function") - vocabulary("contrast")
"""Function words that are hardly part of names, unlike New."""
_Stop = tuple[int, str]
"""Index of a word, and a punctuation mark before it."""


class Text:
    """Words of a text, as parallel lists.

    Each list has an entry for each word: `words` the normalised form, `raw` the form in the text, `capital` whether it
    has a capital, `mark` the punctuation between it and the previous word ("-" within a hyphenated word, or an empty
    string), `depth` the number of open brackets. `sentences`, `lines` and `items` have the number of the sentence, line
    or item (part between commas, slashes or bullets) that the word belongs to, from 0. A text is immutable.
    """

    def __init__(self, text: str) -> None:
        if not text.isascii():
            text = compose(text.replace("´", "'"))
        self.source: Final = join_initials(text.replace("\r\n", "\n"))
        """Text to which all offsets refer."""
        self.asks: Final[set[int]] = set()
        """Numbers of the sentences that end in a question mark."""
        self.introduces: Final[set[int]] = set()
        """Numbers of the sentences that end in a colon."""
        self._bases: Final[list[int]] = []
        rows, stops = self._read()
        words, raw, capital, mark, *_ = map(list, zip(*rows, strict=True)) if rows else ([], [], [], [])
        self._rows: Final = rows
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

    def text_of(self, start: int, end: int) -> str:
        """Return the source from word `start` to word `end` (exclusive)."""
        return self.source[self.spans[start][0] : self.spans[end - 1][1]]

    @lazy
    def spans(self) -> list[tuple[int, int]]:
        """Span of each word in the source; empty if the word is not found there, since it was normalised."""
        return [(base + row.start, base + row.end) for base, row in zip(self._bases, self._rows, strict=True)]

    def replaced(self, spans: Iterable[tuple[int, int, str]]) -> str:
        """Return the source with some spans replaced; `spans` has the start, end and replacement of each."""
        parts: list[str] = []
        at = 0
        for start, end, other in sorted(spans):
            parts += self.source[at:start], other
            at = end
        return "".join([*parts, self.source[at:]])

    @lazy
    def keys(self) -> list[str]:
        """Key of each word (stem, or digits of a number), by which words are compared."""
        return [*map(key_of, self.words)]

    @lazy
    def shouts(self) -> bool:
        """True if capitals carry no information: all words have one, also function words, or it is in capitals."""
        long = [raw for raw in self.raw if len(raw) > 2]
        if len(long) < 4 or not all(raw[0].isupper() for raw in long):
            return False
        return self.source.isupper() or any(raw.lower() in _IN_NO_NAME for raw in long[1:])

    @lazy
    def starts(self) -> list[int]:
        """Start of each word in the source, with leading quotes; parts of a compound have the start of the compound."""
        return [base + row.piece_start for base, row in zip(self._bases, self._rows, strict=True)]

    @lazy
    def keyed(self) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
        """Indices by word, and of the first word by pair of adjacent words; also by each of these without a final s."""
        indices: tuple[dict[str, list[int]], dict[str, list[int]]] = {}, {}
        for at, keys in zip(indices, (self.words, map(" ".join, pairwise(self.words))), strict=True):
            for i, key in enumerate(keys):
                at.setdefault(key, []).append(i)
                if key[-1] == "s":
                    at.setdefault(strip_s(key), []).append(i)
        return indices

    def _read(self) -> tuple[list[Word], list[_Stop]]:
        """Return the words of the source, and the marks between and after them."""
        rows: list[Word] = []
        stops: list[_Stop] = []
        source, end = self.source, 0
        for token in split_whitespace(source):
            base = source.index(token, end)  # only white space separates tokens
            end = base + len(token)
            for words, mark in split_at_marks(token):
                for word in words:
                    rows.append(word)
                    self._bases.append(base)
                if mark:
                    stops.append((len(rows), mark))
        return rows, stops

    def _place(self, stops: list[_Stop]) -> None:
        """Fill the lists of marks, bracket depths, sentences, lines and items, from the marks of the text."""
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
            if mark in _LINE_MARKS:
                line += 1
                depth = 0 if mark != ";" else depth


text_of = lru_cache(maxsize=1 << 3)(Text)
"""Split a text into words; the last texts are cached, since both ends of a relation are searched in one text."""
