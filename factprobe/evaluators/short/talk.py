"""Replies without a name that the graph knows: talk, or an answer that it does not know."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection

from factprobe.reading.abstention import declines
from factprobe.reading.language import in_order, phrases, vocabulary
from factprobe.reading.names.regions import is_region
from factprobe.reading.phrasing import Phrases
from factprobe.reading.reading import Reading
from factprobe.reading.stance.clauses import stem
from factprobe.reading.values import is_ordinal, values_in
from factprobe.reading.words import Text

_GUESSES = Phrases(phrases("short_guesses"))
_BUT = re.compile(rf"(?<= )(?:{'|'.join(in_order('but'))}) ")
_TALK = 3
"""New words from which a reply without a name is talk rather than an answer that the graph does not know."""
_MOST = 0.9
"""Share of the question's words that a sentence has which says the same with something in the blank."""
_BLANK = "__"
_FUNCTION, _KIND = vocabulary("function"), vocabulary("kind")
_COMMON, _EMPTY = vocabulary("function", "hedge", "kind"), vocabulary("function", "hedge", "exclamation")
_YOU = vocabulary("you")
_COPULAS = vocabulary("copula")
_ARTICLES = vocabulary("description_article")
_NAMED = vocabulary("description_named")
_BREAKS_OFF = vocabulary("breaks_off")
"""A reply that ends in one of these was cut off."""


def says_nothing(reading: Reading) -> bool:
    """Whether a reply names nothing: it repeats the question, asks back, or only talks."""
    text, asked = reading.text, reading.asked.echoes
    if not len(text):
        return True
    said = [i for i, word in enumerate(text.words) if word not in _EMPTY]
    rest = [i for i in said if text.words[i] not in asked]
    repeats = len(rest) < len(said)
    if not rest or (repeats and all(text.words[i] in _KIND for i in rest)):
        return bool(said) or not _is_title(text)
    if _asks_back(text) or (text.words[-1] in _BREAKS_OFF and len(text) > 1) or describes(reading):
        return True
    if reading.values:
        return (repeats or len(text) >= 2 * _TALK) and _has_no_value(text, rest)
    if len(rest) < _TALK and (repeats or len(text) < 2 * _TALK):
        return False
    named = any(text.capital[i] and not _is_adjective(text, i) for i in rest)
    return text.capital[0] and not reading.index.lower_case(reading.question) and not named


def fills_in(reading: Reading) -> bool:
    """Whether a reply says the sentence that it is asked about with something in the place that is asked for.

    A sentence of it has most of the question's words that say something, and more words than these which are no kinds
    of things; it does not break off.
    """
    own = Counter(stem(word) for word in reading.asked.words if word not in _FUNCTION)
    text = reading.text
    if not len(text) or reading.values or _BLANK in text.source or text.words[-1] in _BREAKS_OFF:
        return False
    sentences: dict[int, Counter[str]] = {}
    for word, number in zip(text.words, text.sentences, strict=True):
        if word not in _FUNCTION and number not in text.asks and (word not in _KIND or stem(word) in own):
            sentences.setdefault(number, Counter())[stem(word)] += 1
    return any(
        (own & said).total() >= _MOST * own.total() > 0 and said.total() > (own & said).total()
        for said in sentences.values()
    )


def _is_title(text: Text) -> bool:
    """Whether words that say nothing have a capital each, as those of a title: Let It Be."""
    return len(text) >= _TALK and all(text.capital) and not any(text.mark) and not text.source.isupper()


def _asks_back(text: Text) -> bool:
    """Whether a reply ends in a question to whoever asks."""
    return text.sentences[-1] in text.asks and not _YOU.isdisjoint(text.words)


def _has_no_value(text: Text, rest: list[int]) -> bool:
    """Whether there is no number, year or date in a reply; "first" is none, nor are figures of the question."""
    figures = any(character.isdigit() for i in rest for character in text.words[i])
    return not figures and all(is_ordinal(text.source[value.start : value.end]) for value in values_in(text.source))


def _is_adjective(text: Text, i: int) -> bool:
    """Whether a word in capitals goes with the one behind it: a German composer."""
    after = i + 1
    return after < len(text) and not text.mark[after] and not text.capital[after] and text.words[after] not in _FUNCTION


def describes(reading: Reading) -> bool:
    """Whether a reply says what the subject is, and nothing of what was asked: Mali is a country in Africa."""
    text, asked, turns_on = reading.text, reading.question_words, reading.template_stems
    copula = next((i for i, word in enumerate(text.words) if word in _COPULAS), 0)
    if not (0 < copula < len(text) - 1 and text.words[copula + 1] in _ARTICLES):
        return False
    new = [word for word in text.words[:copula] if word not in _FUNCTION]
    speaks_of_it = bool(new) and all(word in asked for word in new)
    if not turns_on.isdisjoint(map(stem, new)) and _gives_name(text, copula, asked):
        return False
    return speaks_of_it and bool(turns_on) and turns_on.isdisjoint(stem(word) for word in text.words[copula:])


def _gives_name(text: Text, copula: int, asked: Collection[str]) -> bool:
    """Whether a name stands behind a word that gives one: the capital is a city named Springfield."""
    return any(
        text.words[i - 1] in _NAMED and text.capital[i] and not text.mark[i] and text.words[i] not in asked
        for i in range(copula + 2, len(text))
    )


def guesses(reading: Reading, outside: Collection[int] = ()) -> bool:
    """Whether a reply names something that the graph does not know: I am not sure, but I think it was Berlin.

    Args:
        reading: of the reply.
        outside: words that are not looked at; then a country, which only says where something lies, is no guess.
    """
    text, asked = reading.text, reading.question_words
    near = {stem(text.words[i]) for i in outside}
    new = [
        i for i, word in enumerate(text.words) if word not in asked and word not in _COMMON and stem(word) not in near
    ]
    if not new:
        return False
    places = list(zip(text.items, text.depth, strict=True))
    spans: dict[tuple[int, int], list[int]] = {}
    for i in new:
        spans.setdefault(places[i], []).append(i)
    return any(
        _is_guess(reading, [i for i, at in enumerate(places) if at == place], here, outside)
        for place, here in spans.items()
    )


def _is_guess(reading: Reading, span: list[int], new: list[int], outside: Collection[int]) -> bool:
    """Whether the words of an item are an unknown name, or guess at one.

    Args:
        reading: of the reply.
        span: the words, by their number.
        new: those of them that are neither the question's nor common, nor only repeated: "German (Germany)".
        outside: words that are not looked at; where there are some, a country is no guess.
    """
    text, lower_case = reading.text, reading.index.lower_case(reading.question)
    names = [i for i in new if (text.capital[i] and (i > span[0] or len(new) == len(span))) or lower_case]
    if not names or (outside and is_region(text.words[i] for i in names)):
        return False
    words = [text.words[i] for i in span]
    if not (_YOU.isdisjoint(words) and set(span).isdisjoint(outside)):
        return False
    flat = " ".join(words)
    bare = len(new) == len(names) and len(span) <= 4 and not declines(flat)
    after = _BUT.split(flat)[-1]
    return bare or (_GUESSES.search(after) is not None and not declines(after))
