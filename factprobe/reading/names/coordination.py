"""Names that share a part of theirs: tenor and soprano saxophone, hepatitis A, B and C."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence

from factprobe.reading.language import vocabulary
from factprobe.reading.names.forms import Forms
from factprobe.reading.names.tables import Mention
from factprobe.reading.words import Text

_LONGEST = 3
"""Words that a name may have beside the shared part."""
_LINKS = vocabulary("link_and", "link_or")
_MARKS = frozenset({",", "/"})
_GLUE = frozenset({"", "-"})


def with_shared(text: Text, mentions: list[Mention], forms: Forms) -> list[Mention]:
    """The mentions with those that leave out what they share with the one beside them in a list.

    Args:
        text: the reply.
        mentions: the names that were found as they are, left to right.
        forms: the names of the side that is asked for.
    """
    if _LINKS.isdisjoint(text.words) and _MARKS.isdisjoint(text.mark):
        return mentions
    taken = {i for mention in mentions for i in range(mention.start, mention.end)}
    named = frozenset(taken)
    found: list[Mention] = []
    lists: dict[tuple[int, int], list[list[int]]] = {}
    for mention in mentions:
        own = _names_of(mention, forms)
        if not own:
            continue
        place = text.sentences[mention.start], text.depth[mention.start]
        if place not in lists:
            lists[place] = _spans(text, *place, named)
        spans = lists[place]
        at = bisect_right(spans, mention.start, key=lambda span: span[0]) - 1
        for beside, before in ((range(at - 1, -1, -1), True), (range(at + 1, len(spans)), False)):
            for span in (spans[k] for k in beside):
                if not taken.isdisjoint(span) or not _may_share(text, span, forms, before=before):
                    break
                member = _member(text, span, own, forms, before=before)
                if member is None:
                    break
                found.append(member)
                taken.update(range(member.start, member.end))
    return sorted([*mentions, *found], key=lambda mention: mention.start)


def _spans(text: Text, sentence: int, depth: int, taken: Collection[int]) -> list[list[int]]:
    """The words of a sentence, in what commas and conjunctions part; brackets are passed over."""
    spans: list[list[int]] = [[]]
    for i in range(bisect_left(text.sentences, sentence), bisect_right(text.sentences, sentence)):
        if text.depth[i] > depth:
            continue
        links = text.words[i] in _LINKS and i not in taken
        if links or text.mark[i] not in _GLUE:
            spans.append([])
        if not links:
            spans[-1].append(i)
    return [span for span in spans if span]


def _names_of(mention: Mention, forms: Forms) -> list[Sequence[str]]:
    """The words of those names of an entity that have several."""
    return [words for uri in sorted(mention.uris) for words in forms.names(uri) if len(words) > 1]


def _may_share(text: Text, span: list[int], forms: Forms, *, before: bool) -> bool:
    """Whether a name may begin, or end, with one of the words beside a name."""
    words = text.words
    if before:
        return any(forms.begins(words[i]) for i in span[-_LONGEST:])
    return any(words[i] in forms.last_words for i in span[:_LONGEST])


def _member(text: Text, span: list[int], own: list[Sequence[str]], forms: Forms, *, before: bool) -> Mention | None:
    """The name that the words beside a name make with a part of it."""
    for size in range(min(_LONGEST, len(span)), 0, -1):
        part = span[-size:] if before else span[:size]
        said = [text.words[i] for i in part]
        may_be = forms.begins(said[0]) if before else said[-1] in forms.last_words
        for words in own if may_be else ():
            for cut in range(1, len(words)) if before else range(len(words) - 1, 0, -1):
                if not before and vocabulary("prefix").issuperset(words[:cut]):
                    continue  # New York and London are not New London
                whole = [*said, *words[cut:]] if before else [*words[:cut], *said]
                if uris := forms.bearers(" ".join(whole)):
                    return Mention(part[0], part[-1] + 1, uris)
    return None
