"""Sentences of a text, and pieces of whole sentences of a long text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from factprobe.reading.language import vocabulary
from factprobe.records import Span

_BULLET = re.compile(r"[\s\-*+•‣◦▪–—>#|]*(?:\(?\d{1,2}[.)]\s+)?")
_BETWEEN = re.compile(r"(?<=\w)\W++(?=\w)")
_END = re.compile(r"[\n•。｡]|(?<![.!?…])[.!?…！？．]++[\"'”’*]*+[\s,;|/·()\[\]—、]")
"""Pattern of the end of a sentence between two words."""
_WORD = re.compile(r"[^\s,;|/•·()\[\]…—。、\"']+\Z")
_LONGEST_WORD = 20
"""Number of characters before a full stop that are searched for an abbreviation."""
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
    for between in _BETWEEN.finditer(text):
        left, right = between.span()
        gap = between[0]
        if not _END.search(gap):
            continue
        space = re.search(r"\s", gap)
        cut = left + (space.start() if space else len(gap))
        is_initial = _INITIAL.search(text[max(cut - 3, 0) : cut]) and not _OPENER.match(text, right)
        is_abbreviation = gap[0] == "." and _is_abbreviation(text, left)
        if "\n" in gap or not (text[right].islower() or is_initial or is_abbreviation):
            yield cut


def _is_abbreviation(text: str, end: int) -> bool:
    """Return whether the word that ends at an index is an abbreviation."""
    word = _WORD.search(text[max(end - _LONGEST_WORD, 0) : end])
    return word is not None and word[0].lower() in vocabulary("abbreviation")
