"""Acronyms and other common names of entities: UK for United Kingdom, USA for United States."""

from __future__ import annotations

from collections.abc import Container, Iterable
from functools import lru_cache

from factprobe.reading.language import vocabulary
from factprobe.reading.names.name_tables import NameMention
from factprobe.reading.tokenisation.tokenised_text import Text
from factprobe.reading.tokenisation.tokens import Words
from factprobe.reading.tokenisation.words import name_words, strip_s
from factprobe.reading.values.number_words import ROMAN

_MAX_LENGTH = 12
"""Maximum number of characters of an acronym in a reply."""

_MIN_SMALL_WORDS = 3
"""Minimum number of words of a name in small letters that has an acronym."""


def initials_of(words: Words) -> str:
    """Return the first letters of capitalised words, and the first digits of numbers.

    Words in capitals (acronyms, Roman numerals) stay whole, and small numbers become Roman numerals.
    """
    return "".join(
        ROMAN[int(raw) - 1].upper()
        if raw.isdecimal() and len(raw) < 3 and 0 < int(raw) <= len(ROMAN)
        else raw
        if raw.isupper()
        else raw[0]
        for raw in words.raw
        if raw[0].isupper() or raw.isdigit()
    )


def common_names(names: Iterable[str]) -> frozenset[str]:
    """Return the common names of the United States, in lower case, if one of some names is among them; else none."""
    states = vocabulary("country_of_states")
    return frozenset() if states.isdisjoint(map(str.lower, names)) else states


@lru_cache(maxsize=1 << 14)
def acronym_of(name: str) -> str:
    """Return the initials of a name, in lower case, by its capitalised words; empty if these are fewer than two.

    Of a name in small letters all words count, if there are three or more (SSRI).
    """
    words = name.split()
    if name.islower() and len(words) >= _MIN_SMALL_WORDS:
        return "".join(word[0] for word in words)
    return initials_of(Words(name, is_name=True)).lower() if sum([word[0].isupper() for word in words]) > 1 else ""


def acronym_mentions(
    text: Text, names: Iterable[tuple[str, Iterable[str]]], question: str, known: Container[str] = ()
) -> list[NameMention]:
    """Return the mentions of names by an acronym in capitals, from left to right.

    Args:
        text: Reply, split into words.
        names: URIs, each with its names.
        question: Question; its words are no acronyms.
        known: Normalised names, which are no acronyms of others either.
    """
    words = enumerate(zip(text.words, text.raw, strict=True))
    short = [(i, strip_s(word), raw.removesuffix("s")) for i, (word, raw) in words if 1 < len(raw) <= _MAX_LENGTH]
    written = [(i, word) for i, word, raw in short if len(word) > 1 and raw.isupper() and word not in known]
    if not written or text.shouts:
        return []
    bearers: dict[str, set[str]] = {}
    for uri, of_entity in names:
        for name in of_entity:
            bearers.setdefault(acronym_of(name), set()).add(uri)
    for word in name_words(question):
        bearers.pop(word, None)
    return [NameMention(i, i + 1, frozenset(bearers[word])) for i, word in written if word in bearers]
