"""Features of the options that a reply mentions, for the model that decides which one it chooses."""

from __future__ import annotations

from collections.abc import Sequence

from factprobe.evaluators.conditional_logit import NOTHING, Alternatives
from factprobe.evaluators.places import MaskedReply, Place

FEATURES: dict[str, str] = {
    "right": "a mention is called right",
    "bare_clause": "a mention has no other words of content in its clause",
    "bare_last": "the reply ends with it and has no other words of content in the sentence",
    "corrected": "its last mention follows another option and then a retraction",
    "concluded": "its last mention follows another option and then a word of conclusion",
    "before_contrast": "its last mention precedes a contrast in its sentence",
    "conceded": "all mentions are in a clause that concedes",
    "lettered": "a mention is a letter",
    "none": "it says that no option is right",
}
"""Features in the order of the model's weights, with a phrase for each."""


def alternatives(reply: MaskedReply) -> Alternatives:
    """Return the features of each alternative: options mentioned together, not denied or doubted; or no option."""
    by_options: dict[frozenset[int], list[Place]] = {}
    for group in reply.groups:
        if group[0].is_stated:
            options = frozenset(i for place in group for i in place.mention.options)
            by_options.setdefault(options, []).extend(group)
    features = {options: _features(reply, places) for options, places in by_options.items()}
    return {**features, NOTHING: {}}


def _features(reply: MaskedReply, own: Sequence[Place]) -> dict[str, float]:
    last, words = own[-1], {place.word for place in own}
    others = [place.word for place in reply.places if place.word not in words]
    retractions = [cue.start for cue in reply.cues if cue.kind == "corrects"]
    conclusions = [cue.start for cue in reply.cues if cue.kind in ("concludes", "answers")]
    before = max((word for word in others if word < last.word), default=len(reply.words))
    return {
        "right": any(place.is_right for place in own),
        "bare_clause": any(place.is_bare_clause for place in own),
        "bare_last": last.is_bare and last.sentence_end == len(reply.words),
        "corrected": any(other < i < last.word for i in retractions for other in others),
        "concluded": any(before < i < last.word for i in conclusions),
        "before_contrast": last.precedes_contrast,
        "conceded": all(place.is_conceded for place in own),
        "lettered": any(place.mention.by == "letter" for place in own),
        "none": any(place.mention.by == "none" for place in own),
    }
