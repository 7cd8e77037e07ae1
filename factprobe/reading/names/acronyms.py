"""Acronyms and other common names of entities: UK for United Kingdom, USA for United States."""

from __future__ import annotations

from collections.abc import Container, Iterable
from functools import lru_cache

from factprobe.reading.language import vocabulary
from factprobe.reading.names.name_tables import NameTable
from factprobe.reading.tokenisation.tokenised_text import Text
from factprobe.reading.tokenisation.tokens import Words
from factprobe.reading.tokenisation.words import name_words
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


def acronym_table(
    text: Text, names: Iterable[tuple[str, Iterable[str]]], question: str, known: Container[str] = ()
) -> NameTable:
    """Return a table of the acronyms of names; empty if a reply has no acronyms.

    Args:
        text: Reply, split into words.
        names: URIs, each with its names.
        question: Question; its words are no acronyms.
        known: Normalised names, which are no acronyms of others either.
    """
    if not any(is_acronym(text, i) for i in range(len(text))):
        return NameTable(())
    asked = name_words(question)
    shorts = ((uri, {*map(acronym_of, of_entity)}) for uri, of_entity in names)
    return NameTable(
        (uri, [short for short in own if len(short) > 1 and short not in asked and short not in known])
        for uri, own in shorts
    )


def is_acronym(text: Text, i: int) -> bool:
    """Return whether a word of a reply is in capitals, unlike other words."""
    raw = text.raw[i]
    return 1 < len(raw) <= _MAX_LENGTH and raw.removesuffix("s").isupper() and not text.shouts
