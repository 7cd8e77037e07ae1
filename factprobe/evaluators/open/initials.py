"""Names that stand for others by the first letters of their words: FBI, WWII, the U.S."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from factprobe.reading.essence import Place
from factprobe.reading.language import vocabulary
from factprobe.reading.names.forms import abbreviations
from factprobe.reading.values import ROMAN
from factprobe.reading.words import Text, name_words

_LEAST = 3
"""Letters that two names do not share by chance; fewer stand for a name only where a language pack says so."""
_MOST = 6


@lru_cache(maxsize=1 << 14)
def same_as(name: str) -> frozenset[str]:
    """What else a whole name is commonly called, cut or in full, normalised: of "US" usa, united states of america."""
    own = " ".join(name_words(name))
    found, new = set[str](), {own}
    while new - found:
        found |= new
        new = {other for pair in abbreviations() if not found.isdisjoint(pair) for other in pair}
    return frozenset(found - {own})


def short_for(name: str, text: Text, asked: Iterable[str]) -> Place | None:
    """Where a text has a name in its initials, which the question has not: all capitals, the number of a war whole."""
    wanted = {one for one in (_initials(name), *same_as(name)) if " " not in one}.difference(asked)
    if wanted.isdisjoint(text.words):
        return None
    places = (i for i, word in enumerate(text.words) if word in wanted and text.raw[i].isupper())
    return next(((i, i + 1) for i in places if not text.shouts()), None)


def spelled_out(name: str, text: Text) -> Place | None:
    """Where the words of a text have a name of capitals for their initials."""
    letters = name.replace(".", "").strip()
    if not (_LEAST <= len(letters) <= _MOST and letters.isalpha() and letters.isupper()):
        return None
    return next((place for i in range(len(text)) if (place := _spells(letters.lower(), text, i)) is not None), None)


@lru_cache(maxsize=1 << 14)
def _initials(name: str) -> str:
    """The first letters of a name's words that say something; empty where they are too few, too many or no name's."""
    text = Text(name)
    told = [i for i, word in enumerate(text.words) if word not in vocabulary("function")]
    found = "".join(_letters(text.words[i]) for i in told)
    is_name = len(told) > 1 and all(text.capital[i] for i in told)
    return found if is_name and _LEAST <= len(found) <= _MOST and found.isalpha() else ""


def _letters(word: str) -> str:
    return word if word in ROMAN else word[0]


def _spells(letters: str, text: Text, start: int) -> Place | None:
    """The words from one on that spell letters; words in between that say nothing may be left out."""
    at, end = 0, start
    while at < len(letters) and end < len(text):
        word = text.words[end]
        if text.capital[end] and letters.startswith(_letters(word), at):
            at += len(_letters(word))
        elif at == 0 or text.capital[end] or word not in vocabulary("function"):
            return None
        end += 1
    return (start, end) if at == len(letters) and end - start > 1 else None
