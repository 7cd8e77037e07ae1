"""What a pronoun means that opens a sentence: the one person, or thing, that the sentence before is about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from factprobe.claims.another import is_another
from factprobe.claims.facts import EntityMention, GraphFacts
from factprobe.reading.language import vocabulary
from factprobe.records import Span

_THINGS, _POSSESSIVE = vocabulary("thing_possessive"), vocabulary("personal_possessive", "thing_possessive")
_OPENS = re.compile(rf"(?:{'|'.join(sorted(vocabulary('personal') | _POSSESSIVE))})\b", re.IGNORECASE)
_CAPITALISED = re.compile(r"\b[^\W\d_a-z]\w*")


class Sentence(NamedTuple):
    """A sentence and the names in it."""

    span: Span
    mentions: Sequence[EntityMention]


def opening(text: str, start: int, before: Sentence | None, facts: GraphFacts) -> list[EntityMention]:
    """The pronoun that opens a sentence as a name of whom it means; none where that is not plain.

    The sentence before has to begin with a person, or a thing where the pronoun is that of a thing, by name or by a
    pronoun, and to name nobody else, not even one whom the graph does not know or a namesake.
    """
    found = _OPENS.match(text, start)
    if found is None or before is None or not before.mentions:
        return []
    first = before.mentions[0]
    is_thing = found[0].lower() in _THINGS
    meant = {uri for one in before.mentions for uri in one.uris if is_thing or facts.is_person(uri)}
    is_plain = first.start == before.span[0] and meant == set(first.uris) and len(first.uris) == 1
    if is_thing and any(map(facts.is_person, meant)):
        return []
    if not is_plain or _names_others(text, before) or is_another(text, first, facts):
        return []
    return [EntityMention(*found.span(), first.uris, first.name or text[first.start : first.end])]


def _names_others(text: str, sentence: Sentence) -> bool:
    """Whether a sentence has words with capitals that are no known names, nor months or the like."""
    words = _CAPITALISED.finditer(text, *sentence.span)
    known = [range(one.start, one.end) for one in sentence.mentions]
    return any(not any(word.start() in place for place in known) for word in words)


def is_possessive(text: str, mention: EntityMention) -> bool:
    """Whether a pronoun stands for a name that has what comes next: his birthplace."""
    return bool(mention.name) and text[mention.start : mention.end].lower() in _POSSESSIVE
