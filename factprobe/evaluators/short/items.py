"""The items of a list that the graph does not know."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from factprobe.evaluators.short.reading import ShortReading
from factprobe.reading.abstention import declines
from factprobe.reading.language import vocabulary
from factprobe.reading.names.index import answers_of
from factprobe.reading.names.regions import is_region
from factprobe.reading.values import is_ordinal
from factprobe.reading.words import Text, name_words

_LONGEST_ITEM = 6
"""Words of a name."""
_CONJUNCTIONS = vocabulary("list_conjunction") | {"&", "+"}
_LONG_CONJUNCTIONS = [phrase.split() for phrase in sorted(vocabulary("list_conjunction_long"))]
_JOINS = vocabulary("joins_last")
_WITHIN_NAMES = vocabulary("within_item")
_WITHIN_SMALL = vocabulary("within_small_item")
_COPULAS = vocabulary("list_copula")
_NEGATIONS = vocabulary("list_denial")
_TELLS = vocabulary("list_remark")
"""They begin a remark on the name before."""
_YOU = vocabulary("you")
_REMARK = ("–", "—")


class Segment:
    """Words between two separators."""

    __slots__ = ("bulleted", "introduces", "remark", "words")

    def __init__(self, *, bulleted: bool, remark: bool, introduces: bool) -> None:
        self.words: list[int] = []
        self.bulleted = bulleted
        """Whether it is the head of a bulleted or numbered line."""
        self.remark = remark
        """Whether it stands behind a dash or in brackets."""
        self.introduces = introduces


def unknown_items(reading: ShortReading, first: int = 0) -> set[str]:
    """The items of the list that the graph does not know, from a word on, as normalised texts."""
    text, mentions = reading.text, reading.mentions
    inside = {i for mention in mentions for i in range(mention.start, mention.end)}
    told: dict[int, set[int]] = {}
    for i in inside:
        told.setdefault(text.lines[i], set()).add(text.sentences[i])
    small = any(not text.capital[m.start] and text.words[m.start].isalpha() for m in mentions)
    small = small or reading.lower_case or not any(text.capital)
    has_places = _answers_are_places(reading)
    segments = [segment for segment in _segments(text) if segment.words[-1] >= first]
    unknown, ruled_out = set(), set()
    follows = denied = False
    for number, segment in enumerate(segments):
        words = segment.words
        if inside.intersection(words):
            follows = True
            continue
        if _is_aside(text, segment, told) or (len(words) == 1 and is_ordinal(text.words[words[0]])):
            continue
        joined = bool(words[0]) and text.words[words[0] - 1] in _JOINS
        denied = _denies(text, words) or (denied and joined)
        lower_case = small or segment.bulleted
        if denied:
            ruled_out.add(_name(reading, _denied(text, words), lower_case=lower_case, follows=False))
            continue
        name = _name(reading, words, lower_case=lower_case, follows=follows)
        if name and (has_places or not follows or not _says_where(text, words, segments[number - 1].words, name)):
            unknown.add(name)
        follows = follows or bool(name)
    return unknown - ruled_out


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
    line, sentence = text.lines[segment.words[0]], text.sentences[segment.words[0]]
    if segment.remark or (segment.introduces and not (segment.bulleted and line not in told)):
        return True
    return line in told and sentence not in told[line] and len(segment.words) > 2


def _segments(text: Text) -> Iterator[Segment]:
    """The segments of a text; a bracket's content and what follows a dash are remarks."""
    base = min(text.depth, default=0)
    segment: Segment | None = None
    joins = _conjunctions(text)
    remark = adds = False  # "(and Belgium)" adds an item
    for i, mark in enumerate(text.mark):
        glued = mark == "-"
        remark = _is_remark(text, i, segment, remark=remark)
        if segment is not None and ((mark and not glued) or i in joins):
            yield segment
            segment = None
        if i in joins:
            adds = adds or (text.depth[i] > base and "(" in mark)
            continue
        if segment is None:
            adds = adds and text.depth[i] > base
            bracketed = text.depth[i] > base and not adds
            introduces = text.sentences[i] in text.introduces
            segment = Segment(bulleted="•" in mark, remark=remark or bracketed, introduces=introduces)
        segment.words.append(i)
    if segment is not None:
        yield segment


def _conjunctions(text: Text) -> set[int]:
    """The words that join items, alone or together: and, as well as."""
    words = text.words
    found = {i for i, word in enumerate(words) if word in _CONJUNCTIONS}
    for phrase in _LONG_CONJUNCTIONS:
        if phrase[0] in words:
            size = len(phrase)
            found.update(j for i in range(len(words)) if words[i : i + size] == phrase for j in range(i, i + size))
    return found


def _is_remark(text: Text, i: int, segment: Segment | None, *, remark: bool) -> bool:
    """Whether a word is in a remark: one that a dash or the colon of a bulleted line opens, up to the next item."""
    mark = text.mark[i]
    if "•" in mark or "\n" in mark or (i and text.sentences[i] != text.sentences[i - 1] and ":" not in mark):
        return False
    if segment is not None and (mark in _REMARK or (":" in mark and segment.bulleted)):
        return True
    return remark and not (mark in (",", ";") and not (segment is not None and segment.bulleted))


def _name(reading: ShortReading, positions: list[int], *, lower_case: bool, follows: bool) -> str:
    """The name that a segment without a known one is, normalised; empty where it is prose, a number or says nothing.

    Args:
        reading: of the reply.
        positions: the words of the segment.
        lower_case: whether a name may be written small.
        follows: whether a name stands before it, on which it may be a remark.
    """
    text = reading.text
    copula = next((i for i in positions[:-1] if text.words[i] in _COPULAS), None)
    remarks = follows and (copula == positions[0] or text.words[positions[0]] in _TELLS)
    if remarks or any(text.words[i] in _YOU for i in positions):
        return ""  # "French, a Romance language", "let me know if you need more"
    if copula is not None:
        positions = positions[positions.index(copula) + 1 :]
    positions = _without_function_words(text, positions)
    words = [text.words[i] for i in positions]
    if not words or len(words) > _LONGEST_ITEM or all(_is_empty(reading, word) for word in words):
        return ""
    if _is_number(words) or not _is_written_as_name(text, positions, lower_case=lower_case):
        return ""
    return "" if declines(" ".join(words)) else " ".join(words)


def _without_function_words(text: Text, positions: list[int]) -> list[int]:
    """The words of a segment without those before and behind that no name begins or ends with."""
    function, begins = vocabulary("function"), vocabulary("function", "hedge")
    start, end = 0, len(positions)
    while start < end and text.words[positions[start]] in begins:
        start += 1
    while start < end and text.words[positions[end - 1]] in function:
        end -= 1
    return positions[start:end]


def _is_empty(reading: ShortReading, word: str) -> bool:
    return word in reading.asked.echoes or word in vocabulary("function", "hedge")


def _is_number(words: Collection[str]) -> bool:
    return all(word.rstrip("%").isdigit() or word == "%" for word in words)


def _is_written_as_name(text: Text, positions: list[int], *, lower_case: bool) -> bool:
    """Whether words look like a name: no prose among them, and a capital or a figure where one is due."""
    words = [text.words[i] for i in positions]
    small_words = vocabulary("function") - _WITHIN_NAMES
    if any(text.words[i] in small_words and not text.capital[i] for i in positions):
        return False
    if text.capital[positions[0]] or words[0].isdigit():
        return True
    return lower_case and _WITHIN_NAMES.isdisjoint({*words} - _WITHIN_SMALL)


def _denies(text: Text, positions: list[int]) -> bool:
    """Whether a segment rules out what it names: but not Spain."""
    return not _NEGATIONS.isdisjoint(text.words[i] for i in positions)


def _denied(text: Text, positions: list[int]) -> list[int]:
    """What a segment rules out: the words behind its denial."""
    last = max((k for k, i in enumerate(positions) if text.words[i] in _NEGATIONS), default=-1)
    return positions[last + 1 :] or positions


def _says_where(text: Text, positions: list[int], before: list[int], name: str) -> bool:
    """Whether a segment is the country or state behind a town: Springfield, Illinois."""
    return (
        is_region([name])
        and text.mark[positions[0]] == ","
        and not is_region(text.words[i] for i in before)
        and text.lines[before[0]] == text.lines[positions[0]]
    )
