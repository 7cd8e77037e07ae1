"""Items of an answer list that the graph does not know: candidate segments of a reply, and their features."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from factprobe.evaluators.entities.entity_reading import EntityReading
from factprobe.reading.assertion import status
from factprobe.reading.language import vocabulary
from factprobe.reading.values.value_parsing import is_ordinal
from factprobe.trees import feature_vector, load_trees

_LINKS = vocabulary("list_conjunction") | {"&", "+"}
_FUNCTION = vocabulary("function")
_NO_CONTENT = vocabulary("function", "hedge", "exclamation")
_IN, _ARTICLES = vocabulary("place_preposition"), vocabulary("article")
_NO_NAME = _IN | _ARTICLES
_TITLES = vocabulary("title")
_BULLET = "•"
_DASHES = frozenset("-–—:")

FEATURES = {
    "length": "words",
    "depth": "brackets around it",
    "names_in_sentence": "affirmed names in its sentence",
    "names_in_line": "affirmed names in its line",
    "names_after": "affirmed right names after it",
    "affirmed": "affirmed by the cues around it",
    "sentence_function": "share of function words in its sentence",
    "sentence_lower": "new lower-case words of its sentence",
    "region": "country or state",
}
"""Description of each feature, in the order of the vector."""


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
    items = [segment for segment in segments if segment in listed or is_item(reading, segment)]
    return {text_of(reading, segment): reading.span(*content_of(reading, segment)) for segment in items}


def _listed(reading: EntityReading, segments: Sequence[Segment]) -> list[Segment]:
    """Return the segments that are items since they look like the right answers in the list.

    If at least two right answers, and half of all, are alone between two punctuation marks, a segment that is alone too
    is an item, in the sentence of such an answer or in its own line. Ordinals (first, Paris) are no items.
    """
    text, inside = reading.text, reading.inside
    loose: dict[int, list[int]] = {}
    """Indices of the content words outside names, by item of the text."""
    for i, word in enumerate(text.words):
        if i not in inside and word not in _LINKS and word not in _NO_CONTENT:
            loose.setdefault(text.items[i], []).append(i)
    right_starts = {text.items[mention.start]: mention.start for mention in reading.right_mentions}
    alone_starts = {item: start for item, start in right_starts.items() if item not in loose}
    if len(alone_starts) < 2 or 2 * len(alone_starts) < len(right_starts):
        return []
    sentences = {text.sentences[start] for start in alone_starts.values()}
    named = {text.items[i] for i in inside}
    items = []
    for segment in segments:
        start, end, _ = segment
        item = text.items[start]
        is_alone = item not in named and loose[item] == [*range(start, end)] and not text.depth[start]
        is_near = text.sentences[start] in sentences or text.lines.count(text.lines[start]) == end - start
        is_lead = end < len(text) and ":" in text.mark[end]
        if is_alone and is_near and not (is_lead or reading.is_region(start, end)):
            items.append(segment)
    return [segment for segment in items if not is_ordinal(text_of(reading, segment))]


def is_item(reading: EntityReading, segment: Segment) -> bool:
    """Return whether a segment is an item of the list, by the trained trees."""
    model = load_trees("factprobe.evaluators.answer_set", tuple(FEATURES))
    return model.predict(vector(reading, segment)).probability >= model.thresholds["balanced"]


def text_of(reading: EntityReading, segment: Segment) -> str:
    """Return the normalised text of a segment, without function words, hedges and exclamations at its ends."""
    start, end = content_of(reading, segment)
    return " ".join(reading.text.words[start:end])


def content_of(reading: EntityReading, segment: Segment) -> tuple[int, int]:
    """Return the span of a segment without function words, hedges and exclamations at its ends."""
    words = reading.text.words
    content = [i for i in range(segment.start, segment.end) if words[i] not in _NO_CONTENT]
    return content[0], content[-1] + 1


def segments_of(reading: EntityReading) -> list[Segment]:
    """Return the segments with a word that the question lacks and that may belong to a name.

    There are none if the right answers are values. Left out are titles before names, and places ("in Cambridge,
    England") unless right answers follow such a preposition too. Of more than 100, the first and the last 50 are
    returned.
    """
    if reading.values or not reading.new:
        return []
    text, new = reading.text, set(reading.new)
    is_small = reading.index.has_lower_case_names(reading.question) or True not in text.capital
    skips_places = not any(text.words[mention.start - 1] in _IN for mention in reading.right_mentions if mention.start)
    starts = {mention.start for mention in reading.mentions}
    skips_regions = {reading.is_region(mention.start, mention.end) for mention in reading.right_mentions} == {False}
    parts = []
    for start, end in _spans(reading):
        if skips_places and (_is_place(reading, start, end) or (skips_regions and reading.is_region(start, end))):
            continue
        may_be_small = is_small or _BULLET in text.mark[start]
        name = tuple(i for i in range(start, end) if i in new and (may_be_small or text.capital[i]))
        is_title = end in starts and not text.mark[end] and _TITLES.issuperset(text.words[start:end])
        if name and not is_title and not _explains(reading, start):
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


def vector(reading: EntityReading, segment: Segment) -> list[float]:
    """Return the features of a segment in the order of `FEATURES`."""
    text, (start, end, name) = reading.text, segment
    sentence, line = text.sentences[start], text.lines[start]
    words = [word for word, of in zip(text.words, text.sentences, strict=True) if of == sentence]
    affirmed = {mention.start for mention in reading.affirmed}
    values = {
        "length": end - start,
        "depth": text.depth[start],
        "names_in_sentence": sum(text.sentences[i] == sentence for i in affirmed),
        "names_in_line": sum(text.lines[i] == line for i in affirmed),
        "names_after": sum(mention.start in affirmed and mention.end > start for mention in reading.right_mentions),
        "affirmed": status(reading.tokens, (name[0], name[-1] + 1), reading.cues) == "affirmed",
        "sentence_function": sum(word in _FUNCTION for word in words) / len(words),
        "sentence_lower": sum(text.sentences[i] == sentence and not text.capital[i] for i in reading.new),
        "region": reading.is_region(start, end),
    }
    return feature_vector(values, FEATURES)
