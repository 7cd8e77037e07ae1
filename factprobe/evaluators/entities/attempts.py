"""Model that decides whether a reply attempts an answer, or declines, asks back, or only talks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING

from factprobe.reading.language import vocabulary
from factprobe.trees import load_trees

if TYPE_CHECKING:
    from factprobe.evaluators.entities.reading import EntityReading

_FUNCTION, _HEDGE, _KIND = vocabulary("function"), vocabulary("hedge"), vocabulary("kind")
_SPEAKER, _GUESSES, _ARTICLES = vocabulary("speaker"), vocabulary("guess"), vocabulary("article")
_MOST = 0.9
"""Share of the question's content words that a sentence has which repeats the question with an answer."""
_BLANK = "__"
_FAR = 99

FEATURES = {
    "declines": "phrase of abstention or refusal",
    "affirmed": "affirmed names",
    "affirmed_plain": "affirmed names outside refusals and questions",
    "affirmed_turn": 'affirmed names after the last "but"',
    "denied": "denied names",
    "mentions": "names",
    "covered": "share of the words in names",
    "new": "content words that the question lacks",
    "new_share": "share of such words",
    "new_in_full": "most such words in a sentence that repeats the question",
    "new_with_predicate": "most such words in a sentence with a word of the question's predicate",
    "capitals": "capitalised words that the question lacks",
    "capitals_inner": "such words within a sentence",
    "capitals_plain": "such words outside refusals",
    "capitals_turn": 'such words after the last "but"',
    "bare_new": "sentence of nothing but new words",
    "bare_length": "length of the shortest such sentence",
    "share": "largest share of the question's words in a sentence",
    "subject": "words of the question's subject in a sentence",
    "function": "share of function words",
    "hedges": "hedging words",
    "guesses": "words that introduce a guess",
    "speaker": "words of the first person",
    "article_new": "article before a new word",
    "kind": "words for kinds of things",
    "asks": "questions",
    "asks_last": "question at the end",
    "function_last": "function word at the end",
    "blank": "blank of the question",
    "lower_case": "answers that are written without capitals",
    "first_capital": "capital at the beginning",
    "length": "words",
    "first_length": "words of the first sentence",
    "last_length": "words of the last sentence",
    "neutral": "negations that deny no name",
    "denies": "negation cues",
}
"""Description of each feature, in the order of the vector."""


def is_attempt(reading: EntityReading) -> bool:
    """Return whether a reply attempts an answer."""
    if not len(reading.text):
        return False
    if is_clear_attempt(reading):
        return True
    model = load_trees("factprobe.evaluators.entities", tuple(FEATURES))
    return model.predict(vector(reading)).probability >= model.thresholds["balanced"]


def is_clear_attempt(reading: EntityReading) -> bool:
    """Return whether a reply gives names without any cue, or repeats the question with an answer."""
    return reading.is_only_names or reading.is_plain or restates_question(reading)


def restates_question(reading: EntityReading) -> bool:
    """Return whether a sentence repeats the question with something in the place that is asked for."""
    text, asked = reading.text, reading.asked_keys
    if not asked or text.words[-1] in _FUNCTION or _BLANK in text.source or reading.declines:
        return False
    repeated = _asked_by_sentence(reading)
    passed = _FUNCTION | _KIND
    extra = {
        text.sentences[i]
        for i, key in enumerate(reading.tokens.keys)
        if key not in asked and text.words[i] not in passed
    }
    return any(len(repeated[one]) >= _MOST * len(asked) for one in extra - text.asks)


def vector(reading: EntityReading) -> list[float]:
    """Return the features of a reply, which must have a word, in the order of `FEATURES`."""
    found = {**_name_features(reading), **_sentence_features(reading), **_word_features(reading)}
    return [float(found[name]) for name in FEATURES]


def _name_features(reading: EntityReading) -> Mapping[str, float]:
    text, capitals, sentences = reading.text, reading.capitals, reading.text.sentences
    declining = {sentences[start] for start, _ in reading.refusals}
    turn = max([cue.start for cue in reading.cues_of("contrast")], default=len(text))
    affirmed = [one.start for one in reading.affirmed]
    return {
        "affirmed": len(affirmed),
        "affirmed_plain": sum(sentences[i] not in declining | text.asks for i in affirmed),
        "affirmed_turn": sum(i > turn for i in affirmed),
        "denied": reading.statuses.count("denied"),
        "mentions": len(reading.mentions),
        "covered": len(reading.inside) / len(text),
        "capitals": len(capitals),
        "capitals_inner": sum(i > 0 and sentences[i - 1] == sentences[i] for i in capitals),
        "capitals_plain": sum(sentences[i] not in declining for i in capitals),
        "capitals_turn": sum(i > turn for i in capitals),
    }


def _sentence_features(reading: EntityReading) -> Mapping[str, float]:
    text, asked, subject = reading.text, reading.asked_keys, reading.subject_keys
    spans: dict[int, list[int]] = defaultdict(list)
    fresh: dict[int, int] = defaultdict(int)
    for i, sentence in enumerate(text.sentences):
        spans[sentence].append(i)
    for i in reading.new:
        fresh[text.sentences[i]] += 1
    new, named = set(reading.new), {text.sentences[one.start] for one in reading.mentions}
    repeated = _asked_by_sentence(reading)
    told = spans.keys() - text.asks
    full = [one for one in told if len(repeated[one]) >= 0.8 * len(asked)]
    bare = [one for one in fresh if one in told and all(i in new or text.words[i] in _FUNCTION for i in spans[one])]
    return {
        "new_in_full": max([fresh[one] + (one in named) for one in full], default=-1),
        "new_with_predicate": max([fresh[one] for one in told if repeated[one] - subject], default=-1),
        "bare_new": bool(bare),
        "bare_length": min([len(spans[one]) for one in bare if new.issuperset(spans[one])], default=_FAR),
        "share": max(map(len, repeated.values()), default=0) / max(len(asked), 1),
        "subject": max([len(keys & subject) for keys in repeated.values()], default=0),
        "asks": len(text.asks),
        "asks_last": text.sentences[-1] in text.asks,
        "first_length": text.sentences.count(0),
        "last_length": text.sentences.count(text.sentences[-1]),
    }


def _word_features(reading: EntityReading) -> Mapping[str, float]:
    text, words, size = reading.text, reading.text.words, len(reading.text)
    return {
        "declines": reading.declines,
        "new": len(reading.new),
        "new_share": len(reading.new) / size,
        "function": sum(word in _FUNCTION for word in words) / size,
        "hedges": sum(word in _HEDGE for word in words),
        "guesses": sum(word in _GUESSES for word in words),
        "speaker": sum(word in _SPEAKER for word in words),
        "article_new": any(i and words[i - 1] in _ARTICLES for i in reading.new),
        "kind": sum(word in _KIND for i, word in enumerate(words) if i not in reading.inside),
        "function_last": words[-1] in _FUNCTION,
        "blank": _BLANK in text.source,
        "lower_case": reading.index.lower_case(reading.question),
        "first_capital": text.capital[0],
        "length": size,
        "neutral": sum(1 for _ in reading.cues_of("neutral")),
        "denies": sum(1 for _ in reading.cues_of("denies", "denied")),
    }


def _asked_by_sentence(reading: EntityReading) -> dict[int, set[str]]:
    """Return the keys of the question in each sentence."""
    found: dict[int, set[str]] = defaultdict(set)
    for key, sentence in zip(reading.tokens.keys, reading.text.sentences, strict=True):
        if key in reading.asked_keys:
            found[sentence].add(key)
    return found
