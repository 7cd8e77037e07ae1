"""Fuzzy matching of misspelt names."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterable
from functools import cache, lru_cache

from factprobe.reading.language import vocabulary
from factprobe.reading.tokenisation.frequency import is_known

_SHARE = 0.2
"""Maximum number of edits per letter: one for five letters, two for ten."""
_LEAST = 5
"""Minimum length of names for fuzzy matching; shorter ones have too many neighbours, such as Iran and Iraq."""
_NUMERAL = re.compile("[ivx]+")
_ALIKE = ("ckq", "ct", "fp", "ijy", "sz", "vw")
"""First letters that transliterations exchange; misspellings hardly ever change the first letter."""


def misspelt(said: str, right: Collection[str], known: Container[str]) -> str | None:
    """Return the right name that a normalised text misspells, or None.

    It returns None if the text is another known name (of the relation, or of a country), or if both are words of the
    dictionary.

    Args:
        said: Normalised name in the reply.
        right: Normalised names of the right answers.
        known: Normalised names of the relation's entities.
    """
    best, distance = None, 0
    for name in right:
        if not said.startswith(_beginnings(name)):
            continue
        found = _edits(said, name)
        if found is not None and (best is None or found < distance):
            best, distance = name, found
    if best is None or said in known or (said in vocabulary("region") and best != said):
        return None
    if best != said and " " not in said and is_known(said) and is_known(best):
        return None  # hypotension for hypertension
    return best


def beginnings(right: Iterable[str]) -> tuple[str, ...]:
    """Return the prefixes of texts that may misspell any of the given names."""
    return tuple({beginning for name in right for beginning in _beginnings(name)})


@lru_cache(maxsize=1 << 12)
def _beginnings(name: str) -> tuple[str, ...]:
    """Return the first letter of a name, its common replacements, and the first two letters transposed."""
    return (name[:1], *_alike(name[:1]), name[1::-1])


def _alike(letter: str) -> set[str]:
    return {other for letters in _ALIKE if letter in letters for other in letters if letter}


def _edits(said: str, name: str) -> int | None:
    """Return the edit distance between a text and a name; None if they are not close enough."""
    longest = max(len(said), len(name))
    if abs(len(said) - len(name)) > 4 or not said:
        return None
    if longest < _LEAST:
        pairs = zip(said, name, strict=False)
        is_near = len(said) == len(name) == _LEAST - 1 and all(a == b or a in _alike(b) for a, b in pairs)
        return 1 if is_near else None  # as in Kiew, Kiev
    if said.isdigit() or _digits(said) != _digits(name) or _exact_parts(said) != _exact_parts(name):
        return None
    most = max(int(longest * _SHARE), 1)
    edits = _distance()(said, name, score_cutoff=most)
    if edits > most and (" " in said) != (" " in name):  # as in Nay Pyi Taw, Naypyidaw
        said, name = said.replace(" ", ""), name.replace(" ", "")
        edits = _distance()(said, name, score_cutoff=most)
    return edits if edits <= most else None


def _digits(text: str) -> list[str]:
    return [] if text.isalpha() else [c for c in text if c.isdigit()]


@lru_cache(maxsize=1 << 12)
def _exact_parts(name: str) -> list[str]:
    """Return the parts of a name that must match exactly: numerals and single letters ("Henry VIII", "Vitamin B")."""
    return [word for word in name.split() if len(word) < 2 or _NUMERAL.fullmatch(word)]


@cache
def _distance() -> Callable[..., int]:
    """Return the function for the edit distance with transpositions (OSA), which is imported on first use."""
    from rapidfuzz.distance import OSA

    return OSA.distance
