"""Names of countries and states, which may follow a place name (Naples, Florida)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from factprobe.reading.language import table, vocabulary
from factprobe.text import fold


def is_region(words: Iterable[str]) -> bool:
    """Return whether normalised words are the name of a country or state."""
    return " ".join(words) in vocabulary("region")


def is_region_text(text: str) -> bool:
    """Return whether a text is the name of a country or state, or a state's postal abbreviation."""
    name = fold(text).replace(".", "")
    return name in vocabulary("region") or (text.isupper() and name in states().values())


@cache
def states() -> dict[str, str]:
    """Return the postal abbreviation of each state by its name."""
    return {name: codes[0] for name, codes in table("state").items()}
