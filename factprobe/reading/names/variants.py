"""Search for right names that are misspelt."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

from factprobe.reading.language import vocabulary
from factprobe.reading.names.boundaries import is_whole
from factprobe.reading.names.fuzzy import beginnings, misspelt
from factprobe.reading.names.name_tables import NameMention
from factprobe.reading.tokenisation.tokenised_text import Text

_SEARCHED_WORDS = 400
"""Number of words at the beginning of a text in which misspelt names are searched for."""
_MAX_WHOLE_REPLY = 4
"""Maximum number of words of a reply that is also compared as a whole."""

RightNames = tuple[Mapping[str, str], Container[str]]
"""URIs by normalised right names, and the right names that are written in lower case."""


def variants(
    text: Text, right: RightNames, known: Container[str], asked: frozenset[str], mentions: Iterable[NameMention]
) -> list[NameMention]:
    """Return the mentions of right names that are misspelt.

    Args:
        text: Reply, split into words.
        right: Right names.
        known: Normalised names of the relation's entities, which are no misspellings of others.
        asked: Normalised words of the question; a mention needs another word.
        mentions: Mentions that match exactly; their words are not searched.
    """
    (names, terms), words = right, text.words
    prefixes = beginnings(names)
    starts = [i for i, word in enumerate(words[:_SEARCHED_WORDS]) if word.startswith(prefixes)]
    if not starts:
        return []
    covered = {i for mention in mentions for i in range(mention.start, mention.end)}
    misspellings: list[NameMention] = []
    function_words, lines, count = vocabulary("function"), text.lines, len(words)
    lengths = {len(name.split()) + more for name in names for more in (-1, 0, 1)} - {0}
    sizes = sorted(lengths | ({count} if count <= _MAX_WHOLE_REPLY else set()), reverse=True)
    for start in starts:
        if start in covered or words[start] in function_words:
            continue
        for size in sizes:
            end = start + size
            if end > count or words[end - 1] in function_words or lines[start] != lines[end - 1]:
                continue
            if not covered.isdisjoint(range(start, end)) or asked.issuperset(words[start:end]):
                continue
            name = misspelt(" ".join(words[start:end]), names, known, terms)
            if name is not None:
                mention = NameMention(start, end, frozenset((names[name],)))
                if is_whole(text, mention, set()):
                    misspellings.append(mention)
                    covered.update(range(start, end))
                break
    return misspellings
