"""Words as wordings and sentences compare them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from factprobe.reading.language import in_order, phrases, vocabulary
from factprobe.reading.tokens import key_of
from factprobe.records import Span
from factprobe.text import normalise, straighten_quotes

POSSESSIVE = in_order("possessive_ending")[0]
_TOKEN = re.compile(rf"(?:{phrases('possessive_ending')})\b|[^\W_]+(?:['.][^\W_]+)*|[,;:()]|#|--|[–—]|(?<=\s)-(?=\s)")
MENTION, VALUE = "@", "#"
"""Keys of a name and of a date or number, in sentences and in wordings."""
_DASHES = frozenset(("--", "–", "—", "-"))
DASH = "-"
MARKS = frozenset((",", ";", ":", "(", ")", DASH))
COPULA = in_order("copula")[0]
_IGNORED = vocabulary("article", "circa")
CLASSES = ("content", "and", "but", "relative", "verb", "preposition", "pronoun", "comma", "break")
"""Classes of words that part the ends of a pair more or less; each is counted on its own."""
AND = CLASSES.index("and")


@lru_cache(maxsize=1 << 16)
def word_of(text: str) -> tuple[str, int]:  # noqa: PLR0911  # a list of cases
    """Return the key of a word in small letters, and the number of its class in `CLASSES` (-1 for none)."""
    if text == VALUE:
        return text, -1
    if text in _DASHES:
        return DASH, CLASSES.index("break")
    if text in MARKS:
        return text, {",": 7, ";": 8, ":": 8}.get(text, -1)
    plain = normalise(text)
    if text in vocabulary("copula") or plain in vocabulary("copula_denied"):
        return COPULA, CLASSES.index("verb")
    lists = (
        vocabulary("link_and", "link_or"),
        vocabulary("begins_clause"),
        vocabulary("relative", "asks_person", "asks_place", "that"),
        vocabulary("auxiliary"),
        vocabulary("preposition"),
        vocabulary("speaker"),
    )
    for number, words in enumerate(lists, start=1):
        if plain in words:
            return plain, number
    if plain in vocabulary("personal", "thing", "personal_possessive", "thing_possessive"):
        return plain, CLASSES.index("pronoun")
    return key_of(text), -1 if not text[0].isalpha() or plain in vocabulary("function") else 0


def tokens(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[str, int, Span]]:
    """Yield the key, the class and the span of each word of a text, without articles."""
    for match in _TOKEN.finditer(straighten_quotes(text[start:end])):
        word = match[0].lower()
        if word not in _IGNORED:
            yield *word_of(word), (start + match.start(), start + match.end())
