"""The items of a list that the graph does not know."""

from __future__ import annotations

from collections.abc import Sequence

from factprobe.evaluators.short.reading import ShortReading
from factprobe.reading.abstention import declines, may_decline
from factprobe.reading.language import vocabulary
from factprobe.reading.names.index import answers_of
from factprobe.reading.names.regions import is_region
from factprobe.reading.values import is_ordinal
from factprobe.reading.words import Text, name_words

_LONGEST_ITEM = 6
"""Words of a name."""
_CONJUNCTIONS = vocabulary("list_conjunction") | {"&", "+"}
_LONG_CONJUNCTIONS = [phrase.split() for phrase in sorted(vocabulary("list_conjunction_long"))]
_BEGIN_LONG = frozenset(phrase[0] for phrase in _LONG_CONJUNCTIONS)
_JOINS = vocabulary("joins_last")
_FUNCTION, _EMPTY = vocabulary("function"), vocabulary("function", "hedge")
_WITHIN_NAMES = vocabulary("within_item")
_WITHIN_SMALL = vocabulary("within_small_item")
_PROSE = _FUNCTION - _WITHIN_NAMES
"""Words that are no part of a name where they are written small."""
_COPULAS = vocabulary("list_copula")
_NEGATIONS = vocabulary("list_denial")
_TELLS = vocabulary("list_remark")
"""They begin a remark on the name before."""
_YOU = vocabulary("you")
_REMARK = ("–", "—")


class Segment:
    """Words between two separators, from `start` to `end` (exclusive)."""

    __slots__ = ("bulleted", "end", "introduces", "remark", "start")

    def __init__(self, start: int, *, bulleted: bool, remark: bool, introduces: bool) -> None:
        self.start = start
        self.end = start + 1
        self.bulleted = bulleted
        """Whether it is the head of a bulleted or numbered line."""
        self.remark = remark
        """Whether it stands behind a dash or in brackets."""
        self.introduces = introduces


def unknown_items(reading: ShortReading, first: int = 0) -> set[str]:
    """The items of the list that the graph does not know, from a word on, as normalised texts."""
    text, mentions = reading.text, reading.mentions
    inside = {i for mention in mentions for i in range(mention.start, mention.end)}
    words = text.words
    if len(inside) == len(words) or _are_empty(reading, [word for i, word in enumerate(words) if i not in inside]):
        return set()
    told: dict[int, set[int]] = {}
    for i in inside:
        told.setdefault(text.lines[i], set()).add(text.sentences[i])
    small = reading.lower_case or True not in text.capital
    small = small or any(not text.capital[m.start] and words[m.start].isalpha() for m in mentions)
    segments = [segment for segment in _segments(text) if segment.end > first]
    unknown, ruled_out = set(), set()
    follows = denied = False
    for number, segment in enumerate(segments):
        start, end = segment.start, segment.end
        if not inside.isdisjoint(range(start, end)):
            follows = True
            continue
        if _is_aside(text, segment, told) or (end - start == 1 and is_ordinal(words[start])):
            continue
        lower_case = small or segment.bulleted
        behind = _behind_denial(text, start, end)
        denied = behind > start or (denied and start > 0 and words[start - 1] in _JOINS)
        if denied:
            ruled_out.add(_name(reading, behind if behind < end else start, end, lower_case=lower_case, follows=False))
            continue
        name = _name(reading, start, end, lower_case=lower_case, follows=follows)
        is_address = bool(name) and follows and _says_where(text, segment, segments[number - 1], name)
        if name and not (is_address and not _answers_are_places(reading)):
            unknown.add(name)
        follows = follows or bool(name)
    return unknown - ruled_out


def _are_empty(reading: ShortReading, words: Sequence[str]) -> bool:
    """Whether words are no name: only those of all sentences, or of the question."""
    rest = set(words) - _EMPTY
    return not rest or rest <= reading.asked.echoes


def _answers_are_places(reading: ShortReading) -> bool:
    """Whether more than half of the right answers are countries or states, so that one is no mere address."""
    places = [is_region(name_words(a.label)) for a in answers_of(reading.question)]
    return 2 * sum(places) > len(places)


def _is_aside(text: Text, segment: Segment, told: dict[int, set[int]]) -> bool:
    """Whether a segment is no item: a remark, what introduces the list, or prose beside a sentence of answers.

    Args:
        text: the reply.
        segment: of it, without a known name.
        told: the sentences with known names, by their line.
    """
    line, sentence = text.lines[segment.start], text.sentences[segment.start]
    if segment.remark or (segment.introduces and not (segment.bulleted and line not in told)):
        return True
    return line in told and sentence not in told[line] and segment.end - segment.start > 2


def _segments(text: Text) -> list[Segment]:
    """The segments of a text; a bracket's content and what follows a dash are remarks."""
    depth, sentences = text.depth, text.sentences
    base = min(depth, default=0)
    segments: list[Segment] = []
    segment: Segment | None = None
    joins = _conjunctions(text)
    remark = adds = False  # "(and Belgium)" adds an item
    for i, mark in enumerate(text.mark):
        parts = mark not in ("", "-")
        if parts:
            remark = _is_remark(text, i, segment, remark=remark)
        if i in joins:
            adds = adds or (depth[i] > base and "(" in mark)
            segment = None
        elif parts or segment is None:
            adds = adds and depth[i] > base
            bracketed = depth[i] > base and not adds
            introduces = sentences[i] in text.introduces
            segment = Segment(i, bulleted="•" in mark, remark=remark or bracketed, introduces=introduces)
            segments.append(segment)
        else:
            segment.end = i + 1
    return segments


def _conjunctions(text: Text) -> set[int]:
    """The words that join items, alone or together: and, as well as."""
    words = text.words
    single = not _CONJUNCTIONS.isdisjoint(words)
    found = {i for i, word in enumerate(words) if word in _CONJUNCTIONS} if single else set()
    for phrase in () if _BEGIN_LONG.isdisjoint(words) else _LONG_CONJUNCTIONS:
        size = len(phrase)
        found.update(j for i in range(len(words)) if words[i : i + size] == phrase for j in range(i, i + size))
    return found


def _is_remark(text: Text, i: int, segment: Segment | None, *, remark: bool) -> bool:
    """Whether a word behind a mark is in a remark, which a dash or a bullet's colon opens, up to the next item."""
    mark = text.mark[i]
    if "•" in mark or "\n" in mark or (i and text.sentences[i] != text.sentences[i - 1] and ":" not in mark):
        return False
    if segment is not None and (mark in _REMARK or (":" in mark and segment.bulleted)):
        return True
    return remark and not (mark in (",", ";") and not (segment is not None and segment.bulleted))


def _name(reading: ShortReading, start: int, end: int, *, lower_case: bool, follows: bool) -> str:
    """The name that words without a known one are, normalised; empty where they are prose, a number or say nothing.

    Args:
        reading: of the reply.
        start: the first of the words.
        end: the one behind the last.
        lower_case: whether a name may be written small.
        follows: whether a name stands before it, on which it may be a remark.
    """
    text = reading.text
    words = text.words[start:end]
    copula = next((i for i, word in enumerate(words[:-1]) if word in _COPULAS), None)
    remarks = follows and (copula == 0 or words[0] in _TELLS)
    if remarks or not _YOU.isdisjoint(words):
        return ""  # "French, a Romance language", "let me know if you need more"
    if copula is not None:
        start += copula + 1
    while start < end and text.words[start] in _EMPTY:
        start += 1
    while start < end and text.words[end - 1] in _FUNCTION:
        end -= 1
    words = text.words[start:end]
    if len(words) > _LONGEST_ITEM or _are_empty(reading, words):
        return ""
    if _is_number(words) or not _is_written_as_name(words, text.capital[start:end], lower_case=lower_case):
        return ""
    name = " ".join(words)
    return "" if (may_decline(words) or not name.isascii()) and declines(name) else name


def _is_number(words: Sequence[str]) -> bool:
    return all(word.rstrip("%").isdigit() or word == "%" for word in words)


def _is_written_as_name(words: Sequence[str], capital: Sequence[bool], *, lower_case: bool) -> bool:
    """Whether words look like a name: no prose among them, and a capital or a figure where one is due."""
    if any(word in _PROSE and not capital[i] for i, word in enumerate(words)):
        return False
    if capital[0] or words[0].isdigit():
        return True
    return lower_case and _WITHIN_NAMES.isdisjoint({*words} - _WITHIN_SMALL)


def _behind_denial(text: Text, start: int, end: int) -> int:
    """The word behind the last that rules out what a segment names (but not Spain); its first where none does."""
    words = text.words[start:end]
    if _NEGATIONS.isdisjoint(words):
        return start
    return start + 1 + max(i for i, word in enumerate(words) if word in _NEGATIONS)


def _says_where(text: Text, segment: Segment, before: Segment, name: str) -> bool:
    """Whether a segment is the country or state behind a town: Springfield, Illinois."""
    return (
        is_region([name])
        and text.mark[segment.start] == ","
        and not is_region(text.words[before.start : before.end])
        and text.lines[before.start] == text.lines[segment.start]
    )
