"""Mentions of options in a reply: by letter, text, alias, other form or position."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from string import ascii_uppercase
from typing import Literal, NamedTuple

from factprobe.reading.formulas import differs, formula_of
from factprobe.reading.language import phrases, table, vocabulary
from factprobe.reading.names.forms import unique_forms
from factprobe.reading.names.index import GIVEN, EntityIndex, answers_of
from factprobe.reading.names.tables import Mention as Name
from factprobe.reading.names.tables import NameTable, find
from factprobe.reading.names.typed import typed_mentions
from factprobe.reading.names.whole import is_whole
from factprobe.reading.values import value_of
from factprobe.reading.words import Text, name_words
from factprobe.records import Entity, Question

By = Literal["letter", "text", "position", "none"]
"""How a mention names an option; `none` says that no option is right."""


class Mention(NamedTuple):
    """Mention of options in a reply."""

    start: int
    """Index of the first character."""
    end: int
    """Index of the character after the last."""
    options: frozenset[int]
    """Numbers of the options, from 0; several if a text belongs to several, or if letter and text disagree."""
    by: By


_LETTER = re.compile(
    r"(?P<open>[(\[{]\s?)?(?<![A-Za-zÀ-ɏ0-9'’&])(?<![K-Zk-z]/)(?P<letter>[A-Za-z])(?![A-Za-zÀ-ɏ0-9]|['’&]\w|-\w)(?P<close>\s?[)\]}])?"
)
_NOUN = re.compile(rf"(?:{phrases('option_noun')})\W*(?:(?:{phrases('option_is')})\W*)?$", re.IGNORECASE)
_NEXT_WORD = re.compile(r"[ \t]+(?P<word>[^\W\d_]+)")
_WORD_BEFORE = re.compile(r"(?:(?P<start>^|[.!?:;,(\n]\s*))?(?P<word>[^\W\d_]+)[ \t]$")
_STARTS_LINE = re.compile(r"(?:^|\n|[.!?:;])[\s*•]*$")
_INITIAL = re.compile(r"\.\s?(?P<word>[A-Z]\w*)")
_SHORT = 60
"""Maximal number of characters of a reply in which a small letter without a mark names an option."""
_NEAR = 40
"""Number of characters before a letter that are searched for the words before it."""
_ORDINALS = {word: int(number) - 1 for number, words in table("option_place").items() for word in words}
_PLACES = _ORDINALS | {word: int(number) - 1 for number in table("option_place") for word in table("number")[number]}
_LAST = vocabulary("option_last")
_COUNTED = phrases("option_noun")
_POSITION = re.compile(
    rf"\b(?:(?P<nth>{'|'.join([*_PLACES, *_LAST])})\s+(?:{_COUNTED})|"
    rf"(?:(?:{_COUNTED})(?<!s)\s*(?:(?:{phrases('option_is')})\s*)?:?\s*|#\s?|\bno\.\s?)#?(?P<number>\d{{1,2}}|{'|'.join(_PLACES)})|"
    rf"the\s+(?P<alone>{'|'.join([*_ORDINALS, *_LAST])})(?!\s+(?!of\b)\w))\b(?!\s*[\w.]*\d)",
    re.IGNORECASE,
)
_POSITION_ALONE = re.compile(rf"\W*(?P<nth>\d{{1,2}}|{'|'.join([*_PLACES, *_LAST])})\W*", re.IGNORECASE)
_BRACKET = re.compile(r"([^()]*\w[^()]*?)\s+\(([^()]*[^\W\d][^()]*)\)")
_ARTICLE = rf"(?:(?:{'|'.join(sorted(vocabulary('article')))})\s+)?"
_JOIN = re.compile(rf"[\s()\]:.,\-–—*_\"'“”«»]*{_ARTICLE}", re.IGNORECASE)
_DISAGREE = re.compile(rf"\s*[()\]:*]+[\s*]*{_ARTICLE}", re.IGNORECASE)


def mentions_in(text: Text, index: EntityIndex, question: Question, shown: Sequence[str]) -> list[Mention]:
    """Return the mentions of options from left to right; a letter next to a text is one mention with it."""
    texts = _texts_in(text, index, question, shown) or _values_in(text, question) or _other_forms_in(text, question)
    none, every = _which(shown, _NONE, question.none, -1), _which(shown, _ALL, "", -2)
    texts = [one._replace(by="none") if one.options == {none} else one for one in texts]
    letters = _letters_in(text.source, texts, shown)
    found = _joined(text.source, sorted([*texts, *letters, *_none_in(text.source, texts, none, every)]))
    return found or positions_in(text.source, shown)


def _texts_in(text: Text, index: EntityIndex, question: Question, shown: Sequence[str]) -> list[Mention]:
    """Return the longest names of options at each place, without those within a name that the question gives."""
    given = index.asked_about(question)
    tables = [_texts(shown), *_aliases(index, question)]
    if given:
        tables.append(_given(given.names()))
    names = [Name(start, end, uris - GIVEN) for start, end, uris in find(tables, text) if uris != GIVEN]
    starts = {name.start for name in names}
    whole = [_mention(text, name) for name in names if is_whole(text, name, starts)]
    return _told_apart(text.source, whole, shown)


def _told_apart(source: str, found: list[Mention], shown: Sequence[str]) -> list[Mention]:
    """Return the mentions with those of formulas, which signs and order tell apart (-3 and 3)."""
    patterns = {i: pattern for i, one in enumerate(shown) if (pattern := formula_of(one)) is not None}
    whole = [
        Mention(*place.span(), frozenset((i,)), "text")
        for i, pattern in patterns.items()
        for place in pattern.finditer(source)
    ]
    others = []
    for one in found:
        if any(one.start < formula.end and formula.start < one.end for formula in whole):
            continue
        said = source[one.start : one.end]
        options = one.options - patterns.keys()
        if len(options) > 1:
            options = frozenset(i for i in options if not differs(said, shown[i])) or options
        if options:
            others.append(one._replace(options=options))
    return [*others, *whole]


def _mention(text: Text, name: Name) -> Mention:
    start, end = text.span(name.start)[0], text.span(name.end - 1)[1]
    return Mention(start, max(end, start), frozenset(map(int, name.uris)), "text")


@lru_cache(maxsize=1 << 10)
def _texts(shown: tuple[str, ...]) -> NameTable:
    """Return the texts of options, also without what stands in brackets after them."""
    names: list[tuple[str, list[str]]] = []
    for i, one in enumerate(shown):
        bracketed = _BRACKET.fullmatch(one)
        names.append((str(i), [one, *(bracketed.groups() if bracketed else ())]))
    return NameTable(names)


@lru_cache(maxsize=1 << 10)
def _given(names: tuple[str, ...]) -> NameTable:
    return NameTable([("", names)])


def _aliases(index: EntityIndex, question: Question) -> list[NameTable]:
    """Return the aliases of options that are no option's text."""
    side, texts = index.sought(question), _texts(question.choices).uris
    names: list[tuple[str, list[str]]] = []
    for i, choice in enumerate(question.choices):
        same = [side.entities[uri] for uri in side.names.bearers(" ".join(name_words(choice)))]
        aliases = [one.aliases for one in (*same, *answers_of(question)) if one.aliases and one.label == choice]
        own = [name for names in aliases for name in names if " ".join(name_words(name)) not in texts]
        if own:
            names.append((str(i), own))
    return [NameTable(names)] if names else []


def _values_in(text: Text, question: Question) -> list[Mention]:
    """Return mentions of options that are dates or numbers, however they are written."""
    values = {str(i): [value] for i, choice in enumerate(question.choices) if (value := value_of(choice))}
    if len(values) < len(question.choices):
        return []
    return [_mention(text, name) for name in typed_mentions(text, values) if name.uris]


def _other_forms_in(text: Text, question: Question) -> list[Mention]:
    """Return mentions by a surname or another unique form."""
    forms = find([_forms(question.choices)], text)
    return [_mention(text, Name(start, end, uris)) for start, end, uris in forms]


@lru_cache(maxsize=1 << 10)
def _forms(choices: tuple[str, ...]) -> NameTable:
    options = {str(i): Entity(str(i), choice) for i, choice in enumerate(choices)}
    forms = unique_forms(options, {" ".join(name_words(choice)) for choice in choices})
    return NameTable((bearer.uri, (form,)) for form, bearer in forms.items())


def _letters_in(source: str, texts: Sequence[Mention], shown: Sequence[str]) -> Iterator[Mention]:
    """Yield the letters that name an option; not articles, initials, and parts of names."""
    at = {one.start: one.options for one in texts}
    inside = [(one.start, one.end) for one in texts if one.end - one.start > 1]
    own = _letters_of(tuple(shown)) if texts else frozenset()
    for found in _LETTER.finditer(source):
        number = ascii_uppercase.find(found["letter"].upper())
        place = found.start("letter")
        if number >= len(shown) or any(start <= place < end for start, end in inside):
            continue
        if _is_marked(source, found) or (found["letter"] not in own and _is_option(source, found, at)):
            start = found.start() if found["close"] else place
            end = found.end() if found["close"] else place + 1
            yield Mention(start, end, frozenset((number,)), "letter")


@lru_cache(maxsize=1 << 10)
def _letters_of(shown: tuple[str, ...]) -> frozenset[str]:
    """Return the letters that are words of options (Vitamin B)."""
    return frozenset(found["letter"] for one in shown if len(one) > 1 for found in _LETTER.finditer(one))


def _is_marked(source: str, found: re.Match[str]) -> bool:
    """Return whether a bracket, the start of a line with a mark, or a word for options shows that a letter is one."""
    before, place = source[max(found.start() - _NEAR, 0) : found.start()], found.end("letter")
    if found["close"] and (found["open"] or not before[-1:].isalnum()):
        return True
    if _STARTS_LINE.search(before) and source[place : place + 1] in (".", ":", "", "\n"):
        return True
    return bool(_NOUN.search(before)) and _ends_phrase(source, place, found["letter"])


def _is_option(source: str, found: re.Match[str], texts: Mapping[int, frozenset[int]]) -> bool:
    """Return whether a letter without a mark names an option."""
    letter, place = found["letter"], found.end("letter")
    before = source[max(found.start() - _NEAR, 0) : found.start()]
    if letter.islower() and (len(source) > _SHORT or letter == "i"):
        return False
    word = _WORD_BEFORE.search(before)
    if word and word["start"] is None and word["word"][0].isupper() and len(before) > len(word["word"]) + 1:
        return False
    initial = _INITIAL.match(source, place)
    if initial and initial["word"].lower() not in vocabulary("function") and not _STARTS_LINE.search(before):
        return False
    if _ends_phrase(source, place, letter):
        return letter != "a" or not source[place : place + 2].strip(" .!")
    after = _NEXT_WORD.match(source, place)
    options = texts.get(after.start("word"), frozenset()) if after and letter.isupper() else frozenset()
    return bool(options) and (letter != "A" or 0 in options)  # else it is an article: a violin


def _ends_phrase(source: str, place: int, letter: str) -> bool:
    """Return whether what follows a letter is no noun, of which "a" would be the article."""
    after = _NEXT_WORD.match(source, place)
    if after is None:
        return True
    word = after["word"]
    if letter in "Ii":
        return False
    is_verb = word.islower() and word.endswith("s") and not word.endswith("ss")
    return word.lower() in vocabulary("function", "option_link") or is_verb or (letter not in "Aa" and word == word.lower())


def _none_in(source: str, texts: Iterable[Mention], none: int, every: int) -> Iterator[Mention]:
    """Yield what says that none of the options is right, or all are, with the option that says so."""
    taken = [(one.start, one.end) for one in texts]
    for pattern, number in ((_NONE, none), (_ALL, every)):
        for found in pattern.finditer(source):
            if not any(start < found.end() and found.start() < end for start, end in taken):
                yield Mention(*found.span(), frozenset((number,)), "none")


_GOES_ON = rf"(?=\W*(?:$|[.,;:!?\n]|(?:{phrases('option_none_goes_on')})\b))"
_NONE = re.compile(rf"\b(?:{phrases('option_none')}){_GOES_ON}", re.IGNORECASE)
_ALL = re.compile(rf"(?<!of )\b(?:{phrases('option_all')}){_GOES_ON}", re.IGNORECASE)


def _which(shown: Sequence[str], pattern: re.Pattern[str], text: str, default: int) -> int:
    """Return the number of the option that a pattern or a text is of, or a default."""
    found = [i for i, one in enumerate(shown) if one == text or pattern.fullmatch(one)]
    return found[0] if len(found) == 1 else default


def _joined(source: str, found: Sequence[Mention]) -> list[Mention]:
    """Return the mentions with a letter and the text next to it as one."""
    joined: list[Mention] = []
    for one in found:
        last = joined[-1] if joined else None
        if last is None or one.start < last.end:
            if last is None:
                joined.append(one)
            continue
        gap = source[last.end : one.start]
        same = last.options & one.options
        is_pair = "letter" in (last.by, one.by) and last.by != one.by
        ends = last.by == "letter" or source[one.start] in "([{"
        lead = source[last.end - 1] + gap if last.by == "letter" else ""
        disagrees = is_pair and not same and _DISAGREE.fullmatch(lead.lstrip(ascii_uppercase)) is not None
        if is_pair and ((same and ends and _JOIN.fullmatch(gap)) or disagrees):
            joined[-1] = Mention(last.start, one.end, same or last.options | one.options, "letter")
        else:
            joined.append(one)
    return joined


def positions_in(source: str, shown: Sequence[str]) -> list[Mention]:
    """Return the options that are named by their position: the second option, option 2, the last."""
    alone = _POSITION_ALONE.fullmatch(source)
    places = [alone] if alone else [*_POSITION.finditer(source)]
    found = []
    for place in places:
        word = next(group for group in place.groups() if group).lower()
        number = len(shown) - 1 if word in _LAST else int(word) - 1 if word.isdigit() else _PLACES[word]
        if 0 <= number < len(shown):
            found.append(Mention(*place.span(), frozenset((number,)), "position"))
    return found
