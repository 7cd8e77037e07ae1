"""Whether the words of a relation say that it holds, deny it, or leave it open."""

from __future__ import annotations

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
    harmless = vocabulary("harmless", "light_verb", "part_of")
    return any(
        word.says and word.text not in harmless and not any(level(known, word) for known in _known(own))
        for word in tokens(text)
    )


@lru_cache(maxsize=1 << 10)
def _known(own: frozenset[str]) -> list[Token]:
    return tokens(" ".join(sorted(own)))
