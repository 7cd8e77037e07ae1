"""Cues, which are the words that express a relation, and their search in a sentence.

Words are compared as keys, which are stems. `wordings.py` makes cues of wordings such as these:

    wording                       keys      zone     next_end  preposition
    [X] was born in [Y].          born      BETWEEN  object    in
    [Y] was written by [X].       written   BETWEEN  subject   by
    The capital of [X] is [Y].    capital   BEFORE   subject   of
    [X] and [Y] are neighbours.   neighbour AFTER    subject
    [X] is in [Y].                (none)    BETWEEN  object               only as a whole
    (learned from sentences)      born in   BETWEEN  object
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from factprobe.claims.by_graph.sentence import MENTION, VALUE
from factprobe.question_types import End

BEFORE, BETWEEN, AFTER = range(3)
"""Zones of a cue: before both ends of a relation, between them, or after both."""


class WordingKeys(NamedTuple):
    """Keys of all words of a wording, by zone; learned cues have none before and after both ends."""

    before: tuple[str, ...]
    between: tuple[str, ...]
    after: tuple[str, ...]
    is_subject_first: bool


class RelationCue(NamedTuple):
    """Words that express a relation; the table above has examples."""

    relation: str
    keys: tuple[str, ...]
    """Keys of the words to find: content words, or punctuation and a date; learned cues have function words too.

    Empty if the wording has only function words (is in), or content words in several zones (uses ... as official
    language); it is then found only as a whole.
    """
    zone: int
    """Zone of the words: before, between or after both ends."""
    next_end: End
    """End of the relation next to the words; of words after both ends, the left one, as of words before them.

        zone            before: capital X Y    between: X born Y    after: X Y born
        next end        X                      Y                    X
    """
    preposition: str
    """Preposition between the words and the next end; empty if there is none."""
    is_learned: bool
    whole: WordingKeys | None = None
    """All words of the wording, to find it as a whole; of learned cues, only if `keys` is empty."""

    @property
    def accepts_misfit(self) -> bool:
        """True if the cue accepts an entity as object that the relation does not have in the graph.

        That holds for a wording with content and function words that is not learned ("was born in"), not for "wrote"
        or "is in".
        """
        return bool(self.keys) and not self.is_learned and (self.whole is None or self.keys != self.whole.between)


class CueMatch(NamedTuple):
    """Cue found by its words, with their first and last token."""

    cue: RelationCue
    first: int
    last: int


class FoundCues(NamedTuple):
    """Cues found in a sentence."""

    whole_matches: tuple[tuple[RelationCue, int], ...]
    """Cues found as whole wordings, each with the index of its left end among the sentence's mentions and values."""
    words: tuple[CueMatch, ...]
    """Cues found by their words; cues in `whole_matches` may be repeated here."""


class RelationCues:
    """Index of the cues of all relations; of several equal cues of a relation, the first counts."""

    def __init__(self, cues: Iterable[RelationCue]) -> None:
        self._by_first_key: dict[str, dict[object, RelationCue]] = {}
        self._whole_wordings: dict[tuple[str, ...], dict[RelationCue, None]] = {}
        """Whole wordings by their keys between both ends."""
        for cue in cues:
            if cue.whole is not None:
                self._whole_wordings.setdefault(cue.whole.between, {})[cue] = None
            if cue.keys:
                words = cue._replace(is_learned=False, whole=None)
                self._by_first_key.setdefault(cue.keys[0], {}).setdefault(words, cue)
        self.find = lru_cache(maxsize=1 << 14)(self._find)

    def _find(self, keys: tuple[str, ...]) -> FoundCues:
        """Return the cues in the keys of a sentence; `find` is the cached version."""
        words = []
        for first, key in enumerate(keys):
            for cue in self._by_first_key.get(key, {}).values():
                end = first + len(cue.keys)
                if keys[first:end] == cue.keys:
                    words.append(CueMatch(cue, first, end - 1))
        whole_matches = []
        positions = [i for i, key in enumerate(keys) if key in (MENTION, VALUE)]
        for mention, (start, end) in enumerate(pairwise(positions)):
            for cue in self._whole_wordings.get(keys[start + 1 : end], ()):
                before, _, after, _ = cue.whole or ((), (), (), True)
                has_words_after = keys[end + 1 : end + 1 + len(after)] == after
                if has_words_after and keys[max(start - len(before), 0) : start] == before:
                    whole_matches.append((cue, mention))
        return FoundCues(tuple(whole_matches), tuple(words))
