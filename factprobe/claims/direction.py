"""Which way round words tell a relation of two names: developed, was developed by."""

from __future__ import annotations

from collections.abc import Sequence

from factprobe.claims.tokens import AKIN, COPULA, POSSESSIVE, Token, level
from factprobe.claims.told import RelationWording, Told
from factprobe.reading.language import in_order, vocabulary

_HAVE, _AGENT_ENDINGS = vocabulary("has"), in_order("agent_ending")
_AGENT, _OF = vocabulary("agent"), vocabulary("of")
_NOUN_BEFORE, _PREPOSITIONS = vocabulary("of", "link_and"), vocabulary("preposition")


def is_of_its_kind(wording: RelationWording, told: Told, between: Sequence[Token]) -> bool:
    """Whether a noun is said of the names as the wording has it: X capital Y is no "X is the capital of Y", nor is that
    "X has its capital in Y"."""
    first, last = told.places[1]
    if first > last or not wording.is_noun:
        return True
    word = between[first]
    is_same = word.text.endswith(_AGENT_ENDINGS) or any(level(own, word) >= AKIN for own in wording.parts[1])
    if not is_same and not is_noun(between, first):
        return False
    if not wording.has_of and any(word.text in _OF for word in between[last + 1 : last + 2]):
        return False
    has = any(word.text in _HAVE for word in between[:first]) and all(word.key != COPULA for word in between)
    return not (has and wording.is_be)


def is_noun(between: Sequence[Token], place: int) -> bool:
    """Whether a word between two names is a noun: is the capital of, 's capital, and not was born in."""
    behind = between[place + 1 : place + 2]
    is_be = place > 0 and between[place - 1].key == COPULA
    return (
        between[0].text == POSSESSIVE
        or any(word.text in _NOUN_BEFORE for word in behind)
        or (is_be and all(word.text not in _PREPOSITIONS for word in behind))
    )


def is_straight(wording: RelationWording, told: Told, between: Sequence[Token]) -> bool:
    """Whether the words name the ends in the order of the wording.

    Neither is passive, or both are; or they have the very noun, or do as it says: author, is authored by.
    """
    first, last = told.places[1]
    if first > last:
        return True
    is_passive = any(word.text in _AGENT for word in between[first:])
    if wording.is_noun and not wording.is_passive:
        word = between[first].text
        is_owned = not wording.has_of  # who is the author of something wrote it
        return is_passive == is_owned or word.startswith(wording.nouns) or word.endswith(_AGENT_ENDINGS)
    return is_passive == wording.is_passive
