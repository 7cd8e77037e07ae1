"""What a statement or a yes/no question says, and the clauses of a reply, in the words that matter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from msgspec import Struct

from factprobe.reading.language import in_order, phrases, table, vocabulary
from factprobe.reading.tokens import key_of as key
from factprobe.reading.words import Text

_LEAD = re.compile(rf"(?:{phrases('telling_lead')}|{phrases('telling_asks')})\s*", re.IGNORECASE | re.DOTALL)
_ASKS = re.compile(rf"(?:{phrases('telling_asks')})", re.IGNORECASE)
_OPINION = re.compile(rf"(?:{phrases('telling_opinion')})\b")
_AUXILIARIES = vocabulary("auxiliary")
_IS = vocabulary("telling_is")
_NOW, _THERE = vocabulary("telling_now"), vocabulary("telling_there")
_CUTS, _CUTS_BEHIND_COMMA = vocabulary("telling_cuts"), vocabulary("telling_cuts_behind_comma")
_LY = in_order("adverb_ending")[0]
_SHORT = 4
"""Letters of a word that only ends like an adverb: fly."""
_PARTS = frozenset(";:–—")
"""Marks that part what is said from what is said beside it."""


class Stated(Struct, frozen=True):
    """What a statement or a yes/no question says."""

    words: tuple[str, ...]
    """Its words that matter, in their order, each by what its forms share."""
    adverbs: frozenset[str]
    """Those that matter wherever they stand: botanically."""
    plain: frozenset[str]
    """All its words, normalised."""
    text: str
    asks: bool
    """Whether it is a question, so that a sentence with nothing but its words answers it."""
    is_copular: bool
    """Whether it says what something is."""
    is_there: bool
    """Whether it says that there is something."""
    is_now: bool
    """Whether it says what is, so that what was is another matter."""


class Clause(Struct, frozen=True):
    """Some words of a text that say one thing."""

    text: Text
    places: tuple[int, ...]
    """Their numbers in the text; what stands in brackets is left out, and "I think that" before the rest."""
    is_first: bool
    """Whether it opens the text."""

    def words(self) -> list[str]:
        """The words, normalised."""
        return [self.text.words[i] for i in self.places]

    def keys(self) -> list[str]:
        """The words by what their forms share."""
        return [form(word) for word in self.words()]


@cache
def passed_over() -> frozenset[str]:
    """The words that need not be said again."""
    return (vocabulary("function") - vocabulary("telling_weighs")) | vocabulary("telling_light")


@cache
def _plain_forms() -> dict[str, str]:
    """The forms of irregular verbs, with the one that the others are forms of."""
    return {other: verb for verb, others in table("negation_irregular").items() for other in others}


@lru_cache(maxsize=1 << 14)
def form(word: str) -> str:
    """What the forms of a normalised word share; those of an irregular verb as well."""
    return key(_plain_forms().get(word, word))


def is_adverb(word: str) -> bool:
    """Whether a word may stand anywhere in a sentence."""
    return len(word) > _SHORT and word.endswith(_LY)


@lru_cache(maxsize=1 << 12)
def stated(question: str) -> Stated:
    """What a statement or a yes/no question says.

    Args:
        question: the statement alone, the question, or a question that gives a statement.
    """
    lead = _LEAD.match(question)
    text = Text(question[lead.end() :] if lead else question)
    words = text.words
    is_asked = _ASKS.match(question) is not None
    asks = bool(words) and lead is None and words[0] in _AUXILIARIES
    own = [i for i, word in enumerate(words) if word not in passed_over() and not is_adverb(word)]
    first = own[0] if own else 0
    verb = words[0] if asks else next((word for word in words[first + 1 :] if word in _AUXILIARIES), "")
    is_there = not _THERE.isdisjoint(words[1:2] if asks else words[:1])
    return Stated(
        tuple(form(words[i]) for i in own),
        frozenset(form(word) for word in words if is_adverb(word) and word not in passed_over()),
        frozenset(words),
        question if is_asked else text.source,
        asks or is_asked,
        verb in _IS,
        is_there,
        verb in _NOW,
    )


def clauses_in(text: Text) -> Iterator[Clause]:
    """The clauses of a text, without its questions."""
    found: list[int] = []
    is_first = True
    for i in range(len(text)):
        if text.depth[i]:
            continue
        if found and _begins(text, i, found[-1]):
            yield from _clause(text, found, is_first)
            found, is_first = [], False
        found.append(i)
    yield from _clause(text, found, is_first)


def _begins(text: Text, i: int, last: int) -> bool:
    """Whether a clause begins at a word.

    Args:
        text: what is read.
        i: the word.
        last: the one before it that stands in no bracket.
    """
    word, mark, behind = text.words[i], text.mark[i], text.words[i + 1 : i + 2]
    if text.sentences[i] != text.sentences[last] or not _PARTS.isdisjoint(mark):
        return True
    is_time = any(map(str.isdigit, behind))  # since 2006
    return (word in _CUTS and not is_time) or ("," in mark and word in _CUTS_BEHIND_COMMA)


def _clause(text: Text, places: Sequence[int], is_first: bool) -> Iterator[Clause]:
    opinion = _OPINION.match(" ".join([text.words[i] for i in places]))
    told = places[len(opinion[0].split()) :] if opinion else places
    if told and text.sentences[told[0]] not in text.asks:
        yield Clause(text, tuple(told), is_first)
