"""Right names that a text misspells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from factprobe.reading.language import vocabulary
from factprobe.reading.names.near import Known, beginnings, misspelt
from factprobe.reading.names.tables import Mention
from factprobe.reading.names.whole import is_whole
from factprobe.reading.words import Text

_FAR = 400
"""Words in which a variant is looked for."""
_SHORT = 4
"""Words of a reply that may be one name."""


def variants(
    text: Text, names: Mapping[str, str], known: Known, asked: frozenset[str], mentions: Iterable[Mention]
) -> list[Mention]:
    """The right names that a text misspells.

    Args:
        text: the reply.
        names: the words of the right names, with their URIs.
        known: those of the relation's entities; a name that is one of them is no variant of another.
        asked: the words of the question, of which alone no name is made.
        mentions: the names that were found as they are.
    """
    begins, words = beginnings(names), text.words
    starts = [i for i, word in enumerate(words[:_FAR]) if word.startswith(begins)]
    if not starts:
        return []
    taken = {i for mention in mentions for i in range(mention.start, mention.end)}
    found: list[Mention] = []
    passed, lines, count = vocabulary("function"), text.lines, len(words)
    starts = [i for i in starts if words[i] not in passed and i not in taken]
    if not starts:
        return found
    lengths = {len(name.split()) + more for name in names for more in (-1, 0, 1)} - {0}
    sizes = sorted(lengths | ({count} if count <= _SHORT else set()), reverse=True)
    for start in starts:
        if start in taken:
            continue
        for size in sizes:
            end = start + size
            if end > count or words[end - 1] in passed or lines[start] != lines[end - 1]:
                continue
            if not taken.isdisjoint(range(start, end)) or asked.issuperset(words[start:end]):
                continue
            name = misspelt(" ".join(words[start:end]), names, known)
            if name is not None:
                mention = Mention(start, end, frozenset((names[name],)))
                if is_whole(text, mention, set()):
                    found.append(mention)
                    taken.update(range(start, end))
                break
    return found
