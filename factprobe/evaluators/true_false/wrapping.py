"""Statements embedded in a judgment: it would be wrong to say that …, there is no evidence that …"""

from __future__ import annotations

from collections.abc import Collection

from factprobe.reading.language import vocabulary
from factprobe.reading.stance.clauses import stem
from factprobe.reading.words import Text
from factprobe.records.graded import Side

_THAT, _NEGATIVE, _OTHERS = vocabulary("wraps"), vocabulary("wrap_negative"), vocabulary("wrap_others")
_NOUN, _POSITIVE = vocabulary("wrap_noun"), vocabulary("wrap_positive")
_FUNCTION = vocabulary("function")
_LONGEST = 12
"""Maximal number of words before the embedded statement."""
_MOST = 0.9
"""Minimal share of the statement's words in the embedded clause."""


def side_of_wrapped(text: Text, statement: Collection[str]) -> Side | None:
    """Return the side of a reply that embeds the statement after "that" with negative words before it.

    After a noun such as "claim" the words behind the statement count instead (the claim that … is unfounded). Two
    negative words cancel out (there is no doubt that). Return None if there is no such
    sentence, or it reports others.

    Args:
        text: the reply.
        statement: the words of the statement.
    """
    own = {stem(word) for word in statement if word not in _FUNCTION}
    start = 0
    for i in range(1, len(text) + 1):
        if i < len(text) and text.sentences[i] == text.sentences[start]:
            continue
        words = text.words[start:i]
        start = i
        that = next((at for at, word in enumerate(words[:_LONGEST]) if word in _THAT), 0)
        before, behind = words[:that], words[that:]
        said = [stem(word) for word in behind]
        if not own or len(own.intersection(said)) < _MOST * len(own) or not _OTHERS.isdisjoint(before):
            continue
        judging = before
        if not _NOUN.isdisjoint(before):
            judging = behind[max(i for i, word in enumerate(said) if word in own) + 1 :]
        negatives = sum(word in _NEGATIVE for word in judging)
        if negatives or (judging is not before and not _POSITIVE.isdisjoint(judging)):
            return "incorrect" if negatives % 2 else "correct"
    return None
