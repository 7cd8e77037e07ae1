"""Features of the sides (true, false, none) that a reply may take, for the model that decides between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from factprobe.evaluators.conditional_logit import NOTHING, Alternatives
from factprobe.evaluators.places import MaskedReply, Place
from factprobe.evaluators.true_false.judged_clauses import opposite
from factprobe.evaluators.true_false.statement_mentions import ABOUT

_KINDS: dict[str, str] = {
    "judged": "a word for true or false",
    "agrees": "a word of agreement or disagreement",
    "answers": "yes or no",
    "particle": "yes or no to a negated statement",
    "stray": "something else is judged",
    "said": "it is said with the same names, or in the same words",
    "words": "some of its words are said",
    "truth": "the right name is given",
    "other": "another name takes the place of one of its names",
    "unknown": "an unknown name stands beside some of its words",
}
FEATURES: dict[str, str] = {
    **_KINDS,
    "denied": "it, or some of its words, are denied",
    "weak": "only as possible, conceded, a question, or what others believe",
    "bare": "a judgment has no other words of content in its clause",
    "doubted": "words before a mention say that the answer is not known",
    "corrected": "its last judgment follows the other side and then a turn or conclusion",
}
"""Features in the order of the model's weights, with a phrase for each; "it" is the statement."""
_TURNS = ("corrects", "contrast", "concludes", "answers")
_UNSURE = ("words", "stray")
"""Kinds of mentions that are no judgments of the statement."""
_ONLY_AFFIRMED = ("truth", "other", "unknown", "stray")
"""Kinds of mentions that take no side if they are negated."""


class SideMention(NamedTuple):
    """Mention of true or false with the side that it takes."""

    place: Place
    side: frozenset[int]

    @property
    def is_weak(self) -> bool:
        """True if the mention is hedged, conceded, in a question, or attributed to others."""
        return self.place.is_weak or self.place.is_conceded


def sides_of(reply: MaskedReply) -> tuple[list[SideMention], bool]:
    """Return the mentions that take a side, and whether any part of the reply leaves the statement open."""
    found: list[SideMention] = []
    is_open = False
    for group in reply.groups:
        sides = [opposite(place.mention.options) if place.is_denied else place.mention.options for place in group]
        if len({*sides}) > 1 or any(place.mention.by == "open" for place in group):
            is_open = True
            continue
        found += map(SideMention, group, sides)
    return [one for one in found if not (one.place.is_denied and one.place.mention.by in _ONLY_AFFIRMED)], is_open


def alternatives(reply: MaskedReply) -> Alternatives:
    """Return the features of each side that a reply may take: true, false, or none."""
    mentions, _ = sides_of(reply)
    return {**{side: _features(reply, mentions, side) for side in {mention.side for mention in mentions}}, NOTHING: {}}


def _features(reply: MaskedReply, found: Sequence[SideMention], side: frozenset[int]) -> dict[str, float]:
    mentions = [mention for mention in found if mention.side == side]
    other_words = [mention.place.word for mention in found if mention.side != side]
    firm = [one for one in mentions if not one.is_weak]
    judging = [one.place for one in firm if one.place.mention.by not in _UNSURE]
    last = max((place.word for place in judging), default=-1)
    turns = [cue.start for cue in reply.cues if cue.kind in _TURNS]
    by = ("denied" if one.place.is_denied and one.place.mention.by in ABOUT else one.place.mention.by for one in firm)
    return {
        **dict.fromkeys(by, 1.0),
        "weak": not firm,
        "bare": any(place.is_bare_clause for place in judging),
        "doubted": any(one.place.is_doubted for one in mentions),
        "corrected": any(other < turn < last for turn in turns for other in other_words),
    }
