"""Whether a reply gives several answers where one is asked for, some of which the graph does not know."""

from __future__ import annotations

from collections.abc import Sequence

from factprobe.evaluators.short.reading import ShortReading
from factprobe.reading.language import vocabulary
from factprobe.reading.names.tables import Mention
from factprobe.reading.words import Text

_HEDGE, _REGION = vocabulary("hedge"), vocabulary("region")
_TALK, _KIND_OR_FUNCTION = vocabulary("function", "hedge"), vocabulary("function", "kind")
_COMMON = _TALK | _KIND_OR_FUNCTION
_VAGUE = vocabulary("vague")
"""They stand behind "or" and name nothing: Ulm or so."""
_OR, _AND = vocabulary("link_or"), vocabulary("link_and")
_LINKS = _OR | _AND
_HEDGES = vocabulary("before_name")
"""They may stand before a name."""
_HEDGES_BEHIND = vocabulary("before_name", "before_second_name")
"""They may stand between "or" and a name."""
_WITHIN_NAMES = vocabulary("within_name")
_FEW = 20
"""Mentions that are each read with the list around them; no reply of a person's has as many."""
_SHORT_LIST = 12
"""Words of a reply that is nothing but a few names."""
_LONGEST_ITEM = 4
"""Words that an item of such a list has at most, less one."""
_LIST_MARKS = frozenset({"", ",", "-", ".", ";", "\n"})


def is_list(reading: ShortReading) -> bool:
    """Whether a reply is a list of three or more names; not one over and over, nor Ulm, Swabia, Germany."""
    text = reading.text
    if len(text) > _SHORT_LIST or text.items[-1] < 2:
        return False
    items: dict[int, list[int]] = {}
    for i, item in enumerate(text.items):
        items.setdefault(item, []).append(i)
    names = {(*(text.words[i] for i in item),) for item in items.values()}
    if len(items) < 3 or len(names) < 2 or not _LIST_MARKS.issuperset(text.mark):
        return False
    if any(map(_HEDGE.issuperset, names)) and any(mention.end == len(text) for mention in reading.mentions):
        return False  # Berlin. Actually, Ulm.
    last = " ".join(text.words[i] for i in list(items.values())[-1])
    return (
        all(text.capital[span[0]] and len(span) < _LONGEST_ITEM for span in items.values())
        and last not in _REGION
        and _KIND_OR_FUNCTION.isdisjoint(text.words)
        and reading.question_words.isdisjoint(text.words)
        and min(map(len, text.words)) > 2
    )


def one_of_several(reading: ShortReading, mentions: Sequence[Mention]) -> Mention | None:
    """The first of the mentions that "or", "and" or a slash joins to a name that the graph does not know."""
    text = reading.text
    if _LINKS.isdisjoint(text.words) and "/" not in text.mark:
        return None
    return next(
        (one for one in mentions[:_FEW] if _has_one_behind(reading, one) or _has_one_before(reading, one)), None
    )


def _has_one_behind(reading: ShortReading, mention: Mention) -> bool:
    """Whether a name that the graph does not know is joined to the end of one that it knows: Ulm or Berlin."""
    text, last = reading.text, _end_of_list(reading.text, mention.end)
    link = _link_at(text, last) if _in_sentence_of(text, last, mention) else ""
    if not link:
        return False
    start = last + (link != "/")
    while start < len(text) and text.words[start] in _HEDGES_BEHIND:
        start += 1
    return (
        start < len(text)
        and _is_unknown(reading, start, link)
        and (link not in _AND or _stops_behind(text, start, mention))
    )


def _has_one_before(reading: ShortReading, mention: Mention) -> bool:
    """Whether a name that the graph does not know is joined to the beginning of one that it knows: Berlin or Ulm."""
    text, at = reading.text, mention.start - 1
    while at >= 0 and text.words[at] in _HEDGES and not text.mark[at + 1]:
        at -= 1
    if at < 1 or text.words[at] not in _LINKS or not _in_sentence_of(text, at, mention):
        return mention.start > 0 and text.mark[mention.start] == "/" and _is_unknown(reading, mention.start - 1, "/")
    other, link = at - 1, text.words[at]
    beside = _in_sentence_of(text, other, mention) and text.depth[other] == text.depth[mention.start]
    begins = other == 0 or text.sentences[other - 1] != text.sentences[other]
    whole = link in _OR or not begins or at == 1  # the capital at the beginning of a sentence makes no name
    return beside and whole and _is_unknown(reading, other, link)


def _end_of_list(text: Text, end: int) -> int:
    """The word behind the names that commas join to the one that ends here: Ulm, Berlin or Hamburg."""
    while end < len(text) and text.mark[end] == "," and _is_name_word(text, end):
        end += 1
        while end < len(text) and not text.mark[end] and _is_name_word(text, end):
            end += 1
    return end


def _is_name_word(text: Text, i: int) -> bool:
    return text.capital[i] and text.words[i] not in _COMMON


def _link_at(text: Text, i: int) -> str:
    """What joins a word to those before it: "or", "and", a slash, or nothing."""
    if text.words[i] in _LINKS and text.mark[i] in ("", ","):
        return text.words[i]
    return "/" if text.mark[i] == "/" else ""


def _stops_behind(text: Text, start: int, mention: Mention) -> bool:
    """Whether the words from one on are a name that ends its clause: not "Ulm and Germany was his home"."""
    end = start
    while end < len(text) and not text.mark[end] and _in_sentence_of(text, end, mention):
        if text.words[end] in _COMMON and text.words[end] not in _WITHIN_NAMES:
            return False
        end += 1
    return True


def _in_sentence_of(text: Text, i: int, mention: Mention) -> bool:
    return i < len(text) and text.sentences[i] == text.sentences[mention.start]


def _is_unknown(reading: ShortReading, i: int, link: str) -> bool:
    """Whether a word may begin a name that the graph does not know; behind "or" it may be written small."""
    text, word = reading.text, reading.text.words[i]
    if word in _COMMON or word in reading.question_words or word in _VAGUE:
        return False
    return text.capital[i] or reading.lower_case or (link not in _AND and not word.isdigit())
