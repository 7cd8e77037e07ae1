"""The sentence of a reply that denies a statement in its own words: He was not born in Paris."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from functools import cache, lru_cache

from factprobe.evaluators.true_false.labels import LABEL, PARTLY
from factprobe.evaluators.true_false.sides import POSSIBLE
from factprobe.reading.abstention import declines
from factprobe.reading.asked import Asked
from factprobe.reading.language import phrases, table, vocabulary
from factprobe.reading.phrasing import Phrases
from factprobe.reading.tokens import key_of
from factprobe.text import normalise

DENIES = Phrases(rf"\b(?:{phrases('binary_restates_not')})\b")
_NOT_NAME = re.compile(rf"\b(?:{phrases('binary_bare_not')}) (?:\w+ )?(?P<name>[A-Z]\w*)")
_NOT_OTHER = re.compile(
    rf"(?:,| (?:{phrases('link_and')})) (?:{phrases('binary_bare_not')}) (?P<other>[^,.;:()]+)", re.IGNORECASE
)
_INSTEAD = Phrases(phrases("binary_instead"))
_IF = Phrases(rf"\b(?:{phrases('binary_whether')})\b")
_IMPOSSIBLE = Phrases(rf"\b(?:{phrases('binary_impossible')})\b")
_STOP = re.compile(r"(?<![.!?\n])[.!?\n]+(?:\s|$)")
_CLAUSE = re.compile(rf";|:\s|\s[-–]\s|—|,?\s(?=(?:{phrases('binary_cuts')}|{phrases('binary_cuts_too')})\s)")
_DIRECTS = vocabulary("telling_directs")


def denial_in(reply: str, asked: Asked, echoes: Set[str]) -> str:
    """The words of a reply that deny the statement; empty where none do.

    Args:
        reply: with words for signs.
        asked: what is asked.
        echoes: the words of the question and of such questions in general.
    """
    if asked.statement is None and not (vocabulary("telling_denies").isdisjoint(asked.words)):
        return ""  # who denies too agrees
    own = frozenset(map(form, echoes))
    for sentence in _STOP.split(reply):
        flat = normalise(_NOT_NAME.sub(lambda found: _unless_other(found, "name", own), sentence))
        if PARTLY.search(flat) or POSSIBLE.search(_IMPOSSIBLE.sub(" ", flat)):
            return ""
        if _puts_another(flat, asked, echoes) or any(_denies(part, asked, own) for part in _parts(sentence, own)):
            return sentence
    return ""


def _parts(sentence: str, own: Set[str]) -> Iterator[str]:
    """Yield a sentence, normalised, and its clauses, as a reason weighs nothing in a denial."""
    sentence = _NOT_OTHER.sub(lambda found: _unless_other(found, "other", own), sentence)
    sentence = _NOT_NAME.sub(lambda found: _unless_other(found, "name", own), sentence)
    clauses = _CLAUSE.split(sentence)
    for part in clauses if len(clauses) == 1 else [sentence, *clauses]:
        yield normalise(part)


def _denies(flat: str, asked: Asked, own: Set[str]) -> bool:
    """Whether a clause denies most of what is in it, and that is the statement's."""
    found = DENIES.search(flat)
    if found is None or _IF.search(flat[: found.start()]) or declines(flat):
        return False
    common = vocabulary("function")
    told = [form(word) for word in flat.split() if word not in common and not LABEL.fullmatch(word)]
    shared = [word for word in told if word in own]
    return len(shared) > 1 and len(shared) * 2 >= len(told) and _is_that_way_round(shared, asked)


def _is_that_way_round(shared: list[str], asked: Asked) -> bool:
    """Whether words stand in the order of a statement on which they hang: not all rectangles are squares."""
    if _DIRECTS.isdisjoint(asked.words) or asked.statement is not None:
        return True
    order = [*map(form, asked.words)]
    places = [order.index(word) for word in shared if word in order]
    return places == sorted(places)


def _unless_other(denied: re.Match[str], group: str, own: Set[str]) -> str:
    """What denies something, unless that is none of the question's: Paris is the capital, not Lyon."""
    words = [word for word in normalise(denied[group]).split() if word not in vocabulary("function")]
    return "" if own.isdisjoint(map(form, words)) else denied[0]


def _puts_another(flat: str, asked: Asked, echoes: Set[str]) -> bool:
    """Whether a normalised sentence puts another name in the place of the statement's: not Lyon but Paris."""
    found = _INSTEAD.search(flat)
    if found is None or (found[3] or "").rpartition(" ")[2] in vocabulary("function"):  # Rome is not Paris
        return False
    shown, other = frozenset((found[1] or found[4]).split()), frozenset((found[2] or found[3]).split())
    return shown <= frozenset(asked.words) and not other <= echoes | vocabulary("function", "hedge")


@cache
def _plain_forms() -> dict[str, str]:
    """Return the infinitive of each form of an irregular verb."""
    return {other: verb for verb, others in table("negation_irregular").items() for other in others}


@lru_cache(maxsize=1 << 14)
def form(word: str) -> str:
    """Return the stem of a normalised word; of an irregular verb that of its infinitive."""
    return key_of(_plain_forms().get(word, word))
