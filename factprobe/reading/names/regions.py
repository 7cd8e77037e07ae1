"""The countries and states that say where a place lies."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from factprobe.reading.language import vocabulary
from factprobe.reading.names.forms import states
from factprobe.reading.words import Text

_MOST = 3
"""Words of a state's name."""


def state_at(text: Text, i: int) -> str:
    """The state, as an address cuts it, whose name begins at a word of a text; empty where none does."""
    for end in range(min(i + _MOST, len(text)), i, -1):
        if short := state_of(text.words[i:end]):
            return short
    return text.words[i] if i < len(text) and text.raw[i].isupper() and text.words[i] in states().values() else ""


def is_region_at(text: Text, i: int, but: Collection[str]) -> bool:
    """Whether the name of a country or state other than some begins at a word of a text."""
    names = [" ".join(text.words[i:end]) for end in range(i + 1, min(i + _MOST, len(text)) + 1)]
    return any(name in vocabulary("region") and name not in but for name in names)


def state_of(words: Iterable[str]) -> str:
    """How an address cuts the name of a state; empty where normalised words are none."""
    return states().get(" ".join(words), "")


def is_region(words: Iterable[str]) -> bool:
    """Whether normalised words are the name of a country or state."""
    return " ".join(words) in vocabulary("region")
