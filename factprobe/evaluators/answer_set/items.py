"""Segments of a reply without known entities, and the features by which a model decides whether each is an item."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from factprobe.reading.assertion import status
from factprobe.reading.language import vocabulary
from factprobe.reading.names.regions import is_region
from factprobe.trees import load_trees

if TYPE_CHECKING:
    from factprobe.evaluators.answer_set.reading import SetReading

_LINKS = vocabulary("list_conjunction") | {"&", "+"}
_FUNCTION = vocabulary("function")
_EMPTY = vocabulary("function", "hedge", "exclamation")
_BULLET = "•"
_LONGEST = 12
"""Maximal number of words of a segment that may be an item."""

FEATURES = {
    "length": "words",
    "name_length": "words that may be of a name",
    "lower": "other new words",
    "function": "function words",
    "depth": "brackets around it",
    "linked": "mark or conjunction before it",
    "link": "conjunction before it",
    "follows_name": "name before it",
    "before_name": "name behind it",
    "names_in_sentence": "affirmed names in its sentence",
    "names_in_line": "affirmed names in its line",
    "names_before": "affirmed names before it",
    "names_after": "affirmed names behind it",
    "bullets": "bullets in the reply",
    "affirmed": "affirmed by the cues around it",
    "introduces": "part of an introduction",
    "sentence_length": "words of its sentence",
    "sentence_function": "share of function words in its sentence",
    "sentence_lower": "other new words of its sentence",
    "sentences_after": "sentences behind it",
    "alone": "all of its sentence",
    "asked": "words of the question in its sentence",
    "region": "country or state",
}
"""Description of each feature, in the order of the vector."""


_MOST = 100
"""Maximal number of segments that are scored; scoring one takes time proportional to the length of the reply."""


class Segment(NamedTuple):
    """Words between marks, conjunctions and known names."""

    start: int
    end: int
    name: tuple[int, ...]
    """Indices of the words that may belong to a name."""


def unknown_items(reading: SetReading) -> list[str]:
    """Return the items that are not in the graph, normalised."""
    found = [segment for segment in segments_of(reading) if is_item(reading, segment)]
    return list(dict.fromkeys(text_of(reading, segment) for segment in found))


def is_item(reading: SetReading, segment: Segment) -> bool:
    """Return whether a segment is an item of the list."""
    model = load_trees("factprobe.evaluators.answer_set", tuple(FEATURES))
    return model.predict(vector(reading, segment)).probability >= model.thresholds["balanced"]


def text_of(reading: SetReading, segment: Segment) -> str:
    """Return the words of a segment without function words, hedges and exclamations at its ends."""
    words = reading.text.words
    told = [i for i in range(segment.start, segment.end) if words[i] not in _EMPTY]
    return " ".join(words[told[0] : told[-1] + 1])


def segments_of(reading: SetReading) -> list[Segment]:
    """Return the segments that may be items: those with a new word that may belong to a name.

    At most the first and the last 50 are returned.
    """
    if reading.values:
        return []
    text, new = reading.text, set(reading.new)
    is_small = reading.index.lower_case(reading.question) or True not in text.capital
    found = []
    for start, end in _spans(reading):
        may_be_small = is_small or _BULLET in text.mark[start]
        name = tuple(i for i in range(start, end) if i in new and (may_be_small or text.capital[i]))
        if name and end - start <= _LONGEST:
            found.append(Segment(start, end, name))
    return found if len(found) <= _MOST else found[: _MOST // 2] + found[-_MOST // 2 :]


def _spans(reading: SetReading) -> Iterator[tuple[int, int]]:
    text, inside = reading.text, reading.inside
    places = [*zip(text.items, text.sentences, text.depth, strict=True)]
    start = 0
    for i in range(len(text) + 1):
        is_link = i < len(text) and (i in inside or text.words[i] in _LINKS)
        if i == len(text) or is_link or (i and places[i] != places[i - 1]):
            if start < i:
                yield start, i
            start = i + is_link


def vector(reading: SetReading, segment: Segment) -> list[float]:
    """Return the features of a segment in the order of `FEATURES`."""
    found = {**_own_features(reading, segment), **_context_features(reading, segment)}
    return [float(found[name]) for name in FEATURES]


def _own_features(reading: SetReading, segment: Segment) -> Mapping[str, float]:
    text, inside = reading.text, reading.inside
    start, end, name = segment
    words, new = text.words[start:end], set(reading.new)
    before = start - 1
    is_link = before >= 0 and text.words[before] in _LINKS and before not in inside
    return {
        "length": end - start,
        "name_length": len(name),
        "lower": sum(i in new and not text.capital[i] for i in range(start, end)),
        "function": sum(word in _FUNCTION for word in words),
        "depth": text.depth[start],
        "linked": is_link or bool(text.mark[start]),
        "link": is_link,
        "follows_name": before - is_link in inside,
        "before_name": end in inside,
        "affirmed": status(reading.tokens, (name[0], name[-1] + 1), reading.cues) == "affirmed",
        "region": is_region(words),
    }


def _context_features(reading: SetReading, segment: Segment) -> Mapping[str, float]:
    text, start, new = reading.text, segment.start, set(reading.new)
    sentence, line = text.sentences[start], text.lines[start]
    span = _span_of(text.sentences, sentence)
    affirmed = {one.start for one in reading.affirmed}
    named = [one for one in reading.right_mentions if one.start in affirmed]
    before = sum(one.end <= start for one in named)
    return {
        "names_in_sentence": sum(text.sentences[one.start] == sentence for one in reading.affirmed),
        "names_in_line": sum(text.lines[one.start] == line for one in reading.affirmed),
        "names_before": before,
        "names_after": len(named) - before,
        "bullets": sum(_BULLET in mark for mark in text.mark),
        "introduces": sentence in text.introduces,
        "sentence_length": len(span),
        "sentence_function": sum(text.words[i] in _FUNCTION for i in span) / len(span),
        "sentence_lower": sum(i in new and not text.capital[i] for i in span),
        "sentences_after": text.sentences[-1] - sentence,
        "alone": len(span) == segment.end - start,
        "asked": len({reading.tokens.keys[i] for i in span} & reading.asked_keys),
    }


def _span_of(places: list[int], one: int) -> Collection[int]:
    first = places.index(one)
    return range(first, first + places.count(one))
