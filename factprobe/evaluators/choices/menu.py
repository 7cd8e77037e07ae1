"""The list of all options that a reply repeats before its choice, or in which it says of each whether it is right."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from factprobe.reading.language import vocabulary
from factprobe.reading.names.tables import Mention
from factprobe.reading.words import Text

_REMARK = 6
"""Words behind an option that may say whether it is right."""
_REACH = 40
"""Mentions from the first option of a list on among which the others stand."""
_LIST_WORDS = vocabulary("link_and", "link_or")
_AND = vocabulary("link_and")
_YES, _NO = vocabulary("option_right"), vocabulary("option_wrong")


def without_menu(
    mentions: list[Mention], text: Text, letters: set[int], count: int
) -> tuple[list[Mention], set[int] | None]:
    """The mentions without a list of all options, in their order, that is repeated before the choice.

    Where the list says of each option whether it is right, those that are; None where it does not.
    """
    named = {mention.uris for mention in mentions}
    numbers = [frozenset({str(number)}) for number in range(count)]
    for first in range(len(mentions) - count + 1 if named.issuperset(numbers) else 0):
        if mentions[first].uris != numbers[0]:
            continue
        heads = _heads(mentions[first : first + _REACH], text, letters, count)
        if not heads:
            continue
        ends = [*(head.start for head in heads[1:]), _end_of_item(text, heads)]
        remarks = [text.words[head.end : min(end, head.end + _REMARK)] for head, end in zip(heads, ends, strict=True)]
        rest = mentions[bisect_left(mentions, ends[-1], key=lambda mention: mention.start) :]
        if not any(_LIST_WORDS.issuperset(remark) is False for remark in remarks):
            return rest, None
        wrong = {i for i, remark in enumerate(remarks) if not _NO.isdisjoint(remark)}
        right = {i for i, remark in enumerate(remarks) if not _YES.isdisjoint(remark)} - wrong
        if len(right) == 1 or len(wrong) >= count - 1:
            return rest, right or set(range(count)) - wrong
        if rest:
            return rest, None
    return mentions, None


def _heads(mentions: list[Mention], text: Text, letters: set[int], count: int) -> list[Mention]:
    """The options as a list gives them one by one: each with its letter, or at the beginning of a line."""
    found: list[Mention] = []
    for mention in mentions:
        starts_line = mention.start == 0 or text.lines[mention.start - 1] != text.lines[mention.start]
        if mention.uris == {str(len(found))} and (
            starts_line or (mention.start in letters and _goes_on(text, mention, found, count))
        ):
            found.append(mention)
            if len(found) == count:
                break
        elif not found or starts_line:
            return []
    lettered = all(head.start in letters for head in found)
    return found if len(found) == count and (lettered or count > 2) else []


def _goes_on(text: Text, mention: Mention, found: list[Mention], count: int) -> bool:
    """Whether an option with its letter follows those before it in a list that is written on one line."""
    if not found:
        return mention.end - mention.start > 1 or text.mark[mention.end : mention.end + 1] in ([":"], ["–"])
    gap = text.words[found[-1].end : mention.start]
    new = text.sentences[mention.start - 1] != text.sentences[mention.start]
    is_last = len(gap) == 1 and gap[0] in _AND and count > 2
    return (mention.end - mention.start > 1 or new) and (not gap or new or is_last)


def _end_of_item(text: Text, heads: list[Mention]) -> int:
    """The first word behind the last option of a list and what is said of it."""
    last = heads[-1].end - 1
    by_line = text.lines[heads[0].start] != text.lines[heads[-1].start]
    unit = text.lines if by_line else text.sentences
    stop = unit[last] + (not by_line and unit[last] in text.introduces)
    return bisect_right(unit, stop, last + 1)
