"""Split a text into normalised words with their punctuation, sentences, lines and items."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain, compress, pairwise
from typing import Final

from factprobe.reading.language import in_order, vocabulary
from factprobe.text import join_initials, normalise, spelling

_PIECE = re.compile(
    r"[-−–]?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w,])"  # a single number, not two items
    r"|[,;\n|/•·()\[\]…—。、]|[.!?:]+|[-–](?=\s)|[^\s,;|/•·()\[\]…—。、]+"
)
_WIDE = re.compile(r"([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\u0e00-\u0e7f\uac00-\ud7af])")
"""Characters of scripts without spaces; each is a word of its own."""
_GAP = re.compile(rf"(?<={_WIDE.pattern[1:-1]}) (?={_WIDE.pattern[1:-1]})")
_ENDS = frozenset(".!?:…。")
_OF_LINES = frozenset("\n;|•")
"""Marks that names cannot cross, unlike commas and full stops (Washington, D.C., St. Louis)."""
_AND = in_order("link_and")[0]
_ABBREVIATIONS = vocabulary("abbreviation")
_MAY_END, _OPENERS = vocabulary("abbreviation_at_end"), vocabulary("sentence_opener")
_ABBREVIATED = "<."
"""Mark of an abbreviation's full stop, which also ends the sentence if the next word opens one."""
_MARK_OF = {"-": "–", _ABBREVIATED: "."}


class Text:
    """Words of a text, as parallel lists.

    `words` are normalised, `raw` as written. `mark` separates a word from the previous one: punctuation, "-" within a
    hyphenated word, or an empty string. `depth` counts open brackets. Sentences, lines and items (separated by commas,
    slashes and bullets) are numbered from 0. `starts` are offsets in `source`, the text that was read. A text is
    immutable; `replaced` returns a changed source.
    """

    __slots__ = (
        "_pairs",
        "_shouts",
        "_singulars",
        "_spans",
        "_starts",
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
        "words",
    )

    def __init__(self, text: str) -> None:
        if not text.isascii():
            text = unicodedata.normalize("NFKC", text.replace("´", "'"))
        self.source: Final = join_initials(text.replace("\r\n", "\n"))
        self.asks: Final[set[int]] = set()
        """Numbers of the sentences that end in a question mark."""
        self.introduces: Final[set[int]] = set()
        """Numbers of the sentences that end in a colon, which introduce what follows."""
        self._shouts: bool | None = None
        self._pairs: list[str] | None = None
        self._singulars: list[tuple[int, str]] | None = None
        self._spans: list[tuple[int, int]] | None = None
        self._starts: list[int] | None = None
        rows, stops = self._read()
        words, raw, capital, inflected, mark = map(list, zip(*rows, strict=True)) if rows else ([], [], [], [], [])
        self.words: Final[list[str]] = words
        self.raw: Final[list[str]] = raw
        self.capital: Final[list[bool]] = capital
        self.mark: Final[list[str]] = mark
        self.depth: Final[list[int]] = []
        self.sentences: Final[list[int]] = []
        self.lines: Final[list[int]] = []
        self.items: Final[list[int]] = []
        self._place(stops)
        self.inflected: Final[set[int]] = set(compress(range(len(words)), inflected)) if True in inflected else set()
        """Indices of the words that may be plurals, or end in a figure."""

    def __len__(self) -> int:
        return len(self.words)

    def span(self, i: int) -> tuple[int, int]:
        """Return the span of a word in the source; empty if the source has it in another form."""
        if self._spans is None:
            self._spans = self._find_spans()
        return self._spans[i]

    def _find_spans(self) -> list[tuple[int, int]]:
        """Return the span of each word; words of a piece are searched after the previous one."""
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

    def shouts(self) -> bool:
        """Return whether capitals carry no information, in a text in capitals or with every word capitalised."""
        if self._shouts is None:
            long = [raw for raw in self.raw if len(raw) > 2]
            self._shouts = len(long) > 3 and all(raw[0].isupper() for raw in long)
        return self._shouts

    @property
    def starts(self) -> list[int]:
        """Index in the source at which the piece of each word begins."""
        if self._starts is None:
            self._starts, end = [], 0
            for token in _tokens(self.source):
                start = self.source.index(token, end)  # only white space separates tokens
                end = start + len(token)
                self._starts += [start + offset for offset in _offsets(token)]
        return self._starts

    @property
    def pairs(self) -> list[str]:
        """Each word but the last, joined with the next one."""
        if self._pairs is None:
            self._pairs = [f"{word} {behind}" for word, behind in pairwise(self.words)]
        return self._pairs

    @property
    def singulars(self) -> list[tuple[int, str]]:
        """Possible singulars (without a plural or possessive s) with the index of the word."""
        if self._singulars is None:
            self._singulars = [(i, one) for i in self.inflected for one in singulars_of(self.words[i])]
        return self._singulars

    def _read(self) -> tuple[list[_Word], list[_Stop]]:
        """Read the words, and the marks between and after them."""
        pieces = [*chain.from_iterable(map(_taken_apart, _tokens(self.source)))]
        rows: list[_Word] = []
        stops: list[_Stop] = []
        for number, (words, mark) in enumerate(pieces, 1):
            rows += words
            if mark and (mark is not _ABBREVIATED or _opens(pieces[number : number + 1])):
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
                self.mark[at] += _MARK_OF.get(mark, mark)
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
            if mark[-1] in _ENDS or mark in "\n•":
                sentence += 1
            if mark in _OF_LINES:
                line += 1
                depth = 0 if mark != ";" else depth


_Word = tuple[str, str, bool, bool, str]
"""Normalised word, original form, whether it has a capital, whether it may be inflected, and the separator from the
previous word of its piece."""
_Piece = tuple[tuple[_Word, ...], str]
"""Words of a piece, with the mark that it consists of or ends in (or an empty string)."""
_Stop = tuple[int, str]
"""Mark, with the index of the word after it."""
_STOPS = frozenset(".!?:\"'”’*")
_MARKS = frozenset(",;\n|/•·()[]…—。、-–")


def _tokens(source: str) -> list[str]:
    """Split at white space, with line ends as tokens."""
    if "\n" not in source:
        return source.split()
    return [token for line in source.split("\n") for token in (*line.split(), "\n")][:-1]


@lru_cache(maxsize=1 << 16)
def _taken_apart(token: str) -> tuple[_Piece, ...]:
    """Split a token into pieces; cached, since tokens recur."""
    return (_piece(token),) if token.isalnum() else tuple([_piece(piece) for piece in _PIECE.findall(token)])


@lru_cache(maxsize=1 << 16)
def _offsets(token: str) -> tuple[int, ...]:
    """Return the offset in a token of the piece of each of its words."""
    pieces = zip(_PIECE.finditer(token), _taken_apart(token), strict=True)
    return tuple([piece.start() for piece, (words, _) in pieces for _ in words])


def _piece(piece: str) -> _Piece:
    if not (piece[0].isalnum() or (piece not in _MARKS and piece[0] not in _ENDS)):
        return (), piece
    body, end = _without_stop(piece) if piece[-1] in _STOPS else (piece, "")
    if end == "." and body.lower().lstrip("(\"'") in _ABBREVIATIONS:
        end = _ABBREVIATED if body[0].isupper() and body.lower() in _MAY_END else ""
    if body.isascii() and body.isalnum():
        word = spelling(small := body.lower())
        return ((word, body, body != small, _may_be_inflected(word), ""),), end
    found: list[_Word] = []
    for word, raw, capital in _split(body):
        glue = "-" if found and not (_WIDE.match(word) or _WIDE.match(found[-1][0])) else ""
        found.append((word, raw, capital, _may_be_inflected(word), glue))
    return tuple(found), end


def _opens(pieces: Sequence[_Piece]) -> bool:
    """Return whether the first piece, if any, is a word that opens a sentence (The, It)."""
    words = pieces[0][0] if pieces else ()
    return bool(words) and words[0][2] and words[0][0] in _OPENERS


def _without_stop(piece: str) -> tuple[str, str]:
    """Split a word from the mark that ends it."""
    body = piece.rstrip("\"'”’*")
    bare = body.rstrip(".!?:")
    return (bare, body[-1]) if bare != body and bare else (piece, "")


def _split(piece: str) -> tuple[tuple[str, str, bool], ...]:
    """Return the normalised words of a piece, each with its original form and whether it has a capital."""
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
    """Split a name into words as `Text` does."""
    normalised = normalise(join_initials(name))
    return tuple(words_in(normalised)) or (normalised,)


def words_in(normalised: str) -> list[str]:
    """Split a normalised text into words, without the dot of a leading initial; a lone "&" becomes "and"."""
    parts = spaced(normalised).split()
    if normalised.startswith("a. "):
        parts[0] = "a"
    return [_AND if word == "&" else word for word in parts if word.isalnum() or _says_something(word)]


def spaced(text: str) -> str:
    """Put spaces around the characters of scripts without spaces."""
    return text if text.isascii() else _WIDE.sub(r" \1 ", text)


def _may_be_inflected(word: str) -> bool:
    last = word[-1]
    return (last == "s" and len(word) > 3) or last.isdigit()


def singulars_of(word: str) -> tuple[str, ...]:
    """Return the possible singulars of a word, without a plural or possessive s."""
    if len(word) < 4 or word[-1] != "s":
        return ()
    return (word[:-1], word[:-2], f"{word[:-3]}y") if word[-2] == "e" else (word[:-1],)


def joined(words: list[str]) -> str:
    """Join words into one text, without spaces in scripts that have none."""
    text = " ".join(words)
    return text if text.isascii() else _GAP.sub("", text)


def _capital(word: str) -> bool:
    return any(map(str.isupper, word))


def _says_something(word: str) -> bool:
    """Return whether a normalised word is more than punctuation."""
    return any(c.isalnum() or c in "+#&%$€£" for c in word)
