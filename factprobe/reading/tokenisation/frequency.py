"""English word frequencies, from the word list of pyspellchecker."""

from __future__ import annotations

import gzip
import math
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files

import msgspec

_SMOOTHING = 20
"""Number of occurrences that are added for each word, for smoothing."""


@cache
def _counts() -> tuple[Mapping[str, int], int]:
    """Return the number of occurrences of each word, and their sum; pyspellchecker's own class takes twice the time."""
    import spellchecker

    packed = files(spellchecker).joinpath("resources", "en.json.gz").read_bytes()
    counts = msgspec.json.decode(gzip.decompress(packed), type=dict[str, int])
    return counts, sum(counts.values())


def is_known(word: str) -> bool:
    """Return whether a lower-case word is in the list, so that a misspelling is unlikely."""
    return word in _counts()[0]


@lru_cache(maxsize=1 << 16)
def rarity(word: str) -> float:
    """Return the rarity of a lower-case word in (0, 1]: about 0.2 for the most frequent words, 1 for unknown words.

    It is the logarithm of the relative frequency, divided by that of a word that is not in the list.
    """
    counts, total = _counts()
    return math.log((counts.get(word, 0) + _SMOOTHING) / total) / math.log(_SMOOTHING / total)
