"""Places with the country or state that they lie in."""

from __future__ import annotations

from collections.abc import Sequence

from factprobe.reading.language import vocabulary
from factprobe.reading.names.regions import is_region
from factprobe.reading.names.tables import Mention
from factprobe.reading.words import Text

_IN = vocabulary("lies_in")
_ENDS = frozenset(region.rpartition(" ")[2] for region in vocabulary("region"))
"""The last words of the names of countries and states."""
_MARKS = ("", ",", "(", ",(")
"""Between a place and what says where it lies."""


def without_address(
    chosen: Sequence[Mention], text: Text, right: frozenset[str], *, several: bool = False
) -> list[Mention]:
    """The mentions without the country or state that says where the place before it lies: Ulm, Germany.

    Where the country is right and the place is not, the country stays: a town in Germany is in Germany.

    Args:
        chosen: the mentions.
        text: that they are in.
        right: the URIs of the right answers.
        several: whether there may be several answers, so that a right country stays beside the town.
    """
    if _ENDS.isdisjoint(text.words):
        return list(chosen)
    kept: list[Mention] = []
    for mention in chosen:
        if not kept or not _says_where(text, kept[-1], mention) or (several and not right.isdisjoint(mention.uris)):
            kept.append(mention)
        elif right.isdisjoint(kept[-1].uris) and not right.isdisjoint(mention.uris):
            kept[-1] = mention
    return kept


def _says_where(text: Text, place: Mention, region: Mention) -> bool:
    """Whether a mention is the country or state of the place before it."""
    start, words = region.start, text.words
    gap = start - place.end
    joined = text.mark[start] in _MARKS if gap < 1 else gap == 1 and words[place.end] in _IN
    return joined and is_region(words[start : region.end]) and not is_region(words[place.start : place.end])
