"""How often words stand in English texts, by the list of the package pyspellchecker."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache, lru_cache

_UNSEEN = 20
"""Occurrences that a word is taken to have beyond those counted; a word that is not in the list has these alone."""


@cache
def _counts() -> tuple[Mapping[str, int], int]:
    """Occurrences of each word, and of all."""
    from spellchecker import SpellChecker

    counts = SpellChecker(language="en").word_frequency.dictionary
    return counts, sum(counts.values())


def is_known(word: str) -> bool:
    """Whether a word in lower case is in the list, so that it is hardly a misspelling of another one."""
    return word in _counts()[0]


@lru_cache(maxsize=1 << 16)
def rarity(word: str) -> float:
    """How much a word in lower case says: 0 for one that makes up all texts, about 1 for one that is not in the list.

    The negative logarithm of its relative frequency, divided by that of a word that is not in the list.
    """
    counts, total = _counts()
    return math.log((counts.get(word, 0) + _UNSEEN) / total) / math.log(_UNSEEN / total)
