"""Names of right answers that a question has itself: what a reply only repeats of them answers nothing."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from factprobe.reading.abstention import declines
from factprobe.reading.essence import Place, is_given, key
from factprobe.reading.language import vocabulary
from factprobe.reading.words import Text

_SHORTEST_FIGURE = 3
"""Figures of a number that says something: fewer may be a footnote's."""


def given_names(names: Sequence[str], asked: Collection[str], words: Collection[str]) -> frozenset[str]:
    """The further names of right answers that a question gives: not the first, which would then be what it asks for.

    Args:
        names: of the right answers, in their order.
        asked: the keys of the question's words.
        words: its words; where they offer one of two, each of these may be the answer.
    """
    if not vocabulary("link_or").isdisjoint(words):
        return frozenset()
    given = frozenset([name for name in names if is_given(name, asked)])
    return frozenset() if names[0] in given else given


def is_repeated(text: Text, place: Place, asked: Collection[str]) -> bool:
    """Whether a reply only repeats a name from the question, to decline or to say something else of it.

    The former is told by the sentence, or by what stands behind a "but" in it; the latter by a verb behind the name
    with something new behind that: Upper Volta is now called Benin.

    Args:
        text: the reply.
        place: where it has the name.
        asked: the keys of the question's words.
    """
    start, end = place
    words = text.words
    sentence = [i for i, number in enumerate(text.sentences) if number == text.sentences[start]]
    turn = max((i for i in sentence if i < start and words[i] in vocabulary("turns")), default=-1)
    if declines(" ".join(words[i] for i in sentence if i > turn)):
        return True
    verb = next((i for i in sentence if words[i] in vocabulary("verb")), -1)
    return verb >= end and any(_is_new(words[i], asked) for i in sentence if i > verb)


def _is_new(word: str, asked: Collection[str]) -> bool:
    """Whether a word says something that the question does not."""
    is_note = word.isdigit() and len(word) < _SHORTEST_FIGURE
    common = is_note or word in vocabulary("function", "hedge", "exclamation")
    return not common and key(word) not in asked
