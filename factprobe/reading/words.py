"""A text as words: each normalised, with what stands before it and the sentence, line and item that it is in."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from itertools import compress
from typing import Any, Final

from factprobe.reading.language import in_order, vocabulary
from factprobe.text import in_one_spelling, join_initials, normalise

_PIECE = re.compile(
    r"[A-Za-z]++(?=\s|\Z)"  # most words: what is behind finds them as well, in thrice the time
    r"|\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w,])"  # one number, not two items
    r"|[,;\n|/•·()\[\]…—。、]|[.!?:]+|[-–](?=\s)|[^\s,;|/•·()\[\]…—。、]+"
)
_WIDE = re.compile(r"([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\u0e00-\u0e7f\uac00-\ud7af])")
"""Letters of scripts that do without spaces: each is a word of its own."""
_GAP = re.compile(rf"(?<={_WIDE.pattern[1:-1]}) (?={_WIDE.pattern[1:-1]})")
_ENDS = frozenset(".!?:…。")
_OF_LINES = frozenset("\n;|•")
"""No name reaches over these; it may reach over a comma or a full stop: Washington, D.C., St. Louis."""
_AND = in_order("link_and")[0]
_ABBREVIATIONS = vocabulary("abbreviation")


class Text:
    """The words of a text, in lists side by side.

    `words` are normalised, `raw` as they came. `mark` is what parts a word from the one before it: a punctuation mark,
    "-" within a hyphenated word, or nothing. `depth` counts the open brackets. Sentences, lines and items (what commas,
    slashes and bullets part) are counted from 0. `starts` are offsets in `source`, the text that was read. A text does
    not change once it is read; `replaced` gives another source.
    """

    __slots__ = (
        "_shouts",
        "asks",
        "capital",
        "depth",
        "inflected",
        "introduces",
        "items",
        "lines",
        "mark",
        "raw",
        "sentences",
        "source",
        "starts",
        "words",
    )

    def __init__(self, text: str) -> None:
        if not text.isascii():
            text = unicodedata.normalize("NFKC", text.replace("´", "'"))
        self.source: Final = join_initials(text.replace("\r\n", "\n"))
        self.asks: Final[set[int]] = set()
        """The sentences that end in a question mark."""
        self.introduces: Final[set[int]] = set()
        """The sentences that end in a colon: they say what comes, and are not part of it."""
        self._shouts: bool | None = None
        columns = [list(column) for column in zip(*self._read(self.source), strict=True)] or [[] for _ in range(10)]
        self.words: Final[list[str]] = columns[0]
        self.raw: Final[list[str]] = columns[1]
        self.capital: Final[list[bool]] = columns[2]
        self.mark: Final[list[str]] = columns[4]
        self.depth: Final[list[int]] = columns[5]
        self.sentences: Final[list[int]] = columns[6]
        self.lines: Final[list[int]] = columns[7]
        self.items: Final[list[int]] = columns[8]
        self.starts: Final[list[int]] = columns[9]
        self.inflected: Final[set[int]] = set(compress(range(len(self.words)), columns[3]))
        """The words that may be a plural, or end in a figure."""

    def __len__(self) -> int:
        return len(self.words)

    def span(self, i: int) -> tuple[int, int]:
        """Where a word stands in the source: start and end; empty where the source has it in another form."""
        start = self.source.find(self.raw[i], self.starts[i])
        return (start, start + len(self.raw[i])) if start >= 0 else (self.starts[i], self.starts[i])

    def replaced(self, spans: Iterable[tuple[int, int, str]]) -> str:
        """The source with other text in the place of spans of it, each a start, an end and the text."""
        text = self.source
        for start, end, other in sorted(spans, reverse=True):
            text = f"{text[:start]}{other}{text[end:]}"
        return text

    def shouts(self) -> bool:
        """Whether capitals tell nothing: in a text all in capitals, or with one at every word."""
        if self._shouts is None:
            long = [raw for raw in self.raw if len(raw) > 2]
            self._shouts = len(long) > 3 and all(raw[0].isupper() for raw in long)
        return self._shouts

    def _read(self, text: str) -> list[tuple[Any, ...]]:
        """The words, each with all that there is in the lists."""
        rows: list[tuple[Any, ...]] = []
        sentence = line = item = depth = 0
        mark = ""
        for found in _PIECE.finditer(text):
            words, piece = _taken_apart(found[0])
            for word, raw, capital, inflected, glue in words:
                rows.append((word, raw, capital, inflected, mark or glue, depth, sentence, line, item, found.start()))
                mark = ""
            if not piece:
                continue
            if piece in "()[]":
                if piece in ")]":
                    depth = max(depth - 1, 0)
                elif piece == "(" or (rows and rows[-1][7] == line):  # a tag before a name is no aside to it
                    depth += 1
                mark += piece
                continue
            if ":" in piece:
                self.introduces.add(sentence)
            elif "?" in piece:
                self.asks.add(sentence)
            mark += "–" if piece == "-" else piece
            item += 1
            if piece[-1] in _ENDS or piece in ("\n", "•"):
                sentence += 1
            if piece in _OF_LINES:
                line += 1
                depth = 0 if piece != ";" else depth
        return rows


_STOPS = frozenset(".!?:\"'”’*")
_MARKS = frozenset(",;\n|/•·()[]…—。、-–")


@lru_cache(maxsize=1 << 16)
def _taken_apart(piece: str) -> tuple[tuple[tuple[str, str, bool, bool, str], ...], str]:
    """The words of a piece and the mark that it is or ends in; pieces come again.

    Returns:
        Of each word its normalised form, how it came, whether it has a capital, whether it may be inflected, and what
        parts it from the one before it in the piece; and the mark, or nothing.
    """
    if not (piece[0].isalnum() or (piece not in _MARKS and piece[0] not in _ENDS)):
        return (), piece
    body, end = _without_stop(piece) if piece[-1] in _STOPS else (piece, "")
    if end == "." and body.lower().lstrip("(\"'") in _ABBREVIATIONS:
        end = ""
    found: list[tuple[str, str, bool, bool, str]] = []
    for word, raw, capital in _split(body):
        glue = "-" if found and not (_WIDE.match(word) or _WIDE.match(found[-1][0])) else ""
        found.append((word, raw, capital, _may_be_inflected(word), glue))
    return tuple(found), end


def _without_stop(piece: str) -> tuple[str, str]:
    """A word and the mark that ends it."""
    body = piece.rstrip("\"'”’*")
    bare = body.rstrip(".!?:")
    return (bare, body[-1]) if bare != body and bare else (piece, "")


def _split(piece: str) -> tuple[tuple[str, str, bool], ...]:
    """The normalised words of a piece, each as it came and whether it has a capital."""
    if piece.isascii() and piece.isalnum():
        small = piece.lower()
        return ((in_one_spelling(small), piece, piece != small),)
    words = words_in(normalise(piece))
    if len(words) == 1:
        return ((words[0], piece, _capital(piece)),)
    raw = [part for part in re.split(r"[\W_]+", spaced(piece.replace("'", "").replace("’", ""))) if part]
    if len(raw) != len(words):
        capital = _capital(piece)
        return tuple((word, piece, capital) for word in words)
    return tuple((word, part, _capital(part)) for word, part in zip(words, raw, strict=True))


@lru_cache(maxsize=1 << 16)
def name_words(name: str) -> tuple[str, ...]:
    """The words of a name as `Text` splits them."""
    normalised = normalise(join_initials(name))
    return tuple(words_in(normalised)) or (normalised,)


def words_in(normalised: str) -> list[str]:
    """The words of a normalised text; the sign for "and" is the word where it stands alone."""
    parts = spaced(normalised).split()
    return [_AND if word == "&" else word for word in parts if word.isalnum() or _says_something(word)]


def spaced(text: str) -> str:
    """The text with spaces around the letters of scripts that do without."""
    return text if text.isascii() else _WIDE.sub(r" \1 ", text)


def _may_be_inflected(word: str) -> bool:
    last = word[-1]
    return (last == "s" and len(word) > 3) or last.isdigit()


def joined(words: list[str]) -> str:
    """The words as one text, those of scripts that do without spaces written together again."""
    text = " ".join(words)
    return text if text.isascii() else _GAP.sub("", text)


def _capital(word: str) -> bool:
    first = next((letter for letter in word if letter.isalnum()), "")
    return first.isupper() or any(letter.isupper() for letter in word)


def _says_something(word: str) -> bool:
    """Whether a normalised word is more than punctuation."""
    return any(c.isalnum() or c in "+#&%$€£" for c in word)
