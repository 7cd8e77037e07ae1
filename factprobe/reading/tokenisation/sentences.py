"""Splitting of a text into sentences, and of a long text into parts of whole sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from factprobe.reading.language import vocabulary
from factprobe.records import Span

_BULLET = re.compile(r"[\s\-*+•‣◦▪–—>#|]*(?:\(?\d{1,2}[.)]\s+)?")
_BETWEEN = re.compile(r"(?<=\w)\W++(?=\w)")
_END = re.compile(r"[\n•。｡]|(?<![.!?…])[.!?…！？．]++[\"'”’*]*+[\s,;|/·()\[\]—、]")
"""Pattern of the end of a sentence between two words."""
_WORD = re.compile(r"[^\s,;|/•·()\[\]…—。、\"']+\Z")
_MAX_ABBREVIATION = 20
"""Maximum number of characters of an abbreviation before a full stop."""
_INITIAL = re.compile(r"(?:\A|[\s.(\"“])[^\W\d_]\.\Z")
_OPENERS = "|".join(word for word in vocabulary("article", "judgment_pronoun") if len(word) > 1)
_OPENER = re.compile(rf"(?:{_OPENERS})\b", re.IGNORECASE)
"""Pattern of an article or pronoun, before which a letter is no initial (`Its symbol is W. It is heavy.`)."""


def sentences(text: str) -> list[Span]:
    """Return the spans of the sentences of a text, in order, without bullets and list numbers.

    A colon, an initial (`J. R. R. Tolkien`) and a full stop before a lower-case letter end no sentence, since two
    joined sentences are easier to process than two halves of one.
    """
    spans, start = [], 0
    for end in [*_ends(text), len(text)]:
        bullet = _BULLET.match(text, start, end)
        begin = bullet.end() if bullet else start
        sentence = text[begin:end].rstrip()
        if any(map(str.isalpha, sentence)):
            spans.append((begin, begin + len(sentence)))
        start = end
    return spans


def unwrap(text: str) -> str:
    """Return a text of the same length with spaces for the line breaks within sentences.

    A line goes on in the next one if that begins in lower case, or if it ends with a comma or function word.
    """
    lines = text.split("\n")
    for i, (line, following) in enumerate(pairwise(lines)):
        is_open = line.endswith(",") or line.rpartition(" ")[2].lower() in vocabulary("function")
        lines[i] += " " if following[:1].islower() or (is_open and following[:1].isalnum()) else "\n"
    return "".join(lines)


def pieces(text: str, most: int) -> list[str]:
    """Split a text into parts of whole sentences, of at most `most` characters each; longer sentences are cut."""
    if len(text) <= most:
        return [text]
    parts: list[str] = []
    start = end = 0
    for _, stop in [*sentences(text), (0, len(text))]:
        if stop - start > most and end > start:
            parts.append(text[start:end])
            start = end
        while stop - start > most:
            space = text.rfind(" ", start + 1, start + most + 1)
            cut = space if space > 0 else start + most
            parts.append(text[start:cut])
            start = cut
        end = stop
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


def _ends(text: str) -> Iterator[int]:
    """Yield the index after each sentence but the last."""
    for between in _BETWEEN.finditer(text):
        left, right = between.span()
        gap = between[0]
        if not _END.search(gap):
            continue
        space = re.search(r"\s", gap)
        end = left + (space.start() if space else len(gap))
        is_initial = _INITIAL.search(text[max(end - 3, 0) : end]) and not _OPENER.match(text, right)
        is_abbreviation = gap[0] == "." and _is_abbreviation(text, left)
        if "\n" in gap or not (text[right].islower() or is_initial or is_abbreviation):
            yield end


def _is_abbreviation(text: str, end: int) -> bool:
    """Return whether the word before index `end` is an abbreviation."""
    word = _WORD.search(text[max(end - _MAX_ABBREVIATION, 0) : end])
    return word is not None and word[0].lower() in vocabulary("abbreviation")
