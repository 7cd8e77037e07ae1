"""In which state or country a reply has a place."""

from __future__ import annotations

from factprobe.evaluators.open.initials import same_as
from factprobe.reading.essence import Place
from factprobe.reading.language import vocabulary
from factprobe.reading.names.regions import is_region, is_region_at, state_at, state_of
from factprobe.reading.words import Text, name_words


def is_elsewhere(text: Text, name: str, place: Place, asked: frozenset[str]) -> bool:
    """Whether the reply goes on with another state than the one that the place lies in: Portland, Maine.

    People take a country for a state, or one country's name for another's: Surrey, England; Munich, Germany.
    """
    town, _, region = name.partition(",")
    words, end = name_words(region) if region.strip() else (), place[1]
    if not words or text.words[place[0] : end] != list(name_words(town)):
        return False
    if is_region(name_words(town)) and _is_region_itself(text, place, asked):
        return True
    if not is_region(words):
        return False
    behind = end + (end < len(text) and text.words[end] in vocabulary("lies_in"))
    state, union = state_at(text, behind), same_as("US") | same_as("USA")
    if state == "" and state_of(words):  # Cambridge, England, is not the one in Massachusetts
        return is_region_at(text, behind, but=union)
    return state not in ("", state_of(words)) and same_as(region).isdisjoint(union)


def _is_region_itself(text: Text, place: Place, asked: frozenset[str]) -> bool:
    """Whether what is called like a region is the region: Washington State; Seattle, Washington."""
    start, end = place
    if end < len(text) and not text.mark[end] and is_region(text.words[start : end + 1]):
        return True
    is_last = end == len(text) or text.mark[end] != ""
    town = text.words[start - 1] if start and text.mark[start] == "," and text.capital[start - 1] else ""
    common = vocabulary("function", "hedge", "exclamation", "region") | asked
    return is_last and town not in common | {""}
