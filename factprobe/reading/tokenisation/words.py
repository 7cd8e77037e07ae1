"""Splitting of replies and names into normalised words, with the punctuation marks between them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from factprobe.reading.language import in_order, vocabulary
from factprobe.text import in_one_spelling, join_initials, normalise

PIECE = re.compile(
    r"[-−–]?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w,])"  # a single number, not two items
    r"|[,;\n|/•·()\[\]…—。、]|[.!?:]+|[^\s,;|/•·()\[\]…—。、]+"
)
"""Pattern of a mark, or of what stands between white space and marks."""
_WIDE_RANGES = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\u0e00-\u0e7f\uac00-\ud7af"
_WIDE = re.compile(f"([{_WIDE_RANGES}])")
"""Pattern of characters of scripts without spaces, each of which is a word."""
_GAP = re.compile(f"(?<=[{_WIDE_RANGES}]) (?=[{_WIDE_RANGES}])")
_RAW_WORD = re.compile(rf"(?=[^\W_]){_WIDE.pattern}|(?:(?!{_WIDE.pattern})(?:[^\W_]|(?<=\w)['’](?=\w)))+")
_STOP = re.compile(r"(?<=[^.!?:])(?:[.!?:]+)[\"'”’*]*\Z")
"""Pattern of the mark at the end of a piece, with the quotes and asterisks after it."""
ENDS = frozenset(".!?:…。")
_MARKS = frozenset(",;\n|/•·()[]…—。、-–→")
_AND = in_order("link_and")[0]
_ARTICLES = vocabulary("article")
_ABBREVIATIONS = vocabulary("abbreviation")


class Word(NamedTuple):
    """Word within a piece of text; the indices are character offsets in the piece."""

    norm: str
    """Normalised form."""
    raw: str
    """Form in the text."""
    has_capital: bool
    hyphen: str
    """Hyphen between this word and the one before it in the piece, or an empty string."""
    start: int
    end: int


@lru_cache(maxsize=1 << 16)
def split_piece(piece: str) -> tuple[tuple[Word, ...], str]:
    """Return the words of a match of `PIECE` and the mark after them; either may be empty. Cached, since both recur."""
    if piece in _MARKS or piece[0] in ENDS:
        return (), piece
    stop = _STOP.search(piece)
    body, mark = (piece[: stop.start()], stop[0].rstrip("\"'”’*")[-1]) if stop else (piece, "")
    if mark == "." and body.lower().lstrip("(\"'") in _ABBREVIATIONS:
        mark = ""
    norms = [in_one_spelling(body.lower())] if body.isascii() and body.isalnum() else words_in(normalise(body))
    found = [match.span() for match in _RAW_WORD.finditer(body)] if len(norms) > 1 else []
    spans = found if len(found) == len(norms) else [(0, len(body))] * len(norms)
    raws = [body[start:end] for start, end in spans]
    has_capital = {raw: any(map(str.isupper, raw)) for raw in {*raws}}  # the whole piece may stand for each word
    words: list[Word] = []
    for norm, raw, (start, end) in zip(norms, raws, spans, strict=True):
        hyphen = "-" if words and not (_WIDE.match(norm) or _WIDE.match(words[-1].norm)) else ""
        words.append(Word(norm, raw, has_capital[raw], hyphen, start, end))
    return tuple(words), mark


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
    return [_AND if word == "&" else word for word in parts if any(c.isalnum() or c in "+#&%$€£" for c in word)]


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
