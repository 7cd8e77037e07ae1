"""Features for models that decide whether a reply attempts an answer, and whether it commits to the right one."""

from __future__ import annotations

from collections.abc import Collection

from factprobe.evaluators.entities.entity_reading import EntityReading
from factprobe.reading.language import in_order, vocabulary
from factprobe.reading.names.name_tables import NameMention
from factprobe.trees import feature_vector

_OR = frozenset(in_order("link_or"))
_LINKS = frozenset((*in_order("link_and"), "&")) | _OR
"""Words that join two names."""
_MARKS = frozenset((",", ";", "/", "\n", "•", "\n•"))
"""Marks that join two names."""
_FUNCTION = vocabulary("function")
_CONTRASTS = ("corrects", "contrast", "answers", "concludes")

FEATURES = {
    "declines": "phrase of abstention or refusal",
    "covered": "share of the words in names",
    "affirmed": "affirmed names",
    "affirmed_plain": "affirmed names outside refusals and questions",
    "first_affirmed_right": "first affirmed name is right",
    "last_affirmed_right": "last affirmed name is right",
    "right_first_status": "first right name is affirmed",
    "right_last_status": "last right name is affirmed",
    "right_denied": "denied right names",
    "others_joined": "other affirmed name joined to the right one",
    "or": 'occurrence of "or"',
    "or_beside": '"or" beside the right name',
    "turn_right": "cue of a turn between another name and the right one",
    "after": "words after the right name",
    "hits_other": "share of the question's words in a sentence with an affirmed other name",
    "share": "largest share of the question's words in a sentence",
    "asks_last": "question at the end",
    "last_length": "words of the last sentence",
    "new": "content words that the question lacks",
    "new_share": "share of such words",
    "capitals_plain": "capitalised words that the question lacks, outside refusals",
    "capitals_share": "share of capitalised words that the question lacks",
    "function": "share of function words",
    "function_last": "function word at the end",
}
"""Description of each feature, in the order of the vector."""


def vector(reading: EntityReading) -> list[float]:
    """Return the features of a reply with at least one word, in the order of `FEATURES`."""
    return feature_vector({**_name_features(reading), **_word_features(reading)}, FEATURES)


def _name_features(reading: EntityReading) -> dict[str, float]:
    text, right, others = reading.text, reading.right_mentions, reading.other_mentions
    affirmed = [mention.start for mention in reading.affirmed]
    starts = dict.fromkeys(mention.start for mention in right)
    first, last = (right[0].start, right[-1].start) if right else (len(text), len(text))
    affirmed_others, new = {one.start for one in others}.intersection(affirmed), {*reading.capitals}
    answers = [start for start in affirmed if start in starts or start in affirmed_others]
    declining = {text.sentences[start] for start, _ in reading.refusals}
    contrasts = [cue.start for cue in reading.cues if cue.kind in _CONTRASTS]
    repeated = reading.asked_by_sentence
    question_size = max(len(reading.asked_keys), 1)
    denied = {one.start for one, status in zip(reading.mentions, reading.statuses, strict=True) if status == "denied"}
    return {
        "covered": len(reading.inside) / len(text),
        "affirmed": len(affirmed),
        "affirmed_plain": sum(text.sentences[i] not in declining | text.asks for i in affirmed),
        "first_affirmed_right": answers[:1] != [] and answers[0] in starts,
        "last_affirmed_right": answers[:1] != [] and answers[-1] in starts,
        "right_first_status": first in affirmed,
        "right_last_status": last in affirmed,
        "right_denied": len(denied.intersection(starts)),
        "others_joined": any(not affirmed_others.isdisjoint(_joined_to(reading, one)) for one in right)
        or any(not new.isdisjoint(_joined_to(reading, one, "/")) for one in right),
        "or_beside": any(
            not _OR.isdisjoint((*text.words[max(one.start - 1, 0) : one.start], *text.words[one.end : one.end + 1]))
            for one in right
        ),
        "turn_right": others[:1] != [] and any(others[0].start < at < last for at in contrasts),
        "after": len(text) - right[-1].end if right else 0,
        "hits_other": max([len(repeated[text.sentences[i]]) for i in affirmed_others], default=-1) / question_size,
        "capitals_plain": sum(text.sentences[i] not in declining for i in reading.capitals),
        "share": max(map(len, repeated.values()), default=0) / question_size,
    }


def _word_features(reading: EntityReading) -> dict[str, float]:
    text, words, size, inside = reading.text, reading.text.words, len(reading.text), reading.inside
    return {
        "declines": reading.declines,
        "or": not _OR.isdisjoint(words) and any(word in _OR for i, word in enumerate(words) if i not in inside),
        "asks_last": text.sentences[-1] in text.asks,
        "last_length": text.sentences.count(text.sentences[-1]),
        "new": len(reading.new),
        "new_share": len(reading.new) / size,
        "capitals_share": len(reading.capitals) / size,
        "function": sum(map(_FUNCTION.__contains__, words)) / size,
        "function_last": words[-1] in _FUNCTION,
    }


def _joined_to(reading: EntityReading, mention: NameMention, marks: Collection[str] = _MARKS) -> list[int]:
    """Return the indices of the words that a mark or conjunction joins to a mention, within its sentence."""
    text, before, after = reading.text, mention.start - 1, mention.end
    words = []
    if after < len(text):
        next_word = after + (text.words[after] in _LINKS)
        if next_word < len(text) and (next_word > after or text.mark[after] in marks):
            words.append(next_word)
    if before >= 0:
        previous_word = before - (text.words[before] in _LINKS)
        if previous_word >= 0 and (previous_word < before or text.mark[mention.start] in marks):
            words.append(reading.starts_by_end.get(previous_word + 1, previous_word))
    return [i for i in words if text.sentences[i] == text.sentences[mention.start]]
