"""Mentions of options in a reply, by letter, text, alias or position."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from string import ascii_uppercase

from factprobe.evaluators.places import OptionMention
from factprobe.reading.answer_leak import own_text
from factprobe.reading.language import phrases, table, vocabulary
from factprobe.reading.names.acronyms import acronym_table, common_names, is_acronym
from factprobe.reading.names.boundaries import is_whole
from factprobe.reading.names.index import EntityIndex, answers_of
from factprobe.reading.names.name_tables import NameMention as Name
from factprobe.reading.names.name_tables import NameTable, find
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
    texts = [one._replace(by="none") if one.options == {none} else one for one in _texts_in(text, index, question)]
    inside = set[int]().union(*[range(one.start, one.end) for one in texts])
    summaries = [
        OptionMention(*match.span(), frozenset((number,)), "none")
        for pattern, number in ((_NONE, none), (_ALL, every))
        for match in pattern.finditer(source)
        if inside.isdisjoint(range(*match.span()))
    ]
    found = [*texts, *_letters_in(source, texts, options), *summaries]
    inside.update(*[range(one.start, one.end) for one in found])
    found += positions_in(source, len(options), question.first_number, inside)
    found = _join_mentions(source, sorted(found))
    return found if len(found) <= _MAX_MENTIONS else [*found[: _MAX_MENTIONS // 2], *found[-_MAX_MENTIONS // 2 :]]


def positions_in(source: str, count: int, first: int, inside: AbstractSet[int]) -> list[OptionMention]:
    """Return the mentions of options by position ("the second option") or number ("option 2").

    Args:
        source: Text of the reply.
        count: Number of options.
        first: Number of the first option.
        inside: Indices of the characters of other mentions. If there are any, only ordinals with a word such as
            "option" count.
    """
    lowered = source.lower() if len(source.lower()) == len(source) else source
    alone = _POSITION_ALONE.fullmatch(lowered)
    mentions = []
    for place in (alone,) if alone else _POSITION.finditer(lowered):
        word = next(group for group in place.groups() if group)
        if inside and (place["nth"] is None or word not in _ORDINALS or not inside.isdisjoint(range(*place.span()))):
            continue
        if (number := count - 1 if word in _LAST else _ORDINALS.get(word)) is None:
            number = (int(word) if word.isdigit() else _CARDINALS[word]) - first
        if 0 <= number < count:
            mentions.append(OptionMention(*place.span(), frozenset((number,)), "position"))
    return mentions


def _texts_in(text: Text, index: EntityIndex, question: Question) -> list[OptionMention]:
    """Return the mentions of options by text or alias, the longest at each place; without any, by acronym or value."""
    choices = question.choices
    names = [Name(start, end, uris) for start, end, uris in find([_texts(choices), *_aliases(index, question)], text)]
    starts = {name.start for name in names}
    names = [name for name in names if is_whole(text, name, starts)]
    named = ((str(i), (choice,)) for i, choice in enumerate(choices))
    found = () if names else find([acronym_table(text, named, own_text(question))], text)
    names = names or [Name(start, end, uris) for start, end, uris in found if is_acronym(text, start)]
    if not names and all(map(value_of, choices)):
        values = {str(i): [value] for i, choice in enumerate(choices) if (value := value_of(choice))}
        names = [name for name in value_mentions(text, values) if name.uris]
    mentions = []
    for name in names:
        start, end = text.starts[name.start], text.ends[name.end - 1]
        options = frozenset(map(int, name.uris))
        as_written = frozenset(i for i in options if text.source.startswith(choices[i], start))  # n and N
        mentions.append(OptionMention(start, end, as_written or options, "text"))
    return mentions


@lru_cache(maxsize=1 << 10)
def _texts(choices: tuple[str, ...]) -> NameTable:
    return NameTable((str(i), [choice]) for i, choice in enumerate(choices))


def _aliases(index: EntityIndex, question: Question) -> list[NameTable]:
    """Return a table of the aliases of options, without aliases that equal the text of an option; may be empty."""
    side, texts, answers = index.sought(question), _texts(question.choices).uris, answers_of(question)
    names: list[tuple[str, list[str]]] = []
    for i, choice in enumerate(question.choices):
        same = [side.entities[uri] for uri in side.names.bearers(" ".join(name_words(choice)))]
        aliases = [answer.aliases for answer in (*same, *answers) if answer.aliases and answer.label == choice]
        aliases.append(tuple(common_names((choice,))))
        new_aliases = [name for group in aliases for name in group if " ".join(name_words(name)) not in texts]
        if new_aliases:
            names.append((str(i), new_aliases))
    return [NameTable(names)] if names else []


def _letters_in(source: str, texts: Sequence[OptionMention], options: tuple[str, ...]) -> Iterator[OptionMention]:
    """Yield the mentions of options by letter; articles and letters within the text of an option are left out."""
    inside = set[int]().union(*[range(one.start, one.end) for one in texts if one.end - one.start > 1])
    for match in _LETTER.finditer(source):
        number, place = ascii_uppercase.find(match["letter"].upper()), match.start("letter")
        if number < len(options) and place not in inside and _is_option(source, match):
            span = match.span() if match["close"] else (place, place + 1)
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
        last = joined[-1] if joined else None
        if last is None or mention.start >= last.end:
            joined.append(mention)
        if last is None or mention.start < last.end or "letter" not in (last.by, mention.by) or last.by == mention.by:
            continue
        gap, same = source[last.end : mention.start], last.options & mention.options
        is_led = last.by == "letter"
        mark = (source[last.end - 1] + gap).lstrip(ascii_uppercase) if is_led else ""
        agrees = same and (is_led or source[mention.start] in "([{") and _JOIN.fullmatch(gap)
        if agrees or (not same and _DISAGREE.fullmatch(mark)):
            joined[-2:] = [OptionMention(last.start, mention.end, same or last.options | mention.options, "letter")]
    return joined
