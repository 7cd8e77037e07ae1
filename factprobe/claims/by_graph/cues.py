"""Words that express a relation, and their search in the keys of a sentence.

`wordings.py` makes cues of wordings such as these:

    wording                       keys      zone     next_end  preposition
    [X] was born in [Y].          born      BETWEEN  object    in
    [Y] was written by [X].       written   BETWEEN  subject   by
    The capital of [X] is [Y].    capital   BEFORE   subject   of
    [X]'s capital is [Y].         capital   BETWEEN  subject   of         as "the capital of [X] is [Y]"
    [X] and [Y] are neighbours.   neighbour AFTER    subject
    [X] is in [Y].                (none)    BETWEEN  object               only as a whole
    (learned from sentences)      born in   BETWEEN  object
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from factprobe.claims.by_graph.sentence import MENTION, VALUE
from factprobe.question_types import End

BEFORE, BETWEEN, AFTER = range(3)
"""Zones around the two ends of a relation."""
_MAX_SKIPPED = 3
"""Maximal number of other tokens between two words of a cue."""


class Wording(NamedTuple):
    """All keys of a wording; of a learned cue those before and after both ends are missing."""

    before: tuple[str, ...]
    between: tuple[str, ...]
    after: tuple[str, ...]
    is_subject_first: bool


class RelationCue(NamedTuple):
    """Words that express a relation; the table above has examples."""

    relation: str
    keys: tuple[str, ...]
    """Keys of the words to find: content words, or marks and a date; of learned cues also a next word (born in).

    They are empty for wordings of function words only (is in), which only match as a whole.
    """
    zone: int
    """Zone of the words in their wording."""
    next_end: End
    """Right end if the words are between both, else the left one, also of words after both."""
    preposition: str
    """Preposition between the words and the next end; empty if there is none."""
    is_learned: bool
    whole: Wording | None = None
    """Wording that matches as a whole; a learned cue has one only if it has no keys."""
    reversing: frozenset[str] = frozenset()
    """Prepositions that lead to the other end in another wording of the relation with the same words.

    "[Y] is the capital of [X]" and "[X] has its capital in [Y]" have the cue "capital"; "in" leads to the object.
    """


class CueMatch(NamedTuple):
    """Cue found by its words, with their first and last token."""

    cue: RelationCue
    first: int
    last: int


class FoundCues(NamedTuple):
    """Cues found in the keys of a sentence."""

    wholes: tuple[tuple[RelationCue, int], ...]
    """Whole wordings, each with the index of the first of two adjacent mentions."""
    words: tuple[CueMatch, ...]
    """Cues found by their words; a wording in `wholes` may be here too."""


class RelationCues:
    """Cues of a graph's relations; of cues of a relation with the same words the first counts."""

    def __init__(self, cues: Iterable[RelationCue]) -> None:
        self._by_first_key: dict[str, dict[object, RelationCue]] = {}
        self._wholes: dict[tuple[str, ...], dict[RelationCue, None]] = {}
        """Whole wordings by all keys between both ends."""
        for cue in cues:
            if cue.whole is not None:
                self._wholes.setdefault(cue.whole.between, {})[cue] = None
            if cue.keys:
                words = cue._replace(is_learned=False, whole=None)
                self._by_first_key.setdefault(cue.keys[0], {}).setdefault(words, cue)
        self.find = lru_cache(maxsize=1 << 14)(self._find)

    def _find(self, keys: tuple[str, ...]) -> FoundCues:
        """Return the cues in the keys of a sentence, cached by the keys."""
        words = []
        for first, key in enumerate(keys):
            for cue in self._by_first_key.get(key, {}).values():
                last = first if len(cue.keys) == 1 else _last_token(keys, cue.keys, first)
                if last >= 0:
                    words.append(CueMatch(cue, first, last))
        wholes = []
        positions = [i for i, key in enumerate(keys) if key in (MENTION, VALUE)]
        for mention, (start, end) in enumerate(pairwise(positions)):
            for cue in self._wholes.get(keys[start + 1 : end], ()):
                before, _, after, _ = cue.whole or ((), (), (), True)
                is_after = keys[end + 1 : end + 1 + len(after)] == after
                if is_after and keys[max(start - len(before), 0) : start] == before:
                    wholes.append((cue, mention))
        return FoundCues(tuple(wholes), tuple(words))


def _last_token(keys: Sequence[str], wanted: Sequence[str], first: int) -> int:
    """Return the last token of a cue that begins at a token; -1 if the cue does not match."""
    last = first
    for key in wanted[1:]:
        reachable = range(last + 1, min(last + 2 + _MAX_SKIPPED, len(keys)))
        last = next((i for i in reachable if keys[i] == key), -1)
        if last < 0:
            return -1
    return last
