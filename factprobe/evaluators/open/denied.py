"""Whether a reply denies a name that it says, in words of its own."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection

from factprobe.reading.essence import Place
from factprobe.reading.language import vocabulary
from factprobe.reading.stance.denial import denies
from factprobe.reading.words import Text


def rules_out(text: Text, asked: Collection[str], place: Place) -> bool:
    """Whether it denies a name, in words that the question does not have: Ain't No Mountain is by Marvin Gaye.

    Args:
        text: the reply.
        asked: the words of the question.
        place: where it says the name, which it seems to rule out.
    """
    if denies(own_words(text, asked, place)) or _stands_behind_not(text, place):
        return True
    if text.sentences[place[0]] not in text.asks:
        return False
    behind = own_words(text, asked, place, 1)
    return not vocabulary("says_no").isdisjoint(behind.split()[:1])  # Ulm? No.


def _stands_behind_not(text: Text, place: Place) -> bool:
    """Whether a denial stands right before a name, whatever the question has: Which is not red? Mars, not Ulm."""
    words, before = text.words, place[0] - 1
    while before > 0 and words[before] in vocabulary("article"):
        before -= 1
    opens = before > 0 and words[before] in vocabulary("opens_denial")
    return opens and denies(" ".join(words[before : place[1] + 1]))  # not 100 % sure


def own_words(text: Text, asked: Collection[str], place: Place, first: int = -1) -> str:
    """The words of the sentence of a name, and of those beside it, which the question does not have.

    Args:
        text: the reply.
        asked: the words of the question.
        place: of the name.
        first: how many sentences on from that of the name they begin.
    """
    named = text.sentences[place[0]]
    begin, end = bisect_left(text.sentences, named + first), bisect_right(text.sentences, named + 1)
    return " ".join([word for word in text.words[begin:end] if word not in asked])
