"""Replies that list candidates and choose none of them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Sequence
from functools import cache
from itertools import chain

from factprobe.evaluators.rules.base import Judgment, rule
from factprobe.reading.abstention import only_declines
from factprobe.reading.assertion import cues_in
from factprobe.reading.language import phrases, vocabulary
from factprobe.reading.names.index import answers_of
from factprobe.reading.reading_base import Reading
from factprobe.reading.tokenisation.sentences import sentences
from factprobe.reading.tokenisation.tokens import Words, common_keys, key_of
from factprobe.records import Question
from factprobe.text import fold

_SEPARATOR = (
    rf"[,;/|\n()\[\]•]|[.:!?](?=\s|$)|\s(?:{phrases('link_and')}|{phrases('link_or')})(?=\s)|(?<!\S)[-–—](?=\s)|"
    r"(?<!\S)\d{1,3}[.)](?=\s)"
)
_MARK = re.compile(f"({_SEPARATOR})", re.IGNORECASE)
"""Pattern of a mark between the parts of a reply."""
_ENDS = (".", "!", "?", "\n", "")
"""Marks that end a sentence, so that no list follows in it."""
_HEADS = (".", "!", "?", "\n", ":", "(", "[", "-", "–", "—")
"""Marks between an answer and a list of something else."""
_COMMAS = (",", ";")
_LONGEST_ITEM = 6
"""Maximum number of words of an item."""
_LONGEST_LEAD = 3
"""Maximum number of content words of a first item with a phrase before it."""
_MOST_LEADS = 2
"""Number of first items that may have a phrase before them."""
_FRAME = 0.5
"""Minimum share of the parts in which a word of a repeated phrase occurs ("Maybe …. Maybe …")."""
_PURE = 0.8
"""Minimum share of the content words that belong to items."""
_MOST_RIGHT = 2
"""Maximum number of right items; a reply with more answers a question for several."""
_READ = 20_000
"""Maximum number of characters that are read."""
_FEWEST = 5
"""Minimum number of items of a list; a place may precede two larger ones ("Ulm, Württemberg, Germany")."""
_FEWEST_CHOICES = 2
"""Minimum number of items if they are numbered or bulleted, or if the reply also declines."""
_BULLET = re.compile(r"^\s*(?:\d{1,3}[.)]|[-–—•*])\s", re.MULTILINE)
"""Pattern of the beginning of a line in a list."""

Part = tuple[Sequence[str], Sequence[str]]
"""Keys and raw forms of the words between two marks."""


@rule("response.lists_candidates", "incorrect")
def lists_candidates(reading: Reading, question: Question) -> Judgment | None:
    """Lists candidates of which at most a third, or of alternatives half, are right, and repeats no question."""
    text = reading.reply[:_READ]
    words = reading.reply_tokens if text == reading.reply else Words(text)
    if len(words) < _FEWEST_CHOICES or not _MARK.search(text):
        return None
    right = [frozenset(Words(name, is_name=True).keys) for answer in answers_of(question) for name in answer.names()]
    if frozenset().union(*right).difference(common_keys()).isdisjoint(words.keys) or _repeats(words, reading, question):
        return None
    if _is_headed(text, right):
        return None
    declined = [(start, end) for start, end in sentences(text) if only_declines(Words(text[start:end]).raw)]
    for start, end in reversed(declined):
        text = text[:start] + text[end:].lstrip(".! ")
    found, are_choices = candidates(text, declines=bool(declined))
    if not found or (are_choices and _judges(text)):
        return None
    hits = sum(any(item <= name or name <= item for name in right) for item in found)
    if not 0 < hits <= _MOST_RIGHT or (2 if are_choices else 3) * hits > len(found):
        return None
    return Judgment("incorrect", wrong=len(found) - hits, answer=reading.excerpt, why=f"lists {len(found)} candidates")


def _is_headed(text: str, right: Sequence[frozenset[str]]) -> bool:
    """Return whether a right name heads the list, as in "Paris, home of the Louvre, …".

    Another mark, the first bullet or a word in lower case separates the head from the items.
    """
    first = _MARK.search(text)
    head = frozenset(Words(text[: first.start()]).keys) if first else frozenset()
    if first is None or not any(name <= head for name in right):
        return False
    if first[0] in _COMMAS:
        return text[:1].isupper() and text[first.end() :].lstrip()[:1].islower()
    marks = [mark.lower() for mark in _MARK.findall(text, first.end())]
    return (first[0] in _HEADS and 2 * marks.count(first[0]) < len(marks)) or (
        first[0] == "\n" and len(_BULLET.findall(text, first.end())) > 1
    )


def _judges(text: str) -> bool:
    """Return whether a text affirms or denies an item of its list."""
    return bool(cues_in(Words(text)))


def _repeats(words: Words, reading: Reading, question: Question) -> bool:
    """Return whether a reply repeats words of the question, so that it claims something of each item."""
    asked = question.bare or " ".join(reading.asked.words)
    shared = {*Words(asked).keys}.intersection(words.keys) - common_keys()
    names = {key for answer in answers_of(question) for name in answer.names() for key in Words(name).keys}
    return len(shared - names) > 1


def candidates(text: str, *, declines: bool = False) -> tuple[set[frozenset[str]], bool]:
    """Return the keys of the items of a reply that is only a list, and whether they are alternatives.

    The set is empty if the reply is not a list. Parts between separators are items if they are short and have no
    function words, except words that recur in half of the parts. A reply is a list if items have at least four fifths
    of its content words.

    Args:
        text: Reply without the sentences that decline.
        declines: True if there are such sentences.
    """
    are_choices = declines or len(_BULLET.findall(text)) > 1
    fewest = _FEWEST_CHOICES if are_choices else _FEWEST
    if len(_MARK.findall(text)) < fewest - 1:
        return set(), False
    parts, marks = _parts(Words(text))
    if len(parts) < fewest:
        return set(), False
    counts = Counter(chain.from_iterable({*keys} for keys, _ in parts))
    frame = {key for key, count in counts.items() if count >= max(_FRAME * len(parts), 3)}
    ignored = {*frame, *common_keys(), *_hedges()}
    items = [_item(part, frame) for part in parts]
    content = [frozenset(keys) - ignored for keys, _ in parts]
    leads = [i for i, keys in enumerate(content) if keys][:_MOST_LEADS]
    for lead in leads:  # "It might be Oslo, Rome, …", "Oslo, also known as Rome, …"
        if not items[lead] and len(content[lead]) <= _LONGEST_LEAD and marks[lead] not in _ENDS:
            items[lead] = content[lead]
    inside = sum(len(keys) for keys, item in zip(content, items, strict=True) if item)
    distinct = {*filter(None, items)}
    is_list = len(distinct) >= fewest and inside >= _PURE * sum(map(len, content))
    return (distinct if is_list else set()), are_choices


def _parts(words: Words) -> tuple[list[Part], list[str]]:
    """Return the parts of a text that have words, and the mark after each part."""
    parts: list[Part] = []
    marks: list[str] = []
    at = 0
    ends = [(found.start(), found.end(), found[0]) for found in _MARK.finditer(words.source)]
    for start, end, mark in [*ends, (len(words.source), 0, "")]:
        stop = bisect_left(words.starts, start)
        if at < stop:
            parts.append((words.keys[at:stop], words.raw[at:stop]))
            marks.append(mark)
        at = bisect_left(words.starts, end)
    return parts, marks


@cache
def _hedges() -> frozenset[str]:
    """Return the keys of words that carry no content of their own."""
    return frozenset(map(key_of, vocabulary("hedge", "exclamation")))


@cache
def _phrase_words() -> frozenset[str]:
    """Return the function words that do not occur in items."""
    return vocabulary("function") - vocabulary("article", "name_particle", "preposition")


def _item(part: Part, frame: Collection[str]) -> frozenset[str]:
    """Return the keys of an item without the words of the frame; empty if the part is a phrase instead."""
    own = [(key, raw) for key, raw in zip(*part, strict=True) if key not in frame]
    is_phrase = any((i == 0 or raw.islower()) and fold(raw) in _phrase_words() for i, (_, raw) in enumerate(own))
    content = frozenset(key for key, _ in own) - common_keys() - _hedges()
    return frozenset() if is_phrase or len(own) > _LONGEST_ITEM else content
