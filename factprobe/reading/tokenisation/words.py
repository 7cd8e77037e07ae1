"""Splitting of replies and names into normalised words, with the punctuation marks between them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from factprobe.reading.language import in_order, vocabulary
from factprobe.text import in_one_spelling, join_initials, normalise

_PIECE = re.compile(
    r"[-−–]?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w,])"  # a single number, not two items
    r"|[,;\n|/•·()\[\]…—。、]|[.!?:]+|[-–](?=\s)|[^\s,;|/•·()\[\]…—。、]+"
)
_WIDE = re.compile(r"([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\u0e00-\u0e7f\uac00-\ud7af])")
"""Pattern of characters of scripts without spaces, each of which is a word."""
_GAP = re.compile(rf"(?<={_WIDE.pattern[1:-1]}) (?={_WIDE.pattern[1:-1]})")
ENDS = frozenset(".!?:…。")
_AND = in_order("link_and")[0]
_ARTICLES = vocabulary("article")
_ABBREVIATIONS = vocabulary("abbreviation")


class Word(NamedTuple):
    """Word within a white-space token; the indices are character offsets in the token."""

    norm: str
    """Normalised form."""
    raw: str
    """Form in the text."""
    has_capital: bool
    separator: str
    """Hyphen between this word and the one before it, or an empty string."""
    piece_start: int
    """Start of the word with its leading quotes or brackets, or of the hyphenated compound to which it belongs."""
    start: int
    end: int


Piece = tuple[tuple[Word, ...], str]
"""Words between two punctuation marks of a token, and the mark after them; either may be empty."""
_FINAL_MARKS = frozenset(".!?:\"'”’*")
_MARKS = frozenset(",;\n|/•·()[]…—。、-–→")


def split_whitespace(source: str) -> list[str]:
    """Split a text at white space, with line ends as tokens."""
    if "\n" not in source:
        return source.split()
    return [token for line in source.split("\n") for token in (*line.split(), "\n")][:-1]


@lru_cache(maxsize=1 << 16)
def split_at_marks(token: str) -> tuple[Piece, ...]:
    """Split a white-space token at its punctuation marks; cached, since tokens recur."""
    if token.isalnum():
        return (_piece(token, 0),)
    return tuple([_piece(piece[0], piece.start()) for piece in _PIECE.finditer(token)])


def _piece(piece: str, at: int) -> Piece:
    if not (piece[0].isalnum() or (piece not in _MARKS and piece[0] not in ENDS)):
        return (), piece
    body, end = _without_stop(piece) if piece[-1] in _FINAL_MARKS else (piece, "")
    if end == "." and body.lower().lstrip("(\"'") in _ABBREVIATIONS:
        end = ""
    if body.isascii() and body.isalnum():
        word = in_one_spelling(small := body.lower())
        return (Word(word, body, body != small, "", at, at, at + len(body)),), end
    words: list[Word] = []
    after = 0
    for word, raw, capital in _split_words(body):
        glue = "-" if words and not (_WIDE.match(word) or _WIDE.match(words[-1].norm)) else ""
        start = piece.find(raw, after if raw in piece[after:] else 0)  # the piece may stand for each of its words
        stop = start + len(raw) if start >= 0 else 0
        after = max(after, stop)
        words.append(Word(word, raw, capital, glue, at, at + max(start, 0), at + stop))
    return tuple(words), end


def _without_stop(piece: str) -> tuple[str, str]:
    """Split a word from the mark that ends it; the mark is empty if there is none."""
    body = piece.rstrip("\"'”’*")
    bare = body.rstrip(".!?:")
    return (bare, body[-1]) if bare != body and bare else (piece, "")


def _split_words(piece: str) -> tuple[tuple[str, str, bool], ...]:
    """Return the normalised words of a text without marks, each with its original form and whether it has a capital."""
    words = words_in(normalise(piece))
    if len(words) == 1:
        return ((words[0], piece, _has_capital(piece)),)
    raw = [part for part in re.split(r"[\W_]+", space_wide_characters(piece.replace("'", "").replace("’", ""))) if part]
    if len(raw) != len(words):
        capital = _has_capital(piece)
        return tuple((word, piece, capital) for word in words)
    return tuple((word, part, _has_capital(part)) for word, part in zip(words, raw, strict=True))


@lru_cache(maxsize=1 << 16)
def name_words(name: str) -> tuple[str, ...]:
    """Split a name into normalised words, as replies are split."""
    if name.isascii() and name.replace(" ", "").isalnum() and (words := name.lower().split())[0] not in _ARTICLES:
        return tuple(map(in_one_spelling, words))
    normalised = normalise(join_initials(name))
    return tuple(words_in(normalised)) or (normalised,)


def words_in(normalised: str) -> list[str]:
    """Split a normalised text into words; `&` becomes `and`, and an `a.` at the beginning `a`."""
    parts = space_wide_characters(normalised).split()
    if normalised.startswith("a. "):
        parts[0] = "a"
    return [_AND if word == "&" else word for word in parts if word.isalnum() or _has_content(word)]


def space_wide_characters(text: str) -> str:
    """Put spaces around the characters of scripts without spaces."""
    return text if text.isascii() else _WIDE.sub(r" \1 ", text)


def strip_s(word: str) -> str:
    """Return a word without a plural or possessive s."""
    return word[:-1] if word[-1] == "s" and len(word) > 3 else word


def join_words(words: list[str]) -> str:
    """Join words into one text, without spaces in scripts that have none."""
    text = " ".join(words)
    return text if text.isascii() else _GAP.sub("", text)


def _has_capital(word: str) -> bool:
    return any(map(str.isupper, word))


def _has_content(word: str) -> bool:
    """Return whether a normalised word is more than punctuation."""
    return any(c.isalnum() or c in "+#&%$€£" for c in word)
