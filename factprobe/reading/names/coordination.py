"""Names that share a part of theirs: tenor and soprano saxophone, hepatitis A, B and C."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable

from factprobe.reading.language import vocabulary
from factprobe.reading.names.tables import Mention
from factprobe.reading.words import Text

_LONGEST = 3
"""Words that a name may have beside the shared part."""
_LINKS = vocabulary("link_and", "link_or")
_MARKS = frozenset({",", "/"})
_GLUE = frozenset({"", "-"})
Lookup = Callable[[str], frozenset[str] | None]
Names = Callable[[str], Iterable[str]]


def with_shared(text: Text, mentions: list[Mention], names: Names, lookup: Lookup) -> list[Mention]:
    """The mentions with those that leave out what they share with the one beside them in a list.

    Args:
        text: the reply.
        mentions: the names that were found as they are, left to right.
        names: the normalised names of an entity, by its URI.
        lookup: the URIs that bear a normalised name.
    """
    if _LINKS.isdisjoint(text.words) and _MARKS.isdisjoint(text.mark):
        return mentions
    taken = {i for mention in mentions for i in range(mention.start, mention.end)}
    named = frozenset(taken)
    found: list[Mention] = []
    lists: dict[tuple[int, int], list[list[int]]] = {}
    for mention in mentions:
        own = [words for uri in sorted(mention.uris) for name in names(uri) if len(words := name.split()) > 1]
        if not own:
            continue
        place = text.sentences[mention.start], text.depth[mention.start]
        if place not in lists:
            lists[place] = _spans(text, *place, named)
        spans = lists[place]
        at = bisect_right(spans, mention.start, key=lambda span: span[0]) - 1
        for beside, before in ((range(at - 1, -1, -1), True), (range(at + 1, len(spans)), False)):
            for span in (spans[k] for k in beside):
                member = None if taken.intersection(span) else _member(text, span, own, lookup, before=before)
                if member is None:
                    break
                found.append(member)
                taken.update(range(member.start, member.end))
    return sorted([*mentions, *found], key=lambda mention: mention.start)


def _spans(text: Text, sentence: int, depth: int, taken: Collection[int]) -> list[list[int]]:
    """The words of a sentence, in what commas and conjunctions part; brackets are passed over."""
    spans: list[list[int]] = [[]]
    for i, word in enumerate(text.words):
        if text.sentences[i] != sentence or text.depth[i] > depth:
            continue
        links = word in _LINKS and i not in taken
        if links or text.mark[i] not in _GLUE:
            spans.append([])
        if not links:
            spans[-1].append(i)
    return [span for span in spans if span]


def _member(text: Text, span: list[int], own: list[list[str]], lookup: Lookup, *, before: bool) -> Mention | None:
    """The name that the words beside a name make with a part of it."""
    for size in range(min(_LONGEST, len(span)), 0, -1):
        part = span[-size:] if before else span[:size]
        said = [text.words[i] for i in part]
        for words in own:
            for cut in range(1, len(words)) if before else range(len(words) - 1, 0, -1):
                if not before and vocabulary("prefix").issuperset(words[:cut]):
                    continue  # New York and London are not New London
                whole = [*said, *words[cut:]] if before else [*words[:cut], *said]
                if uris := lookup(" ".join(whole)):
                    return Mention(part[0], part[-1] + 1, uris)
    return None
