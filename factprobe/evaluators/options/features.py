"""Features of the alternatives that a reply mentions, for the model that decides which one it chooses."""

from __future__ import annotations

from collections.abc import Sequence

from factprobe.evaluators.options.places import MaskedReply, Place

FEATURES: dict[str, str] = {
    "believed": "a mention is attributed to others",
    "asked": "all mentions precede a question mark",
    "right": "a mention is called right",
    "denied_too": "another mention of it is denied",
    "denied_last": "the last mention of it is denied",
    "listed": "all mentions are in a list of all options",
    "first": "the first mention is of it",
    "last": "the last mention is of it",
    "announced": "a mention is called the answer",
    "announced_last": "the last mention that is called the answer is of it",
    "concluded": "a mention follows a word that concludes",
    "concluded_last": "the last such mention is of it",
    "bare": "a mention has no other words of content in its sentence",
    "bare_clause": "a mention has no other words of content in its clause",
    "opens": "no words of content precede it in the reply",
    "bare_first": "the reply begins with such a mention",
    "bare_last": "the reply ends with such a mention",
    "question_words": "largest share of the question's words in the clause of a mention",
    "retracted": "a retraction and then another option follow its last mention",
    "corrected": "its last mention follows another option and then a retraction",
    "contrasted": "a mention follows a contrast in its sentence",
    "before_contrast": "its last mention precedes a contrast in its sentence",
    "conceded": "all mentions are in a clause that concedes",
    "in_brackets": "all mentions are in brackets",
    "lettered": "a mention is a letter",
    "repeated": "it is mentioned repeatedly",
    "several": "it is several options, joined by and, or, or a comma",
    "none": "it says that no option is right",
    "all": "it says that all options are right",
    "no_choice": "nothing is chosen",
    "no_choice_unknown": "nothing is chosen, and a sentence says that the answer is not known",
    "no_choice_open": "nothing is chosen, and all mentions are in a list of the options with remarks",
}
"""Names of the features, in the order of the vector, with a phrase for each."""
NOTHING: frozenset[int] = frozenset()
"""The alternative that the reply chooses nothing."""
Alternatives = dict[frozenset[int], list[float]]
"""Feature vectors by the options that each alternative consists of."""


def alternatives(reply: MaskedReply) -> Alternatives:
    """Return the alternatives of a reply: options that it mentions together and does not deny, and nothing."""
    by_options: dict[frozenset[int], list[list[Place]]] = {}
    for group in reply.groups:
        options = frozenset(i for place in group for i in place.mention.options)
        by_options.setdefault(options, []).append(group)
    found = {
        options: _features(reply, options, groups)
        for options, groups in by_options.items()
        if not all(group[0].is_denied or group[0].is_doubted for group in groups)
    }
    found[NOTHING] = _vector(
        no_choice=True,
        no_choice_unknown=reply.says_unknown,
        no_choice_open=all(place.is_listed for place in reply.places),
    )
    return found


def _features(reply: MaskedReply, options: frozenset[int], groups: Sequence[Sequence[Place]]) -> list[float]:
    every = [place for place in reply.places if place.is_affirmed]
    own = [place for group in groups for place in group if not (place.is_denied or place.is_doubted)]
    last = own[-1]
    called = [place.word for place in every if place.is_announced]
    concluded = [place.word for place in every if place.is_concluded]
    words = {place.word for place in own}
    is_listed = all(place.is_listed for place in own)
    others = [place.word for place in reply.places if place.word not in words]
    retractions = [cue.start for cue in reply.cues if cue.kind == "corrects"]
    return _vector(
        believed=any(place.is_believed for place in own),
        asked=all(place.is_asked for place in own),
        right=any(place.is_right for place in own),
        denied_too=any(group[0].is_denied for group in groups),
        denied_last=groups[-1][0].is_denied,
        listed=is_listed,
        first=reply.places[0].word in words and not is_listed,
        last=reply.places[-1].word in words and not is_listed,
        announced=not words.isdisjoint(called),
        announced_last=called[-1:] and called[-1] in words,
        concluded=not words.isdisjoint(concluded),
        concluded_last=concluded[-1:] and concluded[-1] in words,
        bare=any(place.is_bare for place in own if not place.is_listed),
        bare_clause=any(place.is_bare_clause for place in own if not place.is_listed),
        opens=own[0].opens and not is_listed,
        bare_first=own[0].is_bare and own[0].sentence[0] == 0 and not is_listed,
        bare_last=last.is_bare and last.sentence[1] == len(reply.words) and not is_listed,
        question_words=max(place.question_share for place in own),
        retracted=any(last.word < i < other for i in retractions for other in others),
        corrected=any(other < i < last.word for i in retractions for other in others),
        contrasted=any(place.is_contrasted for place in own),
        before_contrast=last.precedes_contrast,
        conceded=all(place.is_conceded for place in own),
        in_brackets=all(place.in_brackets for place in own),
        lettered=any(place.mention.by == "letter" for place in own),
        repeated=len(groups) > 1,
        several=len(options) > 1,
        none=any(place.mention.by == "none" for place in own),
        all=-2 in options,
    )


def _vector(**found: object) -> list[float]:
    """Return the vector of the features that are given; those that are left out are 0."""
    return [float(value) if isinstance(value := found.get(name), float) else float(bool(value)) for name in FEATURES]
