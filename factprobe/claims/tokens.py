"""The words of a text as they are compared with those of a relation's wordings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from factprobe.reading.language import in_order, phrases, table, vocabulary
from factprobe.reading.tokens import key_of as key
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
    is_verb: bool
    """Whether it is a form of "to be", an auxiliary, or says what becomes."""
    span: Span = (0, 0)


def tokens(text: str, start: int = 0, end: int | None = None) -> list[Token]:
    """The words and marks of a text from one place to another."""
    end = len(text) if end is None else end
    found = []
    for match in _TOKEN.finditer(straight(text[start:end])):
        word = match[0].lower()
        if word not in vocabulary("article"):
            found.append(Token(*_word(word), (start + match.start(), start + match.end())))
    return found


def unplaced(words: Iterable[str]) -> list[Token]:
    """Words in small letters as tokens of no text."""
    return [Token(*_word(word)) for word in words]


@lru_cache(maxsize=1 << 16)
def _word(text: str) -> tuple[str, str, str, int, bool, bool]:
    plain = normalise(text)
    if text in vocabulary("copula") or plain in vocabulary("copula_denied"):
        return text, COPULA, "", -1, False, True
    sense = _senses().get(plain[:_LETTERS], -1)
    is_kind = plain[-1] == "s" and key(plain) in _kinds()  # cities
    is_common = plain in vocabulary("function", "hedge", "kind") or plain in _numbers() or is_kind
    says = text[0].isalpha() and not is_common and not plain.endswith(in_order("adverb_ending"))
    return text, key(plain), plain[:_LETTERS], sense, says, text in vocabulary("auxiliary", "becomes")


@lru_cache(maxsize=1)
def _kinds() -> frozenset[str]:
    return frozenset(map(key, vocabulary("kind")))


@lru_cache(maxsize=1)
def _numbers() -> frozenset[str]:
    return frozenset(chain.from_iterable(table("number").values()))


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
