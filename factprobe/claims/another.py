"""Names of people that what stands beside them gives to somebody, or something, else: Beethoven, the dog."""

from __future__ import annotations

import re

from factprobe.claims.facts import EntityMention, GraphFacts
from factprobe.reading.language import phrases, vocabulary

_ITS = "|".join(sorted(vocabulary("article", "possessive")))
_THINGS = vocabulary("no_person")
_THING = "|".join(sorted(_THINGS))
_ADJECTIVE = rf"(?!(?:{'|'.join(sorted(vocabulary('function')))})\b)[\w-]+\.?\s+"
_GOES_ON = "|".join(sorted(vocabulary("preposition", "relative", "that")))
_BEHIND = re.compile(
    rf"(?:,\s+|\s*\()(?:(?:{_ITS})\s+(?:{_ADJECTIVE}){{0,3}}?(?:{_THING})(?=\s*(?:[^\w\s]|\Z)|\s+(?:{_GOES_ON})\b)|"
    rf"{phrases('another_behind')})|\s+(?:{_ITS})\s+(?:{_THING})\b",
    re.IGNORECASE,
)
_BEFORE = re.compile(rf"\b(?:{_ITS})\s+(?:{_ADJECTIVE}){{0,2}}?\Z", re.IGNORECASE)
_LONGEST = 40
"""Letters of a word before a name, or of two."""


def is_another(text: str, mention: EntityMention, facts: GraphFacts) -> bool:
    """Whether a person's name is that of a thing, an animal or a namesake."""
    return (_is_before(text, mention.start) or _BEHIND.match(text, mention.end) is not None) and any(
        map(facts.is_person, mention.uris)
    )


def _is_before(text: str, start: int) -> bool:
    """Whether what a thing is stands before its name: our old dog Beethoven."""
    words = text[max(start - _LONGEST, 0) : start].split()
    if not words or words[-1].lower() not in _THINGS:
        return False
    place = text.rindex(words[-1], 0, start)
    return _BEFORE.search(text, max(place - _LONGEST, 0), place) is not None
