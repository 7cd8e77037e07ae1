"""Whether a reply denies a name that it says, in words of its own."""

from __future__ import annotations

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
    behind = own_words(text, asked, place, (1,))
    asks = text.sentences[place[0]] in text.asks
    return asks and not vocabulary("says_no").isdisjoint(behind.split()[:1])  # Ulm? No.


def _stands_behind_not(text: Text, place: Place) -> bool:
    """Whether a denial stands right before a name, whatever the question has: Which is not red? Mars, not Ulm."""
    words, before = text.words, place[0] - 1
    while before > 0 and words[before] in vocabulary("article"):
        before -= 1
    opens = before > 0 and words[before] in vocabulary("opens_denial")
    return opens and denies(" ".join(words[before : place[1] + 1]))  # not 100 % sure


def own_words(text: Text, asked: Collection[str], place: Place, near: Collection[int] = (-1, 0, 1)) -> str:
    """The words of the sentence of a name, and of those beside it, which the question does not have.

    Args:
        text: the reply.
        asked: the words of the question.
        place: of the name.
        near: how many sentences on from that of the name the wanted ones stand.
    """
    wanted = {text.sentences[place[0]] + shift for shift in near}
    words = zip(text.words, text.sentences, strict=True)
    return " ".join(word for word, number in words if number in wanted and word not in asked)
