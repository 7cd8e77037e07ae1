"""Features of a reply for the models that decide whether it attempts an answer and commits to the right one alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING

from factprobe.reading.assertion import Kind
from factprobe.reading.language import in_order, vocabulary

if TYPE_CHECKING:
    from factprobe.evaluators.entities.reading import EntityReading
    from factprobe.reading.names.tables import Mention

AND, OR = frozenset((*in_order("link_and"), "&")), frozenset(in_order("link_or"))
LINKS = AND | OR
"""Words that join two names."""
_MARKS = frozenset((",", ";", "/", "\n", "•", "\n•"))
"""Marks that join two names."""
_FUNCTION, _HEDGE, _KIND = vocabulary("function"), vocabulary("hedge"), vocabulary("kind")
_SPEAKER, _GUESSES = vocabulary("speaker"), vocabulary("guess")
_TURNS: tuple[Kind, ...] = ("corrects", "contrast", "answers", "concludes")
BLANK = "__"

FEATURES = {
    "declines": "phrase of abstention or refusal",
    "mentions": "names",
    "covered": "share of the words in names",
    "affirmed": "affirmed names",
    "affirmed_plain": "affirmed names outside refusals and questions",
    "affirmed_turn": 'affirmed names after the last "but"',
    "denied": "denied names",
    "first_affirmed_right": "first affirmed name is right",
    "last_affirmed_right": "last affirmed name is right",
    "right_first_status": "first right name is affirmed",
    "right_last_status": "last right name is affirmed",
    "right_affirmed": "affirmed right names",
    "right_denied": "denied right names",
    "others": "other names",
    "others_affirmed": "other affirmed names",
    "others_depth": "brackets around the other names",
    "others_joined": "other affirmed name joined to the right one",
    "same_sentence": "other affirmed name in a sentence with a right one",
    "gap": "words between a right name and the nearest other one",
    "or": 'occurrence of "or"',
    "or_beside": '"or" beside the right name',
    "and_beside": '"and" beside the right name',
    "joined": "new name joined to the right one",
    "turn_right": "cue of a turn between another name and the right one",
    "turn_other": "cue of a turn between the right name and another one",
    "contrast_after": "contrasting cues after the right name",
    "corrects_before": "correction before the right name",
    "position": "words before the right name",
    "relative": "share of the reply before the right name",
    "after": "words after the right name",
    "hits_right": "share of the question's words in a sentence with the right name",
    "hits_other": "share of the question's words in a sentence with an affirmed other name",
    "asked": "right name in a question",
    "share": "largest share of the question's words in a sentence",
    "subject": "words of the question's subject in a sentence",
    "new_with_predicate": "most new words in a sentence with a word of the question's predicate",
    "bare_new": "sentence of nothing but new words",
    "asks": "questions",
    "asks_last": "question at the end",
    "first_length": "words of the first sentence",
    "last_length": "words of the last sentence",
    "length": "words",
    "new": "content words that the question lacks",
    "new_share": "share of such words",
    "capitals": "capitalised words that the question lacks",
    "capitals_inner": "such words within a sentence",
    "capitals_plain": "such words outside refusals",
    "capitals_after": "such words after the right name",
    "capitals_share": "share of such words",
    "function": "share of function words",
    "function_last": "function word at the end",
    "hedges": "hedging words",
    "guesses": "words that introduce a guess",
    "speaker": "words of the first person",
    "kind": "words for kinds of things",
    "blank": "blank of the question",
    "lower_case": "answers that are written without capitals",
    "neutral": "negations that deny no name",
    "denies": "negation cues",
}
"""Description of each feature, in the order of the vector."""


def vector(reading: EntityReading) -> list[float]:
    """Return the features of a reply with at least one word, in the order of `FEATURES`."""
    found = {
        **_name_features(reading),
        **_right_features(reading),
        **_place_features(reading),
        **_sentence_features(reading),
        **_word_features(reading),
    }
    return [float(found[name]) for name in FEATURES]


def _name_features(reading: EntityReading) -> Mapping[str, float]:
    sentences, asks = reading.text.sentences, reading.text.asks
    declining = {sentences[start] for start, _ in reading.refusals}
    turn = max([cue.start for cue in reading.cues_of("contrast")], default=len(sentences))
    affirmed = [one.start for one in reading.affirmed]
    capitals = reading.capitals
    return {
        "mentions": len(reading.mentions),
        "covered": len(reading.inside) / len(sentences),
        "affirmed": len(affirmed),
        "affirmed_plain": sum(sentences[i] not in declining | asks for i in affirmed),
        "affirmed_turn": sum(i > turn for i in affirmed),
        "denied": reading.statuses.count("denied"),
        "capitals": len(capitals),
        "capitals_inner": sum(i > 0 and sentences[i - 1] == sentences[i] for i in capitals),
        "capitals_plain": sum(sentences[i] not in declining for i in capitals),
        "capitals_share": len(capitals) / len(sentences),
    }


def _right_features(reading: EntityReading) -> Mapping[str, float]:
    right, others = reading.right_mentions, reading.other_mentions
    status = dict(zip([one.start for one in reading.mentions], reading.statuses, strict=True))
    starts = [one.start for one in right]
    told = [one for one in others if status[one.start] == "affirmed"]
    affirmed = sorted(one.start for one in (*right, *told) if status[one.start] == "affirmed")
    named = {one.start for one in told}
    return {
        "first_affirmed_right": bool(affirmed) and affirmed[0] in starts,
        "last_affirmed_right": bool(affirmed) and affirmed[-1] in starts,
        "right_first_status": bool(starts) and status[starts[0]] == "affirmed",
        "right_last_status": bool(starts) and status[starts[-1]] == "affirmed",
        "right_affirmed": sum(status[start] == "affirmed" for start in starts),
        "right_denied": sum(status[start] == "denied" for start in starts),
        "others": len({one.uris or one.start for one in others}),
        "others_affirmed": len({one.uris or one.start for one in told}),
        "others_depth": min([reading.text.depth[one.start] for one in others], default=-1),
        "others_joined": any(not named.isdisjoint(_joined_to(reading, one)) for one in right),
        "gap": min([abs(one.start - other.end) for one in right for other in others], default=-1),
        "or_beside": any(_is_beside(reading, one, OR) for one in right),
        "and_beside": any(_is_beside(reading, one, AND) for one in right),
        "joined": any(not {*reading.capitals}.isdisjoint(_joined_to(reading, one)) for one in right),
    }


def _place_features(reading: EntityReading) -> Mapping[str, float]:
    right, others, size = reading.right_mentions, reading.other_mentions, len(reading.text)
    first, last, end = (right[0].start, right[-1].start, right[-1].end) if right else (size, size, size)
    turns = [cue.start for cue in reading.cues_of(*_TURNS)]
    return {
        "turn_right": bool(others) and any(others[0].start < at < last for at in turns),
        "turn_other": any(end <= at < one.start for at in turns for one in others),
        "contrast_after": sum(cue.start >= end for cue in reading.cues_of("contrast")),
        "corrects_before": any(cue.start < last for cue in reading.cues_of("corrects")),
        "position": first,
        "relative": first / size,
        "after": size - end,
        "capitals_after": sum(i >= end for i in reading.capitals),
    }


def _sentence_features(reading: EntityReading) -> Mapping[str, float]:
    text, sentences, subject = reading.text, reading.text.sentences, reading.subject_keys
    most = max(len(reading.asked_keys), 1)
    fresh, bare = defaultdict[int, int](int), {*sentences} - text.asks
    new = {*reading.new}
    for i, sentence in enumerate(sentences):
        fresh[sentence] += i in new
        if i not in new and text.words[i] not in _FUNCTION:
            bare.discard(sentence)
    repeated = reading.asked_by_sentence
    of_right = {sentences[one.start] for one in reading.right_mentions}
    affirmed = {one.start for one in reading.affirmed}
    of_others = {sentences[one.start] for one in reading.other_mentions if one.start in affirmed}
    told = fresh.keys() - text.asks
    return {
        "same_sentence": not of_right.isdisjoint(of_others),
        "hits_right": max([len(repeated[one]) for one in of_right], default=-1) / most,
        "hits_other": max([len(repeated[one]) for one in of_others], default=-1) / most,
        "asked": bool(of_right) and text.asks.issuperset(of_right),
        "share": max(map(len, repeated.values()), default=0) / most,
        "subject": max([len(keys & subject) for keys in repeated.values()], default=0),
        "new_with_predicate": max([fresh[one] for one in told if repeated[one] - subject], default=-1),
        "bare_new": any(fresh[one] for one in bare),
        "asks": len(text.asks),
        "asks_last": sentences[-1] in text.asks,
        "first_length": sentences.count(0),
        "last_length": sentences.count(sentences[-1]),
    }


def _word_features(reading: EntityReading) -> Mapping[str, float]:
    text, words, size, inside = reading.text, reading.text.words, len(reading.text), reading.inside
    return {
        "declines": reading.declines,
        "or": any(word in OR for i, word in enumerate(words) if i not in inside),
        "length": size,
        "new": len(reading.new),
        "new_share": len(reading.new) / size,
        "function": sum(word in _FUNCTION for word in words) / size,
        "function_last": words[-1] in _FUNCTION,
        "hedges": sum(word in _HEDGE for word in words),
        "guesses": sum(word in _GUESSES for word in words),
        "speaker": sum(word in _SPEAKER for word in words),
        "kind": sum(word in _KIND for i, word in enumerate(words) if i not in inside),
        "blank": BLANK in text.source,
        "lower_case": reading.index.lower_case(reading.question),
        "neutral": sum(1 for _ in reading.cues_of("neutral")),
        "denies": sum(1 for _ in reading.cues_of("denies", "denied")),
    }


def _is_beside(reading: EntityReading, mention: Mention, links: frozenset[str]) -> bool:
    """Return whether a conjunction is adjacent to a mention."""
    words, start, end = reading.text.words, mention.start, mention.end
    return not links.isdisjoint((*words[max(start - 1, 0) : start], *words[end : end + 1]))


def _joined_to(reading: EntityReading, mention: Mention) -> list[int]:
    """Return the indices of the words that a mark or conjunction joins to a mention in its sentence or list."""
    text, before, after = reading.text, mention.start - 1, mention.end
    found = []
    if after < len(text):
        behind = after + (text.words[after] in LINKS)
        if behind < len(text) and (behind > after or text.mark[after] in _MARKS):
            found.append(behind)
    if before >= 0:
        ahead = before - (text.words[before] in LINKS)
        if ahead >= 0 and (ahead < before or text.mark[mention.start] in _MARKS):
            found.append(next((one.start for one in reading.mentions if one.end == ahead + 1), ahead))
    return [i for i in found if text.sentences[i] == text.sentences[mention.start] or "•" in text.mark[i]]
