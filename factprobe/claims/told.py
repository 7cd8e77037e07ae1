"""The sentences of a relation, and what words tell by them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from factprobe.claims.tokens import Token
from factprobe.records import Span

Around = tuple[Sequence[Token], Sequence[Token], Sequence[Token]]
"""The words before the first of two names, between them, and behind the second."""


class Told(NamedTuple):
    """A relation that words tell."""

    relation: str
    subject_first: bool
    score: float
    firm: bool
    """Whether the words are the wording itself, so that it is told whatever stands at its ends."""
    turned: bool
    """Whether the names stand the other way round than the wording has them: developed, was developed by."""
    said: tuple[int, int, int]
    """Which part has the words that tell it, and the first and the last of them, counted as `places` are."""
    wording: RelationWording
    places: tuple[Span, Span, Span]
    """The first and the last of the words of each part that the wording turns on, counted from the first name outwards,
    behind it, and from the second name on; (0, -1) where a part has none."""

    def span(self, around: Around) -> Span:
        """Where the words are that tell it; empty where there are none."""
        number, first, last = self.said
        words = around[number][::-1] if number == 0 else around[number]
        spans = [word.span for word in words[first : last + 1]]
        return (min(spans)[0], max(spans)[1]) if spans else (0, 0)


class RelationWording(NamedTuple):
    """A sentence of a relation, taken apart at its ends."""

    relation: str
    subject_first: bool
    parts: Around
    """Without articles."""
    turns_on: frozenset[str]
    """The keys of the words without which it is not told."""
    framed: bool
    """Whether it comes of the label."""
    is_noun: bool
    """Whether the word between the names that it turns on is a noun, and no verb: is the author of."""
    is_passive: bool
    """Whether the second name does what it says: was written by."""
    keys: frozenset[str]
    """Of all its words."""
    nouns: tuple[str, ...]
    """The words between the names that it turns on."""
    has_of: bool
    """Whether there is an "of" between the names."""
    is_be: bool
    """Whether there is a form of "to be"."""
    is_place: bool
    """Whether it tells no more than in what larger thing something is, as wordings of several relations do: is in."""
    size: int
    """How many words it has."""
