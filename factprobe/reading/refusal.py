"""Detection of refusals by sentence form: first person, negation, and the thing refused."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache

from factprobe.reading.language import vocabulary
from factprobe.reading.tokens import key_of
from factprobe.reading.words import Text

_SPEAKS, _VERB = vocabulary("speaker"), vocabulary("refusal_verb")
_UNABLE, _OBJECT = vocabulary("refusal_unable"), vocabulary("refusal_object")
_JUDGES, _RECEIVER = vocabulary("refusal_judges"), vocabulary("refusal_receiver")
_TURNS = vocabulary("but")
_LACK, _THING = vocabulary("unknown_lack"), vocabulary("unknown_thing")
_BOTH, _ALONE, _OWN = vocabulary("unknown"), vocabulary("unknown_alone"), vocabulary("unknown_speaker")
_NEAR = 4
"""Maximal distance in words from the speaker to the negation."""


def refusals_in(text: Text) -> list[tuple[int, int]]:
    """Return the spans of sentences in which the speaker declines to answer.

    Such a sentence has the first person, a negation after it, and then an answer, information or a way to get it; or
    the same in the passive. It has no verb of judging and no "but".
    """
    if _OBJECT.isdisjoint(text.words) or _UNABLE.isdisjoint(text.words):
        return []
    return [span for span in _sentences(text) if _declines(text.words[slice(*span)])]


def _sentences(text: Text) -> Iterator[tuple[int, int]]:
    start = 0
    for i in range(1, len(text) + 1):
        if i == len(text) or text.sentences[i] != text.sentences[start]:
            yield start, i
            start = i


def _declines(words: Sequence[str]) -> bool:
    if not _JUDGES.isdisjoint(words) or not _TURNS.isdisjoint(words):
        return False
    for i, word in enumerate(words):
        if word not in _UNABLE:
            continue
        before, behind = words[max(i - _NEAR, 0) : i], words[i + 1 :]
        is_own = word in _SPEAKS or not _SPEAKS.isdisjoint(before) or not _VERB.isdisjoint(words[i + 1 : i + 3])
        if is_own and not _OBJECT.isdisjoint(behind):
            return True
        if not _OBJECT.isdisjoint(words[:i]) and not _RECEIVER.isdisjoint(behind):
            return True
    return False


def says_unknown(keys: Collection[str], *, names_answer: bool = True) -> bool:
    """Return whether the keys of a sentence's words say that an answer is not known or cannot be given.

    It has a word for a lack and one for knowledge or an answer, or one word for both. Whose lack it is does not matter.

    Args:
        keys: of the words.
        names_answer: whether the text names an answer; without one a lack of the speaker, or a guess, is enough.
    """
    lack, thing, both = map(_keys, (_LACK, _THING, _BOTH))
    if not names_answer:
        thing, both = thing | _keys(_OWN), both | _keys(_ALONE)
    return not (lack.isdisjoint(keys) or thing.isdisjoint(keys)) or not both.isdisjoint(keys)


@cache
def _keys(words: frozenset[str]) -> frozenset[str]:
    return frozenset(map(key_of, words))
