"""Whether a reply turns away from a right answer that it says: takes it back, or gives another one in the end."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import compress

from factprobe.reading.essence import Place
from factprobe.reading.language import vocabulary
from factprobe.reading.names.tables import Mention
from factprobe.reading.stance.clauses import clauses_of
from factprobe.reading.stance.commitment import Stance, may_turn, stance
from factprobe.reading.words import Text

_ITEM = re.compile(r"(?:(?<=\s)|^)(\d{1,2})(?=[.)]\s+\S)")
"""The number of an item of a list."""
_FEWEST = 3
"""Items of a list that is told from sentences that end in a number."""


def turns_away(
    text: Text, right: Sequence[Place], others: Sequence[Place], asked: Collection[str], predicate: Collection[str]
) -> bool:
    """Whether a reply takes a right answer back, says it as others' or former, or concludes with another one.

    Args:
        text: the reply.
        right: where it says right answers.
        others: where it says others of their kind.
        asked: the words of the question.
        predicate: the stems of those that it turns on.
    """
    if all(_is_beside(text, place, others, asked) for place in right):
        return True
    rights = {*right}
    places = sorted(rights.union(others))
    mentions = [Mention(*place, frozenset()) for place in places]
    if not may_turn(clauses_of(text, mentions, asked, predicate, {})):
        return False
    found = stance(text, mentions, asked, predicate)
    mine = {i for i, place in enumerate(places) if place in rights}
    final = _final(found)
    if final and mine.isdisjoint(final) and not found.unasked.issuperset(final):
        return True
    return mine <= found.told and any(
        _is_held_against(text, mentions, i, max(mine)) for i in found.said if i not in mine and i not in found.unasked
    )


def settles_on(
    text: Text, right: Sequence[Place], others: Sequence[Place], asked: Collection[str], predicate: Collection[str]
) -> bool:
    """Whether a reply that names several takes right answers alone of them: Lyon or Paris, but I would say Paris."""
    places = sorted({*right, *others})
    final = _final(stance(text, [Mention(*place, frozenset()) for place in places], asked, predicate))
    return bool(final) and all(places[i] in right for i in final)


def _is_beside(text: Text, place: Place, others: Sequence[Place], asked: Collection[str]) -> bool:
    """Whether a name is only that of who came before or after another one: Jefferson, preceded by John Adams."""
    at = place[0] - 1
    if (
        at < 1
        or text.words[at] not in vocabulary("agent")
        or text.words[at - 1] not in vocabulary("comes_beside") - {*asked}
    ):
        return False
    sentence = [i for i, number in enumerate(text.sentences) if number == text.sentences[at]]
    first = next((end for start, end in others if start in sentence and end < at), at)
    behind = {text.words[i] for i in sentence if i >= place[1]} - vocabulary("function")
    return first < at and behind.isdisjoint(asked) and {*asked}.isdisjoint(text.words[i] for i in sentence if i < first)


def _final(found: Stance) -> Sequence[int]:
    """The names that a reply ends with, where it corrects itself or draws a conclusion about what was asked."""
    final = found.mended or (found.concluded if found.firm else ())
    return () if found.unasked.issuperset(final) else final


def _is_held_against(text: Text, mentions: Sequence[Mention], other: int, told: int) -> bool:
    """Whether a name is given in the place of one that others believe: behind a "but", or alone before it."""
    start, end, believed = mentions[other].start, mentions[other].end, mentions[told].start
    sentence = [i for i, number in enumerate(text.sentences) if number == text.sentences[start]]
    if other > told:
        between = text.words[mentions[told].end : start]
        conceded = [text.words[i] for i in sentence if i < believed] if believed in sentence else []
        return not (vocabulary("turns").isdisjoint(between) and vocabulary("concedes").isdisjoint(conceded))
    concession = next((i for i in range(end, believed) if text.words[i] in vocabulary("concedes")), believed)
    behind = text.sentences[believed] > text.sentences[start] or text.depth[believed] > text.depth[start]
    behind = behind or concession < believed
    around = [
        text.words[i]
        for i in sentence
        if text.depth[i] == text.depth[start] and i < concession and not start <= i < end
    ]
    return behind and vocabulary("function", "hedge").issuperset(around)


def names_in(text: Text, asked: Collection[str]) -> Iterator[Place]:
    """The runs of words with capitals, but for those that say of what something is: the author of Emma."""
    common = vocabulary("function", "hedge", "exclamation", "label_before")
    goes_on = [
        capital and word not in common and word not in asked
        for word, capital in zip(text.words, text.capital, strict=True)
    ]
    if not vocabulary("name_particle").isdisjoint(text.words):
        _join_parts(text, goes_on)
    runs: list[Place] = []
    for i in compress(range(len(text)), goes_on):
        joined = runs and runs[-1][1] == i and text.mark[i] in ("", "-")
        runs.append((runs.pop()[0] if joined else i, i + 1))
    of = False
    for start, end in runs:
        before = text.words[start - 1] if start else ""
        of = before in vocabulary("name_of") or (of and before in vocabulary("link_and"))
        if not (of or _only_begins(text, start, end)):
            yield start, end


def _join_parts(text: Text, goes_on: list[bool]) -> None:
    """Lets a name go on over the particles in it."""
    particles = vocabulary("name_particle")
    for i in range(1, len(text)):
        end = i if goes_on[i - 1] else len(text)
        while end < len(text) and text.words[end] in particles and not (goes_on[end] or text.mark[end]):
            end += 1
        if i < end < len(text) and goes_on[end] and text.mark[end] in ("", "-"):
            goes_on[i:end] = [True] * (end - i)


def _only_begins(text: Text, start: int, end: int) -> bool:
    """Whether a capital is that of a sentence, as far as can be told: People say, and not Bell is, nor Bell alone."""
    begins = start == 0 or text.sentences[start - 1] != text.sentences[start]
    if not begins or end - start > 1 or end == len(text) or text.mark[end]:
        return False
    return text.words[end] not in vocabulary("verb", "link_and", "link_or")


def item_numbers(source: str) -> set[int]:
    """Where the numbers of the items of a list begin in a text: 1. Mercury 2. Venus 3. Earth."""
    found: list[int] = []
    for match in _ITEM.finditer(source):
        if int(match[1]) == len(found) + 1:
            found.append(match.start())
    return set(found) if len(found) >= _FEWEST else set()
