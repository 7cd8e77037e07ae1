"""Names of countries and states, which may follow a place name (Naples, Florida)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from factprobe.reading.language import table, vocabulary
from factprobe.reading.tokenisation.tokens import Words
from factprobe.text import fold

_MAX_WORDS = 3
"""Maximum number of words of a region that is looked for after a place name."""


def is_region_text(text: str) -> bool:
    """Return whether a text is the name of a country or state, or a state's postal abbreviation."""
    return bool(_code(text)) or fold(text).replace(".", "") in vocabulary("region")


def is_in_other_region(words: Words, end: int, names: Iterable[str]) -> bool:
    """Return whether another region than those in a place's names follows it: Arlington, Texas.

    Two regions are others only if one is a US state, since further ones may be nested.

    Args:
        words: Tokens of the text.
        end: Index after the last word of the place.
        names: Names of the place; those without a region do not count.
    """
    if end >= len(words) or words.source[words.ends[end - 1] : words.starts[end]].strip() not in (",", "("):
        return False
    stops = words.ends[end : end + _MAX_WORDS][::-1]
    region = next(filter(None, (_code(words.source[words.starts[end] : stop]) for stop in stops)), "")
    own = {code for name in names for part in name.split(", ")[1:] if (code := _code(part))}
    codes = frozenset(states().values())
    return bool(region and own) and region not in own and (region in codes or own <= codes)


def _code(text: str) -> str:
    """Return the code of a US state, or the name of another country or state; empty for the USA and other texts."""
    name = fold(text).replace(".", "")
    if text.isupper() and name in states().values():
        return name
    return states().get(name, name if name in vocabulary("region") - vocabulary("country_of_states") else "")


@cache
def states() -> dict[str, str]:
    """Return the postal abbreviation of each US state by its normalised name."""
    return {name: codes[0] for name, codes in table("state").items()}
