"""The sentences of a text by their spans, and a long text in pieces of whole sentences."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from factprobe.reading.words import Text
from factprobe.records import Span

_BULLET = re.compile(r"[\s\-*+•‣◦▪–—>#|]*(?:\(?\d{1,2}[.)]\s+)?")
_SINGLE = re.compile(r"[^.!?:\r\n]*+[.!?\s]*")
"""A text of ASCII that has nothing behind what ends its first sentence."""
_INITIAL = re.compile(r"(?:\A|[\s.(\"“])[^\W\d_]\.\Z")


def sentences(text: str) -> list[Span]:
    """Where the sentences of a text stand, in their order, without bullets and numbers of lists.

    They end where `Text` has them end, but for a colon, an initial (`J. R. R. Tolkien`) and before a small letter: two
    sentences in one are still understood, two halves of one are not.
    """
    found, start = [], 0
    for end in [*_ends(text), len(text)]:
        bullet = _BULLET.match(text, start, end)
        begin = bullet.end() if bullet else start
        said = text[begin:end].rstrip()
        if any(map(str.isalpha, said)):
            found.append((begin, begin + len(said)))
        start = end
    return found


def pieces(text: str, most: int) -> list[str]:
    """A text in pieces of whole sentences, each of at most so many characters; longer sentences are cut up."""
    if len(text) <= most:
        return [text]
    found: list[str] = []
    start = end = 0
    for _, stop in [*sentences(text), (0, len(text))]:
        if stop - start > most and end > start:
            found.append(text[start:end])
            start = end
        while stop - start > most:
            space = text.rfind(" ", start + 1, start + most + 1)
            cut = space if space > 0 else start + most
            found.append(text[start:cut])
            start = cut
        end = stop
    found.append(text[start:])
    return [piece.strip() for piece in found if piece.strip()]


def _ends(text: str) -> Iterator[int]:
    """Where a text is cut behind a sentence."""
    if text.isascii() and _SINGLE.fullmatch(text):
        return
    read = Text(text)
    last = [i for i in range(len(read) - 1) if read.sentences[i] != read.sentences[i + 1]]
    gaps = _in(text, read.source, [at for i in last for at in (read.span(i)[1], read.span(i + 1)[0])])
    for left, right in zip(gaps[::2], gaps[1::2], strict=True):
        gap = text[left:right]
        space = re.search(r"\s", gap)
        cut = left + (space.start() if space else len(gap))
        is_initial = _INITIAL.search(text[max(cut - 3, 0) : cut])
        if "\n" in gap or not (gap.lstrip().startswith(":") or text[right : right + 1].islower() or is_initial):
            yield cut


def _in(text: str, source: str, places: list[int]) -> list[int]:
    """The same places in a text, of which the source is another form."""
    if source == text:
        return places
    found: list[int] = []
    for start, end in _letters(text):
        for at, letter in enumerate(_form(text[start:end]), start):
            if source.startswith(
                letter, len(found)
            ):  # else the source leaves it out: line ends and initials' full stops
                found.append(min(at, end))
    found.append(len(text))
    return [found[place] for place in places]


def _letters(text: str) -> Iterator[Span]:
    """The spans of a text that have a form each by itself: a letter with the marks that belong to it."""
    start = 0
    for at, letter in enumerate(text):
        if at and not _is_joined(letter):
            yield start, at
            start = at
    if text:
        yield start, len(text)


@lru_cache(maxsize=1 << 12)
def _form(letter: str) -> str:
    """A letter as `Text` reads it."""
    return unicodedata.normalize("NFKC", letter.replace("´", "'"))


@lru_cache(maxsize=1 << 12)
def _is_joined(letter: str) -> bool:
    """Whether a letter may become one with what stands before it: marks, and the later parts of Korean syllables."""
    first = _form(letter)[0]
    return unicodedata.category(first).startswith("M") or "\u1160" <= first <= "\u11ff"
