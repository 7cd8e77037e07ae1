"""Features of a reply that names a right answer, for the model that decides whether it commits to that alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from factprobe.evaluators.entities.reading import LINKS, EntityReading
from factprobe.reading.assertion import Kind
from factprobe.reading.language import in_order, vocabulary
from factprobe.reading.names.tables import Mention

_AND, _OR = frozenset(in_order("link_and")), frozenset(in_order("link_or"))
_FUNCTION = vocabulary("function")
_MARKS = frozenset((",", ";", "/", "\n", "•", "\n•"))
_TURNS: tuple[Kind, ...] = ("corrects", "contrast", "answers", "concludes")
_BLANK = "__"

FEATURES = {
    "first_right": "first name is right",
    "first_affirmed_right": "first affirmed name is right",
    "last_affirmed_right": "last affirmed name is right",
    "right_first_status": "first right name is affirmed",
    "right_last_status": "last right name is affirmed",
    "right_affirmed": "affirmed right names",
    "right_denied": "denied right names",
    "others": "other names",
    "others_affirmed": "other affirmed names",
    "others_depth": "brackets around the other names",
    "same_sentence": "other affirmed name in a sentence with a right one",
    "gap": "words between a right name and the nearest other one",
    "hits_right": "share of the question's words in a sentence with the right name",
    "hits_other": "share of the question's words in a sentence with an affirmed other name",
    "bare_other": "other name alone in a sentence",
    "bare_new": "new words alone in a sentence",
    "or": 'occurrence of "or"',
    "or_beside": '"or" beside the right name',
    "and_beside": '"and" beside the right name',
    "joined": "new name joined to the right one",
    "listed": "nothing but names and links, some of them new",
    "new": "content words that the question lacks",
    "capitals": "capitalised words that the question lacks",
    "capitals_after": "such words after the right name",
    "capitals_share": "share of such words",
    "turn_right": "cue of a turn between another name and the right one",
    "turn_other": "cue of a turn between the right name and another one",
    "contrast_after": "contrasting cues after the right name",
    "corrects_before": "correction before the right name",
    "asked": "right name in a question",
    "blank_before": "blank of the question before the right name",
    "declines": "phrase of abstention or refusal",
    "denies": "negation cues",
    "position": "words before the right name",
    "relative": "share of the reply before the right name",
    "after": "words after the right name",
    "length": "words",
    "sentences": "sentences",
}
"""Description of each feature, in the order of the vector."""


def vector(reading: EntityReading) -> list[float]:
    """Return the features of a reply in the order of `FEATURES`; it must name a right answer."""
    right = [one for one in reading.mentions if not reading.right.isdisjoint(one.uris)]
    others = [
        one for one in reading.mentions if reading.right.isdisjoint(one.uris) and one.start not in reading.addresses
    ]
    found = {
        **_status_features(reading, right, others),
        **_sentence_features(reading, right, others),
        **_turn_features(reading, right, others),
        **_context_features(reading, right),
    }
    return [float(found[name]) for name in FEATURES]


def _status_features(reading: EntityReading, right: list[Mention], others: list[Mention]) -> Mapping[str, float]:
    status = dict(zip((one.start for one in reading.mentions), reading.statuses, strict=True))
    starts = {one.start for one in right}
    named = sorted(one.start for one in (*right, *others))
    affirmed = [start for start in named if status[start] == "affirmed"]
    told = [one for one in others if status[one.start] == "affirmed"]
    return {
        "first_right": named[0] in starts,
        "first_affirmed_right": affirmed[:1] != [] and affirmed[0] in starts,
        "last_affirmed_right": affirmed[:1] != [] and affirmed[-1] in starts,
        "right_first_status": status[right[0].start] == "affirmed",
        "right_last_status": status[right[-1].start] == "affirmed",
        "right_affirmed": sum(status[start] == "affirmed" for start in starts),
        "right_denied": sum(status[start] == "denied" for start in starts),
        "others": len({one.uris or one.start for one in others}),
        "others_affirmed": len({one.uris or one.start for one in told}),
        "others_depth": min([reading.text.depth[one.start] for one in others], default=-1),
        "gap": min([abs(one.start - other.end) for one in right for other in others], default=-1),
    }


def _sentence_features(reading: EntityReading, right: list[Mention], others: list[Mention]) -> Mapping[str, float]:
    text, asked = reading.text, reading.asked_keys
    of_right = {text.sentences[one.start] for one in right}
    affirmed = {one.start for one in reading.affirmed}
    told = [one for one in others if one.start in affirmed]
    of_others = {text.sentences[one.start] for one in told}
    hits: dict[int, set[str]] = {}
    for key, sentence in zip(reading.tokens.keys, text.sentences, strict=True):
        if key in asked:
            hits.setdefault(sentence, set()).add(key)
    capitals = set(reading.capitals)
    prose = {
        sentence for i, sentence in enumerate(text.sentences) if i not in capitals and text.words[i] not in _FUNCTION
    }
    return {
        "same_sentence": not of_right.isdisjoint(of_others),
        "hits_right": max(len(hits.get(one, ())) for one in of_right) / max(len(asked), 1),
        "hits_other": max([len(hits.get(one, ())) for one in of_others], default=-1) / max(len(asked), 1),
        "bare_other": any(_is_alone(reading, one) for one in told),
        "bare_new": any(text.sentences[i] not in prose for i in capitals),
        "asked": text.asks.issuperset(of_right),
    }


def _turn_features(reading: EntityReading, right: list[Mention], others: list[Mention]) -> Mapping[str, float]:
    turns = [cue.start for cue in reading.cues_of(*_TURNS)]
    first, end = right[0].start, right[-1].end
    return {
        "turn_right": bool(others) and any(others[0].start < at < right[-1].start for at in turns),
        "turn_other": any(end <= at < one.start for at in turns for one in others),
        "contrast_after": sum(cue.start >= end for cue in reading.cues_of("contrast")),
        "corrects_before": any(cue.start < right[-1].start for cue in reading.cues_of("corrects")),
        "position": first,
        "relative": first / len(reading.text),
        "after": len(reading.text) - end,
    }


def _context_features(reading: EntityReading, right: list[Mention]) -> Mapping[str, float]:
    text, capitals = reading.text, set(reading.capitals)
    blank = text.source.find(_BLANK)
    return {
        "or": any(word in _OR for i, word in enumerate(text.words) if i not in reading.inside),
        "or_beside": any(_is_beside(reading, one, _OR) for one in right),
        "and_beside": any(_is_beside(reading, one, _AND) for one in right),
        "joined": any(_is_joined(reading, one, capitals) for one in right),
        "listed": bool(capitals)
        and all(i in capitals or i in reading.inside or word in LINKS for i, word in enumerate(text.words)),
        "new": len(reading.new),
        "capitals": len(capitals),
        "capitals_after": sum(i >= right[-1].end for i in capitals),
        "capitals_share": len(capitals) / len(text),
        "blank_before": 0 <= blank < text.starts[right[0].start],
        "declines": reading.declines,
        "denies": sum(1 for _ in reading.cues_of("denies", "denied")),
        "length": len(text),
        "sentences": text.sentences[-1] + 1,
    }


def _is_beside(reading: EntityReading, mention: Mention, links: frozenset[str]) -> bool:
    """Return whether a conjunction stands beside a mention."""
    words, start, end = reading.text.words, mention.start, mention.end
    return not links.isdisjoint((*words[max(start - 1, 0) : start], *words[end : end + 1]))


def _is_joined(reading: EntityReading, mention: Mention, capitals: Collection[int]) -> bool:
    """Return whether a mark or conjunction joins a new name to a mention."""
    text, before, after = reading.text, mention.start - 1, mention.end
    behind = after + (after < len(text) and text.words[after] in LINKS)
    is_behind = behind > after or (after < len(text) and text.mark[after] in _MARKS)
    ahead = before - (before >= 0 and text.words[before] in LINKS)
    is_ahead = ahead < before or (before >= 0 and text.mark[mention.start] in _MARKS)
    joined = [at for at, is_there in ((behind, is_behind), (ahead, is_ahead)) if is_there and at in capitals]
    return any(text.sentences[at] == text.sentences[mention.start] for at in joined)


def _is_alone(reading: EntityReading, mention: Mention) -> bool:
    """Return whether a mention is alone in its sentence but for function words."""
    text = reading.text
    sentence = text.sentences[mention.start]
    first = text.sentences.index(sentence)
    last = first + text.sentences.count(sentence)
    rest = (*text.words[first : mention.start], *text.words[mention.end : last])
    return _FUNCTION.issuperset(rest)
