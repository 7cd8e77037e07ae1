"""Features of the sides (true, false, none) that a reply may take, for the model that decides between them."""

from __future__ import annotations

from collections.abc import Sequence

from factprobe.evaluators.conditional_logit import NOTHING, Alternatives
from factprobe.evaluators.places import MaskedReply, Place
from factprobe.evaluators.true_false.judged_clauses import turned
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
_ONLY_AFFIRMED = ("truth", "other", "unknown", "stray")
"""Kinds of mentions that take no side if they are negated."""


def sides_of(reply: MaskedReply) -> tuple[list[Place], bool]:
    """Return the mentions that take a side, with this as their option, and whether the statement is left open."""
    found: list[Place] = []
    is_open = False
    for group in reply.groups:
        mentions = [turned(place.mention, place.is_denied) for place in group]
        if len({mention.options for mention in mentions}) > 1 or any(mention.by == "open" for mention in mentions):
            is_open = True
        else:
            found += [place._replace(mention=mention) for place, mention in zip(group, mentions, strict=True)]
    return [place for place in found if not (place.is_denied and place.mention.by in _ONLY_AFFIRMED)], is_open


def alternatives(reply: MaskedReply) -> Alternatives:
    """Return the features of each side that a reply may take: true, false, or none."""
    places, _ = sides_of(reply)
    sides = {place.mention.options for place in places}
    return {**{side: _features(reply, places, side) for side in sides}, NOTHING: {}}


def _features(reply: MaskedReply, found: Sequence[Place], side: frozenset[int]) -> dict[str, float]:
    places = [place for place in found if place.mention.options == side]
    other_words = [place.word for place in found if place.mention.options != side]
    firm = [place for place in places if not (place.is_weak or place.is_conceded)]
    last = max((place.word for place in firm), default=-1)
    turns = [cue.start for cue in reply.cues if cue.kind in _TURNS]
    by = ("denied" if place.is_denied and place.mention.by in ABOUT else place.mention.by for place in firm)
    return {
        **dict.fromkeys(by, 1.0),
        "weak": not firm,
        "bare": any(place.is_bare_clause for place in firm),
        "doubted": any(place.is_doubted for place in places),
        "corrected": any(other < turn < last for turn in turns for other in other_words),
    }
