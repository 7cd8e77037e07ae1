"""The pairs of names in a sentence of which its words may tell a relation, and which words these are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from factprobe.claims.facts import EntityMention
from factprobe.claims.tokens import COPULA, Token, tokens
from factprobe.claims.wordings import Around
from factprobe.reading.language import vocabulary

_FAR = 20
"""Names of one sentence that may stand between the two of a claim: a list of objects."""
_JOINS = vocabulary("link_and", "link_or")
_RELATIVE = vocabulary("relative", "asks_person")


class Pair(NamedTuple):
    """Two names of a sentence, and the words that may tell a relation of them."""

    first: EntityMention
    second: EntityMention
    around: Around


def pairs(text: str, start: int, end: int, mentions: Sequence[EntityMention]) -> Iterator[Pair]:
    """The names that a relation may be told of: beside each other, or with a list or another statement in between."""
    bounds = [start, *(place for one in mentions for place in (one.start, one.end)), end]
    gaps = [tokens(text, bounds[i], bounds[i + 1]) for i in range(0, len(bounds), 2)]
    joins = [False, *map(_is_glue, gaps[1:-1]), False]
    for second in range(1, len(mentions)):
        for first in range(max(second - _FAR, 0), second):
            around = _around(first, second, gaps, joins)
            if around is not None:
                before, between, after = around
                yield Pair(mentions[first], mentions[second], (gaps[before], gaps[between], gaps[after]))


def _around(
    first: int, second: int, gaps: Sequence[Sequence[Token]], joins: Sequence[bool]
) -> tuple[int, int, int] | None:
    """The gaps before, between and behind two names in which the words are that are said of both; None for no such.

    Gap `i` stands before name `i`.
    """
    if any(word.text == ";" for gap in gaps[first + 1 : second + 1] for word in gap):
        return None
    if second == first + 1:
        of_other = first > 0 and gaps[second][:1] and gaps[second][0].text in _JOINS
        return None if of_other and _begins_statement(gaps[second][1:]) else (first, second, second + 1)
    if all(joins[first + 2 : second + 1]):
        last = next(i for i in range(second, len(gaps) - 1) if not joins[i + 1])
        if _is_joined(gaps[first + 2 : last + 1]) and not _begins_statement(gaps[last + 1]):
            return first, first + 1, last + 1  # borders Spain, Italy and Germany
    if all(joins[first + 1 : second]):
        begin = next(i for i in range(first, -1, -1) if not joins[i])
        behind_other = begin > 0 and gaps[begin][-1:] and gaps[begin][-1].text.isalpha()
        if _is_joined(gaps[begin + 1 : second]) and not behind_other:
            return begin, second, second + 1  # Spain and Italy border
    words = [word.text for word in gaps[second][:2]]
    carries = first == 0 and words and (words[0] == "," or words[0] in _JOINS) and _RELATIVE.isdisjoint(words)
    return (first, second, second + 1) if carries else None  # was born in Ulm and died in


def _begins_statement(gap: Sequence[Token]) -> bool:
    """Whether the words behind a name say something of it: its verb, or what is its own."""
    return bool(gap) and (gap[0].says or gap[0].key == COPULA or gap[0].text[0] == "'")


def _is_glue(gap: Sequence[Token]) -> bool:
    return bool(gap) and all(word.text == "," or word.text in _JOINS for word in gap)


def _is_joined(gaps: Iterable[Sequence[Token]]) -> bool:
    """Whether what parts the names of a list joins them somewhere; commas alone may part a place from its country."""
    return any(word.text in _JOINS for gap in gaps for word in gap)
