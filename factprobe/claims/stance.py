"""Whether the words of a relation say that it holds, deny it, or leave it open."""

from __future__ import annotations

from typing import Literal

from factprobe.reading.language import phrases
from factprobe.reading.phrasing import Phrases
from factprobe.reading.stance.denial import denies
from factprobe.text import normalise

Said = Literal["holds", "denied", "open"]

_LEFT_OPEN = phrases("relation_open"), phrases("unasserted_within"), phrases("stance_doubt"), phrases("stance_tells")
_OPEN = [Phrases(pattern) for pattern in _LEFT_OPEN]


def said(text: str, own: frozenset[str]) -> Said:
    """What a text says of a relation.

    Args:
        text: the relation as a claim has it.
        own: the words of the relation's wordings, which leave nothing open: originally aired on.
    """
    plain = normalise(text)
    if any(not own.issuperset(match[0].split()) for phrase in _OPEN for match in phrase.finditer(plain)):
        return "open"
    return "denied" if denies(plain) else "holds"
