"""The items of a list that the graph does not know."""

from __future__ import annotations

from collections.abc import Sequence

from factprobe.evaluators.short.reading import ShortReading
from factprobe.evaluators.short.remarks import behind_list
from factprobe.evaluators.short.segments import CONJUNCTIONS, Segment, conjunctions, segments_of
from factprobe.reading.abstention import declines, may_decline
from factprobe.reading.language import vocabulary
from factprobe.reading.names.index import answers_of
from factprobe.reading.names.regions import is_region
from factprobe.reading.values import is_ordinal
from factprobe.reading.words import Text, name_words, singulars_of

_LONGEST_ITEM = 6
"""Words of a name."""
_JOINS = vocabulary("joins_last")
_FUNCTION, _EMPTY = vocabulary("function"), vocabulary("function", "hedge")
_WITHIN_NAMES = vocabulary("within_item")
_WITHIN_SMALL = vocabulary("within_small_item")
_PROSE = _FUNCTION - _WITHIN_NAMES
"""Words that are no part of a name where they are written small."""
_COPULAS = vocabulary("list_copula")
_NEGATIONS = vocabulary("list_denial")
_ARTICLES, _BEFORE_ITEM = vocabulary("article"), vocabulary("article", "list_before_item")
_AT_HEAD = vocabulary("article", "exclamation", "kind", "joins_both")
"""What may stand between the names that begin a sentence, beside what joins them."""
_VERBS = vocabulary("auxiliary")
_BEHIND_ITEM = _PROSE - _VERBS - _NEGATIONS
"""They go on with a name, or begin what is said of it alone: Pete Best, who left."""
_TELLS = vocabulary("list_remark")
"""They begin a remark on the name before."""
_YOU = vocabulary("you")
Span = tuple[int, int]
"""The first of some words, and the one behind the last."""


def unknown_items(reading: ShortReading, first: int = 0) -> set[str]:
    """The items of the list that the graph does not know, from a word on, as normalised texts."""
    text = reading.text
    inside = {i for mention in reading.mentions for i in range(mention.start, mention.end)}
    words = text.words
    if len(inside) == len(words) or _are_empty(reading, [word for i, word in enumerate(words) if i not in inside]):
        return set()
    told, small = _told_in(text, inside), _are_small(reading)
    joins = conjunctions(text)
    segments = [segment for segment in segments_of(text, joins) if segment.end > first]
    behind_it = behind_list(reading)
    unknown, ruled_out = set(), set()
    follows = denied = False
    for number, segment in enumerate(segments):
        start, end = segment.start, segment.end
        if not inside.isdisjoint(range(start, end)):
            follows = True
            continue
        if text.sentences[start] in behind_it.adding:
            unknown.add(_first_name(reading, segment))
            continue
        aside = text.sentences[start] in behind_it.remarks or _is_aside(text, segment, told)
        aside = aside or (
            follows and start - 1 in joins and _goes_on_prose(text, inside, segments[number - 1], segment)
        )
        if aside or (end - start == 1 and is_ordinal(words[start])):
            continue
        lower_case = small or segment.bulleted
        if follows and not denied and (head := _head(reading, inside, joins, segment, lower_case=small)):
            unknown.add(_name(reading, *head, lower_case=lower_case, follows=False))
            continue
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
    return unknown - ruled_out - {""}


def _told_in(text: Text, inside: set[int]) -> dict[int, set[int]]:
    """The sentences with known names, by their line."""
    told: dict[int, set[int]] = {}
    for i in inside:
        told.setdefault(text.lines[i], set()).add(text.sentences[i])
    return told


def _are_small(reading: ShortReading) -> bool:
    """Whether the names of a reply may be written small."""
    text = reading.text
    return (
        reading.lower_case
        or True not in text.capital
        or any(not text.capital[m.start] and text.words[m.start].isalpha() for m in reading.mentions)
    )


def _goes_on_prose(text: Text, inside: set[int], before: Segment, segment: Segment) -> bool:
    """Whether "and" joins a segment to a name that ends prose: Liechtenstein, surrounded by Switzerland and Austria."""
    places = range(before.start, before.end)
    joined = (
        not any(text.mark[before.end : segment.start + 1])
        and text.capital[before.end - 1]
        and inside.isdisjoint(places)
    )
    prose = [i for i in places if text.words[i] in _PROSE and not text.capital[i]]
    return joined and bool(prose) and not any(text.words[i] in _COPULAS or text.words[i] in _NEGATIONS for i in prose)


def _head(
    reading: ShortReading, inside: set[int], joins: set[int], segment: Segment, *, lower_case: bool
) -> Span | None:
    """The name that begins the last item of a list where more is said behind it, of all or of it alone: Mercury, Venus
    and Mars have no moons.

    Args:
        reading: of the reply.
        inside: the words of the known names.
        joins: those that join items.
        segment: of it, without a known name.
        lower_case: whether names may be written small.
    """
    text, start, end = reading.text, segment.start, segment.end
    before = start - 1
    joined = before in joins and not text.mark[start]
    if not joined and text.mark[start] not in (",", "),"):
        return None
    while before > 0 and (before in joins or text.depth[before] > text.depth[start]):
        before -= 1
    if before not in inside:
        return None
    first = start
    while first < end and text.words[first] in _BEFORE_ITEM and not text.capital[first]:
        first += 1
    if text.words[start] in _ARTICLES:  # the dwarf planet Ceres
        name = next((i for i in range(first, end) if text.capital[i] or text.words[i] in _FUNCTION), end)
        first = name if name < end and text.capital[name] else first
    last = _end_of_name(text, first, end, lower_case=joined and lower_case)
    if not first < last < end:
        return None
    if not joined and not _NEGATIONS.isdisjoint(text.words[last:end]):
        return None  # German, French, English is not official
    of_it_alone = joined and text.words[last] in _BEHIND_ITEM
    return (first, last) if of_it_alone or _begins_sentence(text, inside, before) else None


def _end_of_name(text: Text, first: int, end: int, *, lower_case: bool) -> int:
    """The end of the words with capitals from one on; of a small name what an auxiliary ends, else its first word."""
    last = first
    while last < end and text.capital[last]:
        last += 1
    if last > first or not lower_case or first == end or text.words[first] in _FUNCTION:
        return last
    verb = next((i for i in range(first + 1, end) if text.words[i] in _FUNCTION), end)
    return verb if verb < end and text.words[verb] in _VERBS else first + 1


def _first_name(reading: ShortReading, segment: Segment) -> str:
    """The first name in a segment of prose, normalised; empty where there is none."""
    text = reading.text
    places = range(segment.start, segment.end)
    first = next((i for i in places if text.capital[i] and text.words[i] not in _EMPTY), segment.end)
    last = _end_of_name(text, first, segment.end, lower_case=False)
    return _name(reading, first, last, lower_case=False, follows=False) if first < last else ""


def _begins_sentence(text: Text, inside: set[int], end: int) -> bool:
    """Whether there is nothing but a list of names from the beginning of a sentence up to a word of it."""
    sentence, i = text.sentences[end], end
    while i >= 0 and text.sentences[i] == sentence:
        word = text.words[i]
        if not (i in inside or text.capital[i] or text.depth[i] or word in CONJUNCTIONS or _stands_before(word)):
            return False
        i -= 1
    return True


def _stands_before(word: str) -> bool:
    """Whether a word may stand before a list that begins a sentence: the planets Mercury and Venus."""
    return word in _AT_HEAD or any(one in _AT_HEAD for one in singulars_of(word))


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
