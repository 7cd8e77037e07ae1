"""Whether a reply tells a right value of something else than what the question is about, and another value of that."""

from __future__ import annotations

from collections.abc import Sequence, Set

from factprobe.reading.essence import Place, key
from factprobe.reading.language import vocabulary
from factprobe.reading.words import Text

_PARTS = frozenset(",;:–—")


def is_told_of_another(text: Text, right: Sequence[Place], others: Sequence[Place], asked: Set[str]) -> bool:
    """Whether every right value is said of another thing: the pink ball is worth 5 and the blue ball is worth 6.

    Its clause has a name of its own and some of the question's words, that of another value has those and more, and
    none of its own.

    Args:
        text: the reply.
        right: where it says right values.
        others: where it says other values.
        asked: the words of the question by what their forms share.
    """
    places = sorted({*right, *others})
    told = {place: _lead(text, places[:i], place) for i, place in enumerate(places)}
    new = [place for place in others if not {*map(key, text.words[slice(*place)])} <= asked]
    own = [told[place] for place in new if told[place] and told[place] <= asked]
    return bool(own) and all(
        not told[place] <= asked and any(frozenset() < told[place] & asked < lead for lead in own) for place in right
    )


def _lead(text: Text, before: Sequence[Place], place: Place) -> frozenset[str]:
    """The words that matter of the clause before a value."""
    start = max((end for _, end in before), default=0)
    words = [
        i
        for i in range(start, place[0])
        if text.sentences[i] == text.sentences[place[0]] and text.words[i] not in vocabulary("function")
    ]
    if not words or any(text.depth[i] != text.depth[place[0]] for i in words):
        return frozenset()
    joints = vocabulary("link_and", "turns", "concedes")
    begins = [i for i in range(start, words[-1] + 1) if text.words[i] in joints or not _PARTS.isdisjoint(text.mark[i])]
    opens = start == 0 or text.sentences[start - 1] != text.sentences[words[0]]
    return (
        frozenset(key(text.words[i]) for i in words if not begins or i >= begins[-1])
        if begins or opens
        else frozenset()
    )
