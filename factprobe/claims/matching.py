"""How the words around two names meet the words of a wording."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from factprobe.claims.direction import is_of_its_kind, is_straight
from factprobe.claims.tokens import AKIN, SAME, Token, level
from factprobe.claims.told import Around, RelationWording, Told
from factprobe.records import Span

_MOST = 6
"""Words that say something of their own and may stand between those of a wording."""
_BESIDE = 2
"""Those of them where the wording's own words stand before the first name or behind the second."""
_LOOSE = 1
"""Those of them where a word only says the same as one of the wording."""
_TURNED, _FRAMED, _EXTRA, _MINOR = 0.5, 0.1, 0.05, 0.3
_NONE = 0, -1


def ways(wording: RelationWording, around: Around) -> Iterator[Told]:
    """A relation as the words tell it, straight or the other way round: developed, was developed by."""
    told = _told(wording, around)
    if told is None or not is_of_its_kind(wording, told, around[1]):
        return
    if is_straight(wording, told, around[1]):
        yield told
    elif not (wording.parts[0] or wording.parts[2]):
        yield told._replace(subject_first=not told.subject_first, score=told.score - _TURNED, firm=False, turned=True)


class _Met(NamedTuple):
    """How far the words of one part of a wording are met."""

    levels: list[float]
    """Of those that it turns on."""
    minor: int
    """Others of them that are met."""
    extra: int
    """Words of the text between them that say something of their own."""
    said: Span
    """The first and the last of all words of the text that are met; (0, -1) where there is none."""
    turning: Span
    """The first and the last that it turns on."""


def _told(wording: RelationWording, around: Around) -> Told | None:
    levels: list[float] = []
    places: list[Span] = []
    minor = extra = 0
    said = None
    for number, part in enumerate(wording.parts):
        if number != 1 and not part:
            places.append(_NONE)
            continue
        met = _met(part, around[number], wording.turns_on, number)
        if met is None:
            return None
        if met.levels and said is None:
            said = number, *met.said
        levels += met.levels
        minor, extra = minor + met.minor, extra + met.extra
        places.append(met.turning)
    total = wording.size - len(levels)
    is_whole = minor == total and not extra
    least = min(levels, default=0.0)
    if not (levels or is_whole) or (levels and least < AKIN and extra > _LOOSE):
        return None
    score = sum(levels) / len(levels) if levels else 0.5
    score += _MINOR * (minor / total if total else 1) - _EXTRA * extra - _FRAMED * wording.framed
    firm = is_whole and least == SAME
    before, between, after = places
    said = said or (1, 0, len(around[1]) - 1)
    return Told(wording.relation, wording.subject_first, score, firm, False, said, wording, (before, between, after))


def _met(part: Sequence[Token], words: Sequence[Token], turns_on: frozenset[str], number: int) -> _Met | None:
    """Finds the words of a part in those of a text, in order; None where one that it turns on is missing.

    Args:
        part: of a wording.
        words: of the text.
        turns_on: the keys of the words without which it is not told.
        number: 0 for what stands before the names, 1 for what is between them, 2 for what stands behind them.
    """
    if number == 0:  # read from the name outwards
        return _met(part[::-1], words[::-1], turns_on, 2)
    places: list[int] = []
    levels: list[float] = []
    first = last = minor = at = 0
    open_: list[Token] = []
    for word in part:
        if word.key not in turns_on:
            open_.append(word)
            continue
        for place in range(at, len(words)):
            found = level(word, words[place])
            if found:
                break
        else:
            return None
        first, last = first if levels else place, place
        levels.append(found)
        if open_:
            met = _in_order(open_, words, at, place, places)
            if number != 1 and not at and not met:
                return None  # the capital of, not the capital and
            minor += met
            open_ = []
        places.append(place)
        at = place + 1
    if open_:
        minor += _in_order(open_, words, at, len(words) if number == 1 else at + len(open_), places)
    if number == 1 and not levels and minor < len(part) and any(word.text[0].isalnum() for word in words):
        return None  # of small words alone all have to be there
    extra = _extra(words if number == 1 else words[: max(places, default=-1) + 1], places)
    if extra > (_MOST if levels and number == 1 else _BESIDE):
        return None
    said = (min(places), max(places)) if places else _NONE
    return _Met(levels, minor, extra, said, (first, last) if levels else _NONE)


def _extra(words: Sequence[Token], places: Sequence[int]) -> int:
    """How many words say something of their own, those at some places left out."""
    return sum([word.says for word in words]) - sum([words[i].says for i in places])


def _in_order(wanted: Sequence[Token], words: Sequence[Token], start: int, end: int, places: list[int]) -> int:
    """How many of some words stand in a part of others, in order; their places are noted."""
    found = 0
    for word in wanted:
        for place in range(start, min(end, len(words))):
            if words[place].key == word.key:
                places.append(place)
                start, found = place + 1, found + 1
                break
    return found
