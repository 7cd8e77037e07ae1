"""Text as normalised words with their punctuation, sentences, lines and items."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import Final

from factprobe.lazy import lazy
from factprobe.reading.language import vocabulary
from factprobe.reading.tokenisation.tokens import Words, key_of
from factprobe.reading.tokenisation.words import ENDS, PIECE, split_piece, strip_s
from factprobe.text import compose, join_initials

_LINE_MARKS = frozenset("\n;|•")
"""Marks that end a line, which no name contains, unlike commas and full stops (Washington, D.C.; St. Louis)."""
_IN_NO_NAME = vocabulary("function") - vocabulary("contrast")
"""Function words that are hardly part of names, unlike New."""


class Text(Words):
    """Words of a text, as parallel lists.

    Each list has an entry for each word: `words` the normalised form, `raw` the form in the text, `capital` whether it
    has a capital, `mark` the punctuation between it and the previous word ("-" within a hyphenated word, or an empty
    string), `depth` the number of open brackets. `sentences`, `lines` and `items` have the number of the sentence, line
    or item (part between commas, slashes or bullets) that the word belongs to, from 0. A text is immutable.
    """

    def __init__(self, text: str) -> None:
        if not text.isascii():
            text = compose(text.replace("´", "'"))
        self.source = join_initials(text.replace("\r\n", "\n"))
        """Text to which all offsets refer."""
        self.asks: Final[set[int]] = set()
        """Numbers of the sentences that end in a question mark."""
        self.introduces: Final[set[int]] = set()
        """Numbers of the sentences that end in a colon."""
        self.words: Final[list[str]] = []
        self.raw: list[str] = []
        self.capital: Final[list[bool]] = []
        self.mark: Final[list[str]] = []
        self.depth: Final[list[int]] = []
        self.sentences: Final[list[int]] = []
        self.lines: Final[list[int]] = []
        self.items: Final[list[int]] = []
        self.starts: Final[list[int]] = []
        self.ends: Final[list[int]] = []
        self._read()

    def text_of(self, start: int, end: int) -> str:
        """Return the source from word `start` to word `end` (exclusive)."""
        return self.source[self.starts[start] : self.ends[end - 1]]

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
    def keyed(self) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
        """Indices by word, and of the first word by pair of adjacent words; also by each of these without a final s."""
        indices: tuple[dict[str, list[int]], dict[str, list[int]]] = {}, {}
        for at, keys in zip(indices, (self.words, map(" ".join, pairwise(self.words))), strict=True):
            for i, key in enumerate(keys):
                at.setdefault(key, []).append(i)
                if key[-1] == "s":
                    at.setdefault(strip_s(key), []).append(i)
        return indices

    def _read(self) -> None:
        """Split the source into words, and number its sentences, lines and items by the marks between them."""
        sentence = line = item = depth = 0
        marks = ""
        for match in PIECE.finditer(self.source):
            at = match.start()
            words, mark = split_piece(match[0])
            for word in words:
                self.words.append(word.norm)
                self.raw.append(word.raw)
                self.capital.append(word.has_capital)
                self.mark.append(marks or word.hyphen)
                self.depth.append(depth)
                self.sentences.append(sentence)
                self.lines.append(line)
                self.items.append(item)
                self.starts.append(at + word.start)
                self.ends.append(at + word.end)
                marks = ""
            marks += "–" if mark == "-" else mark
            if not mark:
                continue
            if mark in "()[]":
                if mark in ")]":
                    depth = max(depth - 1, 0)
                elif mark == "(" or line in self.lines[-1:]:  # a bracketed tag before a name is not an aside
                    depth += 1
                continue
            if ":" in mark:
                self.introduces.add(sentence)
            elif "?" in mark:
                self.asks.add(sentence)
            item += 1
            sentence += mark[-1] in ENDS or mark in "\n•"
            if mark in _LINE_MARKS:
                line += 1
                depth = depth if mark == ";" else 0


text_of = lru_cache(maxsize=1 << 3)(Text)
"""Split a text into words; the last texts are cached, since both ends of a relation are searched in one text."""
