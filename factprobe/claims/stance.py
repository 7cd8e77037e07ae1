"""Whether the words of a relation say that it holds, deny it, or leave it open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal

from factprobe.claims.tokens import Token, level, tokens
from factprobe.reading.language import phrases, vocabulary
from factprobe.reading.phrasing import Phrases
from factprobe.reading.stance.denial import denies
from factprobe.text import normalise

ClaimStance = Literal["holds", "denied", "open"]

_LEFT_OPEN = phrases("relation_open"), phrases("unasserted_within"), phrases("stance_doubt"), phrases("stance_tells")
_OPEN = [Phrases(pattern) for pattern in _LEFT_OPEN]
_HARMLESS = vocabulary("harmless", "light_verb", "part_of")
_JOINS = vocabulary("link_and")
_PREPOSITIONS = vocabulary("preposition")


def said(text: str, own: frozenset[str]) -> ClaimStance:
    """What a text says of a relation.

    Args:
        text: the relation as a claim has it.
        own: the words of the relation's wordings, which leave nothing open: originally aired on.
    """
    plain = normalise(text)
    if any(not own.issuperset(match[0].split()) for phrase in _OPEN for match in phrase.finditer(plain)):
        return "open"
    return "denied" if denies(plain) else "holds"


def says_more(text: str, own: frozenset[str]) -> bool:
    """Whether a relation's text has a noun or verb that none of its own words is akin to: wife died in."""
    return any(_is_more(word, own) for word in tokens(text))


def is_beside(text: str, own: frozenset[str]) -> bool:
    """Whether the one noun or verb more of a relation's text is joined to its own words, so that both have to be so of
    the same two: was born and raised in.

    Args:
        text: the relation as a claim has it.
        own: the words of the relation's wordings.
    """
    parts = _joined(tokens(text))
    strange = [part for part in parts if any(_is_more(word, own) for word in part)]
    if len(strange) != 1 or not any(_says_own(part, own) for part in parts if part not in strange):
        return False
    more = sum(_is_more(word, own) for word in strange[0])
    return more == 1 and not any(word.text in _PREPOSITIONS and word.text not in own for word in strange[0])


def _joined(words: Sequence[Token]) -> list[list[Token]]:
    """The parts of a text between the words that join them."""
    parts: list[list[Token]] = [[]]
    for word in words:
        if word.text in _JOINS:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def _is_more(word: Token, own: frozenset[str]) -> bool:
    return word.says and word.text not in _HARMLESS and not _is_akin(word, own)


def _says_own(words: Iterable[Token], own: frozenset[str]) -> bool:
    return any(word.says and _is_akin(word, own) for word in words)


def _is_akin(word: Token, known: frozenset[str]) -> bool:
    return any(level(one, word) for one in _known(known))


@lru_cache(maxsize=1 << 10)
def _known(own: frozenset[str]) -> list[Token]:
    return tokens(" ".join(sorted(own)))
