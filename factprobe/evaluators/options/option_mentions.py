"""Mentions of options in a reply, by letter, text, alias or position."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from string import ascii_uppercase

from factprobe.evaluators.places import OptionMention
from factprobe.reading.answer_leak import own_text
from factprobe.reading.language import phrases, table, vocabulary
from factprobe.reading.names.acronyms import acronym_table, common_names, is_acronym
from factprobe.reading.names.boundaries import is_whole
from factprobe.reading.names.index import EntityIndex, answers_of
from factprobe.reading.names.name_tables import NameMention as Name
from factprobe.reading.names.name_tables import find, find_names
from factprobe.reading.names.value_mentions import value_mentions
from factprobe.reading.tokenisation.tokenised_text import Text
from factprobe.reading.tokenisation.words import name_words
from factprobe.reading.values.value_parsing import value_of
from factprobe.records import Question

NONE_RIGHT, ALL_RIGHT = -1, -2
"""Option numbers that stand for "none is right" and "all are right", if no option has this text."""


_LATIN = "A-Za-zÀ-ɏ0-9"
_LETTER = re.compile(
    rf"(?P<open>[(\[{{]\s?)?(?<![{_LATIN}'’&])(?<![K-Zk-z]/)(?P<letter>[A-Za-z])"
    rf"(?![{_LATIN}]|['’&]\w|-\w)(?P<close>\s?[)\]}}])?"
)
_NEXT_WORD = re.compile(r"[ \t]+(?P<word>[^\W\d_]+)")
_MAX_MENTIONS = 100
"""Maximum number of mentions; of more, mentions in the middle are left out."""
_ORDINALS = {word: int(number) - 1 for number, words in table("option_place").items() for word in words}
_CARDINALS = {word: int(number) for number in table("option_place") for word in table("number")[number]}
_NUMBERS = [*_ORDINALS, *_CARDINALS]
_LAST = vocabulary("option_last")
_POSITION = re.compile(
    rf"\b(?:(?P<nth>{'|'.join([*_NUMBERS, *_LAST])})\s+(?:{phrases('option_noun')})|"
    rf"(?:(?:{phrases('option_noun')})(?<!s)\s*(?:(?:{phrases('option_is')})\s*)?:?\s*|#\s?)"
    rf"#?(?P<number>\d{{1,2}}|{'|'.join(_NUMBERS)})|"
    rf"(?:{'|'.join(sorted(vocabulary('article')))})\s+"
    rf"(?P<alone>{'|'.join([*_ORDINALS, *_LAST])})(?!\s+(?!of\b)\w))\b(?!\s*[\w.]*\d)"
)
"""Pattern of a position in lower case, which takes a third of the time of one that ignores case."""
_POSITION_ALONE = re.compile(rf"\W*(?P<nth>\d{{1,2}}|{'|'.join([*_NUMBERS, *_LAST])})\W*")
_ARTICLE = rf"(?:(?:{'|'.join(sorted(vocabulary('article')))})\s+)?"
_JOIN = re.compile(rf"[\s()\]:.,\-–—*_\"'“”«»]*{_ARTICLE}", re.IGNORECASE)
_DISAGREE = re.compile(rf"\s*[()\]:*=]+[\s*]*{_ARTICLE}", re.IGNORECASE)
_GOES_ON = rf"(?=\W*(?:$|[.,;:!?\n]|(?:{phrases('option_none_goes_on')})\b))"
_NONE = re.compile(rf"\b(?:{phrases('option_none')}){_GOES_ON}", re.IGNORECASE)
_ALL = re.compile(rf"(?<!of )\b(?:{phrases('option_all')}){_GOES_ON}", re.IGNORECASE)


def mentions_in(text: Text, index: EntityIndex, question: Question, options: tuple[str, ...]) -> list[OptionMention]:
    """Return the mentions of options from left to right; a letter and the text next to it are one mention."""
    source = text.source
    none, every = _number_of(_NONE, options, NONE_RIGHT, question.none), _number_of(_ALL, options, ALL_RIGHT)
    found = [one._replace(by="none") if one.options == {none} else one for one in _texts_in(text, index, question)]
    found += _letters_in(source, len(options))
    for pattern, number in ((_NONE, none), (_ALL, every)):
        found += [OptionMention(*match.span(), frozenset((number,)), "none") for match in pattern.finditer(source)]
    found += _positions_in(source, len(options), question.first_number, is_alone=not found)
    found = _join_mentions(source, sorted(found))
    return found if len(found) <= _MAX_MENTIONS else [*found[: _MAX_MENTIONS // 2], *found[-_MAX_MENTIONS // 2 :]]


def _positions_in(source: str, count: int, first: int, *, is_alone: bool) -> Iterator[OptionMention]:
    """Yield the mentions of options by position or number; beside other mentions, only ordinals with a noun count."""
    lowered = source.lower() if len(source.lower()) == len(source) else source
    alone = _POSITION_ALONE.fullmatch(lowered)
    for place in (alone,) if alone else _POSITION.finditer(lowered):
        word = next(group for group in place.groups() if group)
        if not is_alone and (place["nth"] is None or word not in _ORDINALS):
            continue
        if (number := count - 1 if word in _LAST else _ORDINALS.get(word)) is None:
            number = (int(word) if word.isdigit() else _CARDINALS[word]) - first
        if 0 <= number < count:
            yield OptionMention(*place.span(), frozenset((number,)), "position")


def _texts_in(text: Text, index: EntityIndex, question: Question) -> Iterator[OptionMention]:
    """Yield the mentions of options by text or alias, the longest at each place; without any, by acronym or value."""
    choices = question.choices
    names = [Name(*found) for found in find_names(_names_of(index, question), text)]
    starts = {name.start for name in names}
    names = [name for name in names if is_whole(text, name, starts)]
    named = ((str(i), (choice,)) for i, choice in enumerate(choices))
    found = () if names else find([acronym_table(text, named, own_text(question))], text)
    names = names or [Name(start, end, uris) for start, end, uris in found if is_acronym(text, start)]
    if not names and all(values := [value_of(choice) for choice in choices]):
        by_number = {str(i): [value] for i, value in enumerate(values) if value}
        names = [name for name in value_mentions(text, by_number) if name.uris]
    for name in names:
        start, end = text.starts[name.start], text.ends[name.end - 1]
        options = frozenset(map(int, name.uris))
        as_written = frozenset(i for i in options if text.source.startswith(choices[i], start))  # n and N
        yield OptionMention(start, end, as_written or options, "text")


def _names_of(index: EntityIndex, question: Question) -> Iterator[tuple[str, list[str]]]:
    """Yield the number, text and aliases of each option, without aliases that are the text of an option."""
    side, texts = index.sought(question), [name_words(choice) for choice in question.choices]
    for i, (choice, words) in enumerate(zip(question.choices, texts, strict=True)):
        same = (*(side.entities[uri] for uri in side.names.bearers(" ".join(words))), *answers_of(question))
        aliases = [alias for one in same if one.label == choice for alias in one.aliases]
        yield (
            str(i),
            [choice, *(name for name in (*aliases, *common_names((choice,))) if name_words(name) not in texts)],
        )


def _letters_in(source: str, count: int) -> Iterator[OptionMention]:
    """Yield the mentions of options by letter; articles are left out."""
    for match in _LETTER.finditer(source):
        number = ascii_uppercase.find(match["letter"].upper())
        if number < count and _is_option(source, match):
            span = match.span() if match["close"] else match.span("letter")
            yield OptionMention(*span, frozenset((number,)), "letter")


def _is_option(source: str, match: re.Match[str]) -> bool:
    """Return whether a letter names an option, and is no article or pronoun."""
    letter, end = match["letter"], match.end("letter")
    after = _NEXT_WORD.match(source, end)
    is_article = letter == "a" and source[end : end + 2].strip(" .!")
    if match["close"] or is_article or after is None:
        return bool(match["close"]) or not is_article
    word = after["word"]
    is_verb = word.endswith("s") and not word.endswith("ss")
    is_other = letter not in "Aa" and word == word.lower()
    return letter not in "Ii" and (word.lower() in vocabulary("function", "option_link") or is_verb or is_other)


@lru_cache(maxsize=1 << 10)
def _number_of(pattern: re.Pattern[str], options: tuple[str, ...], default: int, text: str = "") -> int:
    """Return the number of the only option that equals a text or matches a pattern as a whole; else a default."""
    numbers = [i for i, option in enumerate(options) if option == text or pattern.fullmatch(option)]
    return numbers[0] if len(numbers) == 1 else default


def _join_mentions(source: str, mentions: Sequence[OptionMention]) -> list[OptionMention]:
    """Join each letter with the text next to it to one mention, of both options if they disagree."""
    joined: list[OptionMention] = []
    for mention in mentions:
        last = joined[-1] if joined else mention
        if mention is not last and mention.start < last.end:
            continue
        joined.append(mention)
        if last.by == mention.by or "letter" not in (last.by, mention.by):
            continue
        gap, same = source[last.end : mention.start], last.options & mention.options
        mark = (source[last.end - 1] + gap).lstrip(ascii_uppercase) if last.by == "letter" else ""
        if _JOIN.fullmatch(gap) if same else _DISAGREE.fullmatch(mark):
            joined[-2:] = [OptionMention(last.start, mention.end, same or last.options | mention.options, "letter")]
    return joined
