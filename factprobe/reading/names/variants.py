"""Search for right names that are misspelt."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

from factprobe.reading.language import vocabulary
from factprobe.reading.names.boundaries import is_whole
from factprobe.reading.names.fuzzy import beginnings, misspelt
from factprobe.reading.names.name_tables import NameMention
from factprobe.reading.tokenisation.tokenised_text import Text

_FAR = 400
"""Number of words at the beginning of a text among which variants are searched."""
_SHORT = 4
"""Maximum number of words of a reply that is compared as a single name."""

RightNames = tuple[Mapping[str, str], Container[str]]


def variants(
    text: Text, right: RightNames, known: Container[str], asked: frozenset[str], mentions: Iterable[NameMention]
) -> list[NameMention]:
    """Return the mentions of right names that are misspelt.

    Args:
        text: Reply in words.
        right: URIs by the words of the right names, and those of the names that are in lower case.
        known: Names of the relation's entities, none of which is a variant of another name.
        asked: Words of the question; a variant needs another word.
        mentions: Mentions that match exactly.
    """
    (names, terms), words = right, text.words
    begins = beginnings(names)
    starts = [i for i, word in enumerate(words[:_FAR]) if word.startswith(begins)]
    taken = {i for mention in mentions for i in range(mention.start, mention.end)}
    found: list[NameMention] = []
    passed, lines, count = vocabulary("function"), text.lines, len(words)
    lengths = {len(name.split()) + more for name in names for more in (-1, 0, 1)} - {0}
    sizes = sorted(lengths | ({count} if count <= _SHORT else set()), reverse=True)
    for start in starts:
        if start in taken or words[start] in passed:
            continue
        for size in sizes:
            end = start + size
            if end > count or words[end - 1] in passed or lines[start] != lines[end - 1]:
                continue
            if not taken.isdisjoint(range(start, end)) or asked.issuperset(words[start:end]):
                continue
            name = misspelt(" ".join(words[start:end]), names, known, terms)
            if name is not None:
                mention = NameMention(start, end, frozenset((names[name],)))
                if is_whole(text, mention, set()):
                    found.append(mention)
                    taken.update(range(start, end))
                break
    return found
