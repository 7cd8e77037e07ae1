"""Items of an answer list that the graph does not know: candidate segments of a reply."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from factprobe.evaluators.entities.entity_reading import EntityReading
from factprobe.reading.assertion import status
from factprobe.reading.language import vocabulary
from factprobe.reading.names.index import answers_of

_LINKS = vocabulary("list_conjunction") | {"&", "+"}
_NO_CONTENT = vocabulary("function", "hedge", "exclamation") - vocabulary("prefix", "contrast")
_IN, _ARTICLES = vocabulary("place_preposition"), vocabulary("article")
_NO_NAME = _IN | _ARTICLES
_BULLET = "•"
_DASHES = frozenset("-–—:")

_MAX_SMALL_WORDS = 3
"""Maximum number of lower-case words of an item that is not in a list."""
_MAX_SEGMENTS = 100
"""Maximum number of segments to score; each takes time proportional to the length of the reply."""


class Segment(NamedTuple):
    """Words of a reply between punctuation marks, conjunctions and known names; indices are word indices."""

    start: int
    end: int
    name: tuple[int, ...]
    """Indices of the words that may belong to a name."""


def unknown_items(reading: EntityReading) -> dict[str, str]:
    """Return the items of a reply that are not in the graph, as written, by their normalised text."""
    segments = segments_of(reading)
    listed = _listed(reading, segments)
    spans = [content_of(reading, one) for one in segments if one in listed or is_item(reading, one)]
    return {" ".join(reading.text.words[start:end]): reading.span(start, end) for start, end in spans}


def _listed(reading: EntityReading, segments: Sequence[Segment]) -> list[Segment]:
    """Return the segments that are items of a list, as at least two right answers, and half of all, are.

    An item is alone between two punctuation marks, in the sentence of such an answer or in a line of its own.
    """
    text, right = reading.text, reading.right_mentions
    named = {text.items[i] for i in reading.inside}
    other_words: dict[int, list[int]] = {}
    for i, word in enumerate(text.words):
        if i not in reading.inside and word not in _LINKS and word not in _NO_CONTENT:
            other_words.setdefault(text.items[i], []).append(i)
    sentences = [text.sentences[one.start] for one in right if text.items[one.start] not in other_words]
    if len(sentences) < 2 or 2 * len(sentences) < len(right):
        return []
    return [
        segment
        for segment in segments
        if other_words[text.items[start := segment.start]] == [*range(start, end := segment.end)]
        and not (text.items[start] in named or text.depth[start] or reading.is_region(start, end))
        and ":" not in "".join(text.mark[end : end + 1])
        and (text.sentences[start] in sentences or text.lines.count(text.lines[start]) == end - start)
    ]


def is_item(reading: EntityReading, segment: Segment) -> bool:
    """Return whether a segment is an item, though it does not look like the right answers in the list.

    It is if it is affirmed, no heading, not alone in brackets, among at most one other new lower-case word of its
    sentence, and in a line without known names, or in a sentence of its own or with a known name, or before the last
    right answer.
    """
    text, (start, end, name) = reading.text, segment
    sentence, depth, affirmed = text.sentences[start], text.depth, {mention.start for mention in reading.affirmed}
    own_words = {*name}
    in_sentence = [i for i in reading.new if text.sentences[i] == sentence and depth[i] <= depth[start]]
    others = [i for i in in_sentence if i not in own_words]
    is_affirmed = status(reading.tokens, (name[0], name[-1] + 1), reading.cues) == "affirmed"
    is_heading = ":" in "".join(text.mark[end : end + 1])
    is_long = sum(not text.capital[i] for i in (*others, *name[_MAX_SMALL_WORDS:])) > 1
    is_aside = depth[start] > max((depth[i] for i in (start - 1, end) if 0 <= i < len(text)), default=0)
    if is_long or is_heading or is_aside or not is_affirmed:
        return False
    in_line = [i for i in affirmed if text.lines[i] == text.lines[start]]
    after = [mention for mention in reading.right_mentions if mention.start in affirmed and mention.end > start]
    is_near = bool(after) or not others or any(text.sentences[i] == sentence for i in in_line)
    return not in_line or (len(after) < 2 and is_near)


def content_of(reading: EntityReading, segment: Segment) -> tuple[int, int]:
    """Return the span of a segment without function words, hedges and exclamations at its ends."""
    words = reading.text.words
    content = [i for i in range(segment.start, segment.end) if words[i] not in _NO_CONTENT]
    return content[0], content[-1] + 1


def segments_of(reading: EntityReading) -> list[Segment]:
    """Return the segments with a word that the question lacks and that may belong to a name.

    There are none if the right answers are values. Left out are words right before names, and places ("in Cambridge,
    England") unless right answers follow such a preposition too. Of more than 100, the first and the last 50 are
    returned.
    """
    if reading.values or not reading.new:
        return []
    text, new = reading.text, set(reading.new)
    is_small = True not in text.capital or any(one.label[:1].islower() for one in answers_of(reading.question))
    skips_places = not any(text.words[mention.start - 1] in _IN for mention in reading.right_mentions if mention.start)
    starts = {mention.start for mention in reading.mentions}
    skips_regions = {reading.is_region(mention.start, mention.end) for mention in reading.right_mentions} == {False}
    parts = []
    for start, end in _spans(reading):
        if skips_places and (_is_place(reading, start, end) or (skips_regions and reading.is_region(start, end))):
            continue
        may_be_small = is_small or _BULLET in text.mark[start]
        name = tuple(i for i in range(start, end) if i in new and (may_be_small or text.capital[i]))
        is_before_name = end in starts and not text.mark[end]
        if name and not is_before_name and not _explains(reading, start):
            parts.append(Segment(start, end, name))
    return parts if len(parts) <= _MAX_SEGMENTS else parts[: _MAX_SEGMENTS // 2] + parts[-_MAX_SEGMENTS // 2 :]


def _is_place(reading: EntityReading, start: int, end: int) -> bool:
    """Return whether a preposition of place precedes each name in some words."""
    text = reading.text
    capitals = {i for i in range(start, end) if text.words[i] not in _NO_NAME and text.capital[i]}
    heads = [i for i in capitals if i - 1 not in capitals]
    leads = (i - 2 if text.words[i - 1] in _ARTICLES else i - 1 for i in heads)
    return bool(heads) and all(lead >= start and text.words[lead] in _IN for lead in leads)


def _explains(reading: EntityReading, start: int) -> bool:
    """Return whether a segment only explains the name that begins its bulleted line, after a dash or colon."""
    text = reading.text
    first = text.lines.index(text.lines[start])
    if first == start or _BULLET not in text.mark[first]:
        return False
    heads = [mention.end for mention in reading.affirmed if first <= mention.start and mention.end <= start]
    return bool(heads) and any(not _DASHES.isdisjoint(text.mark[i]) for i in range(heads[0], start + 1))


def _spans(reading: EntityReading) -> Iterator[tuple[int, int]]:
    text, inside = reading.text, reading.inside
    places = [*zip(text.items, text.sentences, text.depth, strict=True)]
    start = 0
    for i in range(len(text) + 1):
        is_link = i < len(text) and (i in inside or text.words[i] in _LINKS)
        if i == len(text) or is_link or (i and places[i] != places[i - 1]):
            if start < i:
                yield start, i
            start = i + is_link
