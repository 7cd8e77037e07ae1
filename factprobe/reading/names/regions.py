"""Names of countries and states, which may follow a place name (Naples, Florida)."""

from __future__ import annotations

from functools import cache

from factprobe.reading.language import table, vocabulary
from factprobe.text import fold

MAX_REGION_WORDS = 3
"""Maximum number of words of a region that is looked for after a place name."""


def is_region_text(text: str) -> bool:
    """Return whether a text is the name of a country or state, or a state's postal abbreviation."""
    name = fold(text).replace(".", "")
    return name in vocabulary("region") or (text.isupper() and name in states().values())


def region_code(text: str) -> str:
    """Return the code of a US state, or the name of another country or state; empty for the USA and other texts."""
    name = fold(text)
    if name in states().values() and text.isupper():
        return name
    is_country = name in vocabulary("region") and name not in vocabulary("country_of_states")
    return states().get(name, name if is_country else "")


def are_apart(one: str, other: str) -> bool:
    """Return whether two codes are of different regions, at least one of them a US state; others may be nested."""
    return "" not in (one, other) and one != other and not {one, other}.isdisjoint(states().values())


@cache
def states() -> dict[str, str]:
    """Return the postal abbreviation of each US state by its normalised name."""
    return {name: codes[0] for name, codes in table("state").items()}
