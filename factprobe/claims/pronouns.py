"""Whom a pronoun means that opens a sentence: the one person that the sentence before is about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from factprobe.claims.facts import EntityMention, GraphFacts
from factprobe.reading.language import vocabulary
from factprobe.records import Span

_OPENS = re.compile(rf"(?:{'|'.join(sorted(vocabulary('personal')))})\b", re.IGNORECASE)
_CAPITALISED = re.compile(r"\b[^\W\d_a-z]\w*")


class Sentence(NamedTuple):
    """A sentence and the names in it."""

    span: Span
    mentions: Sequence[EntityMention]


def opening(text: str, start: int, before: Sentence | None, facts: GraphFacts) -> list[EntityMention]:
    """The pronoun that opens a sentence as a name of whom it means; none where that is not plain.

    The sentence before has to begin with a person, by name or by a pronoun, and to name nobody else, not even one whom
    the graph does not know.
    """
    found = _OPENS.match(text, start)
    if found is None or before is None or not before.mentions:
        return []
    first = before.mentions[0]
    persons = {uri for one in before.mentions for uri in one.uris if facts.is_person(uri)}
    is_plain = first.start == before.span[0] and persons == set(first.uris) and len(first.uris) == 1
    if not is_plain or _names_others(text, before):
        return []
    return [EntityMention(*found.span(), first.uris, first.name or text[first.start : first.end])]


def _names_others(text: str, sentence: Sentence) -> bool:
    """Whether a sentence has words with capitals that are no known names, nor months or the like."""
    words = _CAPITALISED.finditer(text, *sentence.span)
    known = [range(one.start, one.end) for one in sentence.mentions]
    return any(not any(word.start() in place for place in known) for word in words)
