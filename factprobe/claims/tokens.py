"""The words of a text as they are compared with those of a relation's wordings."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from factprobe.reading.essence import key
from factprobe.reading.language import in_order, phrases, vocabulary
from factprobe.records import Span
from factprobe.text import normalise, straight

MARKS = ",;:()"
_TOKEN = re.compile(rf"(?:{phrases('possessive_ending')})\b|[^\W_]+(?:['.][^\W_]+)*|[{MARKS}]")
COPULA = in_order("copula")[0]
"""The key of all its forms."""
POSSESSIVE = in_order("possessive_ending")[0]
_LETTERS = 4
"""Of a stem, by which words are taken for akin: produced, product."""
SAME, AKIN, _ALIKE = 1.0, 0.85, 0.6
"""How well a word of a wording is met: by a form of it, by one of its kin, by one that says the same."""


class Token(NamedTuple):
    """A word or a mark of a text."""

    text: str
    """In small letters."""
    key: str
    """What its forms share."""
    akin: str
    sense: int
    """The number of those that say the same, -1 for a word without such."""
    says: bool
    """Whether it says something of its own: no mark, no article, none that only joins others or names a kind."""
    span: Span


def tokens(text: str, start: int = 0, end: int | None = None) -> list[Token]:
    """The words and marks of a text from one place to another."""
    end = len(text) if end is None else end
    found = []
    for match in _TOKEN.finditer(straight(text[start:end])):
        word = match[0].lower()
        if word not in vocabulary("article"):
            found.append(Token(*_word(word), (start + match.start(), start + match.end())))
    return found


@lru_cache(maxsize=1 << 16)
def _word(text: str) -> tuple[str, str, str, int, bool]:
    plain = normalise(text)
    if text in vocabulary("copula"):
        return text, COPULA, "", -1, False
    sense = _senses().get(plain[:_LETTERS], -1)
    common = vocabulary("function", "hedge", "kind")
    says = text[0].isalpha() and plain not in common and not plain.endswith(in_order("adverb_ending"))
    return text, key(plain), plain[:_LETTERS], sense, says


@lru_cache(maxsize=1)
def _senses() -> dict[str, int]:
    return {akin: number for number, group in enumerate(in_order("same_sense")) for akin in group.split()}


def level(word: Token, other: Token) -> float:
    """How well a word of a wording is met by one of a text; 0 where it is not."""
    if word.key == other.key:
        return SAME
    if word.akin and word.akin == other.akin and len(word.akin) == _LETTERS:
        return AKIN
    return _ALIKE if word.sense == other.sense >= 0 else 0.0
