"""A text as words: each normalised, with what stands before it and the sentence, line and item that it is in."""

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
    r"[-−–]?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w,])"  # one number, not two items
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
_MAY_END, _OPENERS = vocabulary("abbreviation_at_end"), vocabulary("sentence_opener")
_ABBREVIATED = "<."
"""What ends a piece whose full stop is an abbreviation's, and a sentence's as well where a word opens one behind it."""
_MARK_OF = {"-": "–", _ABBREVIATED: "."}


class Text:
    """The words of a text, in lists side by side.

    `words` are normalised, `raw` as they came. `mark` is what parts a word from the one before it: a punctuation mark,
    "-" within a hyphenated word, or nothing. `depth` counts the open brackets. Sentences, lines and items (what commas,
    slashes and bullets part) are counted from 0. `starts` are offsets in `source`, the text that was read. A text does
    not change once it is read; `replaced` gives another source.
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
        """The sentences that end in a question mark."""
        self.introduces: Final[set[int]] = set()
        """The sentences that end in a colon: they say what comes, and are not part of it."""
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
        """The words that may be a plural, or end in a figure."""

    def __len__(self) -> int:
        return len(self.words)

    def span(self, i: int) -> tuple[int, int]:
        """Where a word stands in the source: start and end; empty where the source has it in another form."""
        if self._spans is None:
            self._spans = self._find_spans()
        return self._spans[i]

    def _find_spans(self) -> list[tuple[int, int]]:
        """Return the span of each word; a word of a piece is looked for behind the one before it."""
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
            if start < 0:  # unless the piece as a whole stands for each of its words
                start, whole = source.find(raw, piece, stop), raw
            at = max(at, start + len(raw)) if start >= 0 else at
            found.append((start, start + len(raw)) if start >= 0 else (piece, piece))
        return found

    def replaced(self, spans: Iterable[tuple[int, int, str]]) -> str:
        """The source with other text in the place of spans of it, each a start, an end and the text."""
        parts: list[str] = []
        at = 0
        for start, end, other in sorted(spans):
            parts += self.source[at:start], other
            at = end
        return "".join([*parts, self.source[at:]])

    def shouts(self) -> bool:
        """Whether capitals tell nothing: in a text all in capitals, or with one at every word."""
        if self._shouts is None:
            long = [raw for raw in self.raw if len(raw) > 2]
            self._shouts = len(long) > 3 and all(raw[0].isupper() for raw in long)
        return self._shouts

    @property
    def starts(self) -> list[int]:
        """Where the piece of each word begins in the source."""
        if self._starts is None:
            self._starts, end = [], 0
            for token in _tokens(self.source):
                start = self.source.index(token, end)  # between two tokens is white space
                end = start + len(token)
                self._starts += [start + offset for offset in _offsets(token)]
        return self._starts

    @property
    def pairs(self) -> list[str]:
        """Each word but the last with the one behind it."""
        if self._pairs is None:
            self._pairs = [f"{word} {behind}" for word, behind in pairwise(self.words)]
        return self._pairs

    @property
    def singulars(self) -> list[tuple[int, str]]:
        """What the words may be without the s of a plural or a possessive, by their number."""
        if self._singulars is None:
            self._singulars = [(i, one) for i in self.inflected for one in singulars_of(self.words[i])]
        return self._singulars

    def _read(self) -> tuple[list[_Word], list[_Stop]]:
        """The words, and the marks between and behind them."""
        pieces = [*chain.from_iterable(map(_taken_apart, _tokens(self.source)))]
        rows: list[_Word] = []
        stops: list[_Stop] = []
        for number, (words, mark) in enumerate(pieces, 1):
            rows += words
            if mark and (mark is not _ABBREVIATED or _opens(pieces[number : number + 1])):
                stops.append((len(rows), mark))
        return rows, stops

    def _place(self, stops: list[_Stop]) -> None:
        """Gives each word the marks before it, the number of brackets around it, and its sentence, line and item."""
        count = len(self.words)
        begun = sentence = line = item = depth = 0
        for at, mark in (*stops, (count, "")):  # the last is none, for the words behind all of them
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
                elif mark == "(" or (at and self.lines[-1] == line):  # a tag before a name is no aside to it
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
"""A word's normalised form, how it came, whether it has a capital, whether it may be inflected, and what parts it from
the one before it in its piece."""
_Piece = tuple[tuple[_Word, ...], str]
"""The words of a piece, and the mark that it is or ends in or nothing."""
_Stop = tuple[int, str]
"""A mark, and the number of the word that it stands before."""
_STOPS = frozenset(".!?:\"'”’*")
_MARKS = frozenset(",;\n|/•·()[]…—。、-–")


def _tokens(source: str) -> list[str]:
    """What stands between white space, and the ends of the lines."""
    if "\n" not in source:
        return source.split()
    return [token for line in source.split("\n") for token in (*line.split(), "\n")][:-1]


@lru_cache(maxsize=1 << 16)
def _taken_apart(token: str) -> tuple[_Piece, ...]:
    """The pieces of what stands between white space; tokens come again."""
    return (_piece(token),) if token.isalnum() else tuple([_piece(piece) for piece in _PIECE.findall(token)])


@lru_cache(maxsize=1 << 16)
def _offsets(token: str) -> tuple[int, ...]:
    """Where in a token the piece of each of its words begins."""
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
    """Whether the first of pieces is a word that opens a sentence: The, It; there may be none."""
    words = pieces[0][0] if pieces else ()
    return bool(words) and words[0][2] and words[0][0] in _OPENERS


def _without_stop(piece: str) -> tuple[str, str]:
    """A word and the mark that ends it."""
    body = piece.rstrip("\"'”’*")
    bare = body.rstrip(".!?:")
    return (bare, body[-1]) if bare != body and bare else (piece, "")


def _split(piece: str) -> tuple[tuple[str, str, bool], ...]:
    """The normalised words of a piece, each as it came and whether it has a capital."""
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
    """The words of a normalised text, a first letter without its dot; the sign for "and" is the word if it is alone."""
    parts = spaced(normalised).split()
    if normalised.startswith("a. "):
        parts[0] = "a"
    return [_AND if word == "&" else word for word in parts if word.isalnum() or _says_something(word)]


def spaced(text: str) -> str:
    """The text with spaces around the letters of scripts that do without."""
    return text if text.isascii() else _WIDE.sub(r" \1 ", text)


def _may_be_inflected(word: str) -> bool:
    last = word[-1]
    return (last == "s" and len(word) > 3) or last.isdigit()


def singulars_of(word: str) -> tuple[str, ...]:
    """What a word may be without the s of a plural or a possessive."""
    if len(word) < 4 or word[-1] != "s":
        return ()
    return (word[:-1], word[:-2], f"{word[:-3]}y") if word[-2] == "e" else (word[:-1],)


def joined(words: list[str]) -> str:
    """The words as one text, those of scripts that do without spaces written together again."""
    text = " ".join(words)
    return text if text.isascii() else _GAP.sub("", text)


def _capital(word: str) -> bool:
    return any(map(str.isupper, word))


def _says_something(word: str) -> bool:
    """Whether a normalised word is more than punctuation."""
    return any(c.isalnum() or c in "+#&%$€£" for c in word)
