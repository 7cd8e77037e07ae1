"""Right names in a text in another form: misspelt, with further names in between, or for initials."""

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
    """The right names that stand in a text in another form.

    Args:
        text: the reply.
        names: the words of the right names, with their URIs.
        known: those of the relation's entities; a name that is one of them is no variant of another.
        asked: the words of the question, of which alone no name is made.
        mentions: the names that were found as they are.
    """
    taken = {i for mention in mentions for i in range(mention.start, mention.end)}
    found = [Mention(*span, frozenset((names[name],))) for name in names for span in _in_full(text, name, taken)]
    taken.update(i for mention in found for i in range(mention.start, mention.end))
    initials = [name for name in names if 1 < len(name.split()[0]) < 4 and " " in name]
    lengths = {len(name.split()) + more for name in names for more in (-1, 0, 1)} - {0}
    sizes = sorted(lengths | ({len(text)} if len(text) <= _SHORT else set()), reverse=True)
    begins = beginnings(names)
    passed, words, lines, count = vocabulary("function"), text.words, text.lines, len(text)
    for start in range(min(count, _FAR)):
        if words[start] in passed or start in taken or not words[start].startswith(begins):
            continue
        for size in sizes:
            end = start + size
            if end > count or words[end - 1] in passed or lines[start] != lines[end - 1]:
                continue
            if not taken.isdisjoint(range(start, end)) or asked.issuperset(words[start:end]):
                continue
            said = " ".join(words[start:end])
            parted = initials and any(text.mark[i] not in ("", "-") for i in range(start + 1, end))
            full = None if parted else next((name for name in initials if _spells_out(said.split(), name)), None)
            name = full or misspelt(said, names, known)
            if name is not None:
                mention = Mention(start, end, frozenset((names[name],)))
                if is_whole(text, mention, set()):
                    found.append(mention)
                    taken.update(range(start, end))
                break
    return found


def _spells_out(words: list[str], name: str) -> bool:
    """Whether words are a name whose first names are given by initials only: Thomas Stearns Eliot, T. S. Eliot."""
    first, *rest = name.split()
    names = len(words) - len(rest)
    return names == len(first) and words[names:] == rest and "".join(word[0] for word in words[:names]) == first


def _in_full(text: Text, name: str, taken: set[int]) -> list[tuple[int, int]]:
    """Where a name of two or more words stands with further names within it: Fyodor Mikhailovich Dostoevsky."""
    words = name.split()
    found: list[tuple[int, int]] = []
    if len(words) < 2 or words[0] not in text.words:
        return found
    for start, word in enumerate(text.words[:_FAR]):
        if word != words[0] or not text.capital[start]:
            continue
        for end in range(start + len(words) + 1, min(start + len(words) + 4, len(text) + 1)):
            inner = range(start + 1, end)
            whole = all(text.capital[i] and not text.mark[i] for i in inner) and taken.isdisjoint(range(start, end))
            rest = iter(text.words[start:end])
            if whole and text.words[end - 1] == words[-1] and all(word in rest for word in words):
                found.append((start, end))
                break
    return found
