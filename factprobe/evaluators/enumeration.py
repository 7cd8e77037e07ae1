"""Replies that list candidates and choose none of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from factprobe.evaluators.reference.prepared_texts import question_tokens_of
from factprobe.evaluators.rules.base import Judgment, rule
from factprobe.reading.answer_leak import own_text
from factprobe.reading.cue_tables import keys_of
from factprobe.reading.language import phrases, vocabulary
from factprobe.reading.names.index import answers_of
from factprobe.reading.reading_base import Reading
from factprobe.reading.tokenisation.tokens import Words, common_keys
from factprobe.records import Question
from factprobe.text import fold

_MARK = re.compile(
    rf"([,;/|\n()\[\]•.:!?\s\d–—-](?:(?<=[,;/|\n()\[\]•])|(?<=[.:!?])(?=\s|$)|(?<=\s)(?:{phrases('link_and')}|"
    rf"{phrases('link_or')})(?=\s)|(?<=[-–—])(?<!\S[-–—])(?=\s)|(?<=\d)(?<!\S\d)\d{{0,2}}[.)](?=\s)))",
    re.IGNORECASE,
)
"""Pattern of a mark between the parts of a reply; to be fast, it tries the rarest condition, its character, first."""
_BULLET = re.compile(r"^\s*(?:\d{1,3}[.)]|[-–—•*])\s", re.MULTILINE)
"""Pattern of the beginning of a line in a list."""
_LABEL = re.compile(r"^[^\w\n]{0,9}(\w[^\n:]{0,40}):\s", re.MULTILINE)
"""Pattern of a label at the beginning of a line: "Founders: …"."""
_MAX_ITEM_WORDS = 6
"""Maximum number of words of an item."""
_MIN_ITEM_SHARE = 0.8
"""Minimum share of the content words that belong to items, if a text is only a list."""
_MAX_RIGHT = 2
"""Maximum number of right items; a reply with more answers a question for several."""
_MAX_READ = 20_000
"""Number of characters at the beginning of a reply that are read."""
_LEAD_ITEMS, _MAX_LEAD_WORDS = 2, 3
"""Number of first items that may have a phrase before them; maximum number of content words in these."""
_MIN_ITEMS = 5
"""Minimum number of items of a list; fewer may be a place and its regions ("Ulm, Württemberg, Germany")."""
_MIN_LINES = 2
"""Minimum number of items if they are numbered or bulleted."""


@rule("response.lists_candidates", "incorrect")
def lists_candidates(reading: Reading, question: Question) -> Judgment | None:
    """Lists candidates, of which at most a third (half if bulleted) are right, without restating the question."""
    text = reading.reply[:_MAX_READ]
    are_lines = "\n" in text and len(_BULLET.findall(text)) > 1
    fewest = _MIN_LINES if are_lines else _MIN_ITEMS
    parts = [part for part in _MARK.split(text)[::2] if part.strip()]
    labels = _LABEL.findall(text)
    if len(parts) < fewest or 1 < len(labels) == len({*labels}):  # facts about the answer, each with a label
        return None
    right = [frozenset(Words(name, is_name=True).keys) for answer in answers_of(question) for name in answer.names()]
    keys = (reading.reply_tokens if text == reading.reply else Words(text)).keys
    repeated = question_tokens_of(own_text(question)).keys.intersection(keys).difference(common_keys(), *right)
    if len(repeated) > 1 or _is_headed(text, right):  # it answers, or is about each item
        return None
    has_figure = any(key[0].isdigit() for name in right for key in name)
    items = {item for item in _items(parts) if has_figure or not any(key[0].isdigit() for key in item)}
    hits = sum(any(item <= name or name <= item for name in right) for item in items)
    if len(items) < fewest or not 0 < hits <= _MAX_RIGHT or (2 if are_lines else 3) * hits > len(items):
        return None
    return Judgment("incorrect", wrong=len(items) - hits, answer=reading.excerpt, why=f"lists {len(items)} candidates")


def _is_headed(text: str, right: Sequence[frozenset[str]]) -> bool:
    """Return whether a right name precedes the list, as the answer.

    Another mark than in the list, or a lower-case word, follows it: "Jane Austen. She also wrote Emma, Persuasion, …",
    "Paris, home of the Louvre, …".
    """
    head, mark, rest = _MARK.split(text, maxsplit=1)
    words, marks = frozenset(Words(head).keys), _MARK.findall(rest)
    is_aside = rest.lstrip()[:1].islower() and not head.islower()
    return any(name <= words for name in right) and (is_aside or 2 * marks.count(mark) < len(marks))


def _items(parts: Sequence[str]) -> set[frozenset[str]]:
    """Return the items of a text, each as stems of its content words; empty if the text is not only a list.

    A part between marks is an item if it is short and has no lower-case function words. The first two may have some
    ("It might be Oslo, …", "Oslo, also known as Rome, …"). A text is a list if items have at least four fifths of its
    content words.
    """
    no_content = common_keys() | keys_of("hedge", "exclamation")
    found = [(words, keys) for words in map(Words, parts) if (keys := frozenset(words.keys) - no_content)]
    leads = [keys for _, keys in found[:_LEAD_ITEMS] if len(keys) <= _MAX_LEAD_WORDS]
    of_phrases = vocabulary("function") - vocabulary("article", "name_particle", "preposition")
    items = [
        keys
        for words, keys in found
        if keys in leads
        or (len(words) <= _MAX_ITEM_WORDS and not any(raw.islower() and fold(raw) in of_phrases for raw in words.raw))
    ]
    return {*items} if sum(map(len, items)) >= _MIN_ITEM_SHARE * sum(len(keys) for _, keys in found) else set()
