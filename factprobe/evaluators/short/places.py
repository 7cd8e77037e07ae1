"""Places with the country or state that they lie in."""

from __future__ import annotations

from collections.abc import Sequence

from factprobe.reading.language import vocabulary
from factprobe.reading.names.regions import is_region
from factprobe.reading.names.tables import Mention
from factprobe.reading.words import Text

_IN = vocabulary("lies_in")


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
    kept: list[Mention] = []
    for mention in chosen:
        before = kept[-1] if kept else None
        if before is None or not _says_where(text, before, mention) or (mention.uris & right and several):
            kept.append(mention)
        elif mention.uris & right and not before.uris & right:
            kept[-1] = mention
    return kept


def _says_where(text: Text, place: Mention, region: Mention) -> bool:
    """Whether a mention is the country or state of the place before it."""
    gap, mark = text.words[place.end : region.start], text.mark[region.start]
    joined = (not gap and mark in (",", "", "(", ",(")) or (len(gap) == 1 and gap[0] in _IN)
    return joined and is_region(_words(text, region)) and not is_region(_words(text, place))


def _words(text: Text, mention: Mention) -> list[str]:
    return text.words[mention.start : mention.end]
