"""Cues, which are the words that express a relation, and their search in a sentence.

Words are compared as keys, which are stems. `wordings.py` makes cues of wordings such as these:

    wording                       keys      zone     next_end  preposition
    [X] was born in [Y].          born      BETWEEN  object    in
    [X] was written by [Y].       written   BETWEEN  object    by
    The capital of [X] is [Y].    capit     BEFORE   subject   of
    [X] and [Y] are neighbours.   neighbor  AFTER    subject
    [X] is in [Y].                is in     BETWEEN  object               only as a whole

Each wording is also a cue as a whole: with just its words between both ends, before them and after them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from factprobe.claims.by_graph.sentence import MENTION, VALUE
from factprobe.question_types import End

ZONES = BEFORE, BETWEEN, AFTER = range(3)
"""Zones of words: before both ends of a relation, between them, or after both."""
Wording = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""Keys of all words of a wording: before, between and after both ends."""


class RelationCue(NamedTuple):
    """Words that express a relation; the table above has examples."""

    relation: str
    keys: tuple[str, ...]
    """Keys to find: content words and what is among them, or all words of a whole wording in their zone.

    It may also be a mark with a date or, if learned, with a word.
    """
    zone: int
    """Zone of the words: before, between or after both ends."""
    is_subject_first: bool
    """True if the subject is the left end of the wording."""
    preposition: str
    """Preposition between the words and the next end; empty if there is none."""
    is_learned: bool
    takes_misfit: bool = False
    """True if the object may be another entity of the graph than those that fit; of a whole wording, one of both ends.

    That is so if the wording has content words, and others between its ends ("was born in").
    """
    wording: Wording | None = None
    """Keys of all words before, between and after both ends, of a whole wording; None of other cues."""

    @property
    def is_given_wording(self) -> bool:
        """True if the cue is a whole wording that is not learned."""
        return self.wording is not None and not self.is_learned

    @property
    def next_end(self) -> End:
        """End of the relation that follows the words in the wording; of words after both ends, the left one."""
        return "subject" if self.is_subject_first != (self.zone == BETWEEN) else "object"


class CueMatch(NamedTuple):
    """Cue found in a sentence."""

    cue: RelationCue
    first: int
    last: int
    """First and last token of the cue."""
    left: int
    """Index of the mention at the left end of a whole wording; of no meaning for other cues."""


class RelationCues:
    """Index of the cues of all relations."""

    def __init__(self, cues: Iterable[RelationCue]) -> None:
        self._by_first_key: dict[str, dict[tuple[str, ...], list[RelationCue]]] = {}
        for cue in dict.fromkeys(cues):
            self._by_first_key.setdefault(cue.keys[0], {}).setdefault(cue.keys, []).append(cue)
        self.find = lru_cache(maxsize=1 << 14)(self._find)

    def _find(self, keys: tuple[str, ...]) -> tuple[CueMatch, ...]:
        """Return the cues in the keys of a sentence, whole wordings first; `find` is the cached version."""
        positions = [i for i, key in enumerate(keys) if key in (MENTION, VALUE)]
        matches: list[CueMatch] = []
        for first, key in enumerate(keys):
            for cue_keys, cues in self._by_first_key.get(key, {}).items():
                end = first + len(cue_keys)
                if keys[first:end] == cue_keys:
                    left = bisect_left(positions, first)
                    found = (CueMatch(cue, first, end - 1, left - cue.zone) for cue in cues)
                    matches += (match for match in found if _has_wording(match, keys, positions))
        return tuple(sorted(matches, key=lambda match: match.cue.wording is None))


def _has_wording(match: CueMatch, keys: tuple[str, ...], positions: Sequence[int]) -> bool:
    """Return whether the words of a whole wording, and no others, are around two mentions; True of other cues."""
    if match.cue.wording is None:
        return True
    if not 0 <= match.left < len(positions) - 1:
        return False
    before, _, after = match.cue.wording
    start, end = positions[match.left : match.left + 2]
    around = keys[max(start - len(before), 0) : start], keys[start + 1 : end], keys[end + 1 :][: len(after)]
    return match.cue.wording == around
