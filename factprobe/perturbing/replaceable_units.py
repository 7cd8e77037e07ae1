"""Replaceable units of a paragraph: words and whole entities after its first two sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from factprobe.reading.tokenisation.sentences import sentences
from factprobe.reading.tokenisation.tags import TaggedWord, Tagger

LEAST_SENTENCES, KEPT_SENTENCES = 5, 2


class TextUnit(Struct, frozen=True, gc=False):
    """Word, or the words of a named entity, that can be replaced."""

    start: int
    """Offset of the start in the paragraph."""
    end: int
    """Offset of the end in the paragraph."""
    is_name: bool = False
    is_date: bool = False


class TokenisedParagraph(Struct, frozen=True):
    """Paragraph with spaces between words and punctuation, as in HaDes."""

    id: str
    text: str
    units: tuple[TextUnit, ...]
    """Replaceable units in the order of the text."""


def paragraph_of(name: str, text: str, tag: Tagger, *, lower: bool = False) -> TokenisedParagraph | None:
    """Tokenise a paragraph and find its replaceable units; None if it has fewer than five sentences.

    With `lower` it is converted to lower case, for a masked model without capitals, unless that changes its length.
    """
    spans = sentences(text)
    if len(spans) < LEAST_SENTENCES:
        return None
    words = tag(text)
    end = spans[KEPT_SENTENCES][0]
    spaced = " ".join(word.text for word in words)
    at, shifted_words = 0, []
    for word in words:
        shifted_words.append(word._replace(start=at, end=at + len(word.text)))
        at += len(word.text) + 1
    own = [new for new, old in zip(shifted_words, words, strict=True) if old.start >= end]
    small = spaced.lower()  # lower case may be longer, and then offsets differ
    return TokenisedParagraph(name, small if lower and len(small) == len(spaced) else spaced, tuple(_units(own)))


def _units(words: Sequence[TaggedWord]) -> Iterator[TextUnit]:
    for number, group in groupby(enumerate(words), key=lambda entry: entry[1].number or -entry[0] - 1):
        unit = [word for _, word in group]
        first = unit[0]
        if number > 0 or not (first.is_stop or first.is_sign):
            yield TextUnit(first.start, unit[-1].end, first.is_name, first.is_date)
