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
    span: Span
    """Where the words are that tell it; empty where there are none."""
    wording: Wording
    places: tuple[Span, Span, Span]
    """The first and the last of the words of each part that the wording turns on, counted from the first name outwards,
    behind it, and from the second name on; (0, -1) where a part has none."""


class Wording(NamedTuple):
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
