"""Sentences of a text, and pieces of whole sentences of a long text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from factprobe.reading.language import vocabulary
from factprobe.reading.tokenisation.tokenised_text import Text
from factprobe.records import Span

_BULLET = re.compile(r"[\s\-*+•‣◦▪–—>#|]*(?:\(?\d{1,2}[.)]\s+)?")
_SINGLE = re.compile(r"[^.!?:\r\n]*+[.!?\s]*")
"""Pattern of an ASCII text with nothing after the end of its first sentence."""
_INITIAL = re.compile(r"(?:\A|[\s.(\"“])[^\W\d_]\.\Z")
_OPENERS = "|".join(word for word in vocabulary("article", "judgment_pronoun") if len(word) > 1)
_OPENER = re.compile(rf"(?:{_OPENERS})\b", re.IGNORECASE)
"""Word that is no name, so that the letter before it is no initial: `Its symbol is W. It is heavy.`"""


def sentences(text: str) -> list[Span]:
    """Return the spans of the sentences of a text, in order, without bullets and list numbers.

    Sentences end as in `Text`, except at a colon, after an initial (`J. R. R. Tolkien`) and before a lower-case letter,
    since two joined sentences are easier to process than two halves of one.
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
    """Split a text into pieces of whole sentences with at most `most` characters; longer sentences are cut."""
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
    """Yield the indices at which a text is split after a sentence."""
    if text.isascii() and _SINGLE.fullmatch(text):
        return
    read = Text(text)
    last = [i for i in range(len(read) - 1) if read.sentences[i] != read.sentences[i + 1]]
    gaps = _in(text, read.source, [at for i in last for at in (read.span(i)[1], read.span(i + 1)[0])])
    for left, right in zip(gaps[::2], gaps[1::2], strict=True):
        gap = text[left:right]
        space = re.search(r"\s", gap)
        cut = left + (space.start() if space else len(gap))
        is_initial = _INITIAL.search(text[max(cut - 3, 0) : cut]) and not _OPENER.match(text, right)
        if "\n" in gap or not (gap.lstrip().startswith(":") or text[right : right + 1].islower() or is_initial):
            yield cut


def _in(text: str, source: str, places: list[int]) -> list[int]:
    """Convert indices in a normalised source into indices in the text."""
    if source == text:
        return places
    found: list[int] = []
    for start, end in _letters(text):
        for at, letter in enumerate(_form(text[start:end]), start):
            if source.startswith(letter, len(found)):  # the source omits line ends and full stops of initials
                found.append(min(at, end))
    found.append(len(text))
    return [found[place] for place in places]


def _letters(text: str) -> Iterator[Span]:
    """Yield the spans of characters with their combining marks, which are normalised separately."""
    start = 0
    for at, letter in enumerate(text):
        if at and not _is_joined(letter):
            yield start, at
            start = at
    if text:
        yield start, len(text)


@lru_cache(maxsize=1 << 12)
def _form(letter: str) -> str:
    """Return the normalised form that `Text` has of a character."""
    return unicodedata.normalize("NFKC", letter.replace("´", "'"))


@lru_cache(maxsize=1 << 12)
def _is_joined(letter: str) -> bool:
    """Return whether a character may combine with the one before it: marks, and later parts of Korean syllables."""
    first = _form(letter)[0]
    return unicodedata.category(first).startswith("M") or "\u1160" <= first <= "\u11ff"
