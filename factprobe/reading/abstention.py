"""Whether a reply declines to answer."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from factprobe.reading.families import Families
from factprobe.reading.language import in_order, lines, phrases


def declines(normalised: str) -> bool:
    """Whether a normalised reply declines to answer: by a phrase anywhere in it, or by a word that is all of it."""
    return _declines(normalised) if len(normalised) < _OFTEN else _search(normalised)


_OFTEN = 80
"""Letters of a reply that may well come again."""


@lru_cache(maxsize=1 << 13)
def _declines(normalised: str) -> bool:
    return only_declines(normalised) or _search(normalised)


def _search(normalised: str) -> bool:
    return _abstentions()[0].within(normalised)


_POLITE_BEFORE = re.compile(rf"(?:(?:{phrases('polite_before')}) )*")
_POLITE_BEHIND = re.compile(rf"(?: (?:{phrases('polite_behind')}))+$")
_POLITE_ENDS = tuple(f" {phrase}" for phrase in in_order("polite_behind"))


def only_declines(normalised: str) -> bool:
    """Whether a normalised reply is nothing but a word or a phrase of abstention."""
    if normalised.isascii() and normalised.partition(" ")[0] not in _leads():
        return False
    anywhere, alone = _abstentions()
    polite = _POLITE_BEFORE.match(normalised)
    bare = normalised[polite.end() if polite else 0 :]
    normalised = (_POLITE_BEHIND.sub("", bare) if bare.endswith(_POLITE_ENDS) else bare) or normalised
    return alone.are_all_of(normalised) or anywhere.are_all_of(normalised)


def may_decline(words: Iterable[str]) -> bool:
    """Whether a reply in ASCII may decline to answer: one of its words begins a phrase of abstention."""
    return not _firsts().isdisjoint(words)


def without_abstentions(normalised: str) -> str:
    """A normalised text without its phrases of abstention: the "no" of "no idea" is none."""
    return _abstentions()[0].taken_out(normalised)


def says_nobody(normalised: str, name: str) -> bool:
    """Whether a normalised reply says that there is nobody or nothing of a name.

    Args:
        normalised: the reply.
        name: normalised; empty where it is not known.
    """
    marked = f" {normalised} ".replace(f" {name} ", f" {_NAME} ").strip() if name else normalised
    return _nobody().within(marked)


_NAME = "§"
"""Stands for the name in the phrases."""


@cache
def _nobody() -> Families:
    return Families(lines("nobody.txt"))


@cache
def _firsts() -> frozenset[str]:
    return frozenset().union(*(families.firsts for families in _abstentions()))


@cache
def _leads() -> frozenset[str]:
    """The words with which a reply in ASCII begins that is nothing but a phrase, or polite words and one."""
    return _firsts().union(phrase.partition(" ")[0] for phrase in in_order("polite_before"))


@cache
def _abstentions() -> tuple[Families, Families]:
    """The phrases that decline anywhere in a reply, and those that decline only as the whole of one."""
    every = lines("abstentions.txt")
    defined = [line for line in every if ":=" in line]
    alone = [line[1:] for line in every if line.startswith("=")]
    return Families(line for line in every if not line.startswith("=")), Families([*defined, *alone])
