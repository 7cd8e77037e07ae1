"""Search for similar names among many."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

_BESIDE = 8
"""Number of names compared before and after a name, in each alphabetical order."""
_RARE = 64
"""Maximum number of names with a word that counts as rare."""
_ALIKE = 60.0
"""Minimum similarity of near names, in per cent."""


class SimilarNames:
    """Index of names by similarity, which does not compare all pairs.

    A name is compared with a few hundred others at most: names that share a rare word with it, and its neighbours in
    the alphabetical orders of names and of reversed names. The similarity is rapidfuzz's normalised Indel similarity:
    the share of characters that remain if the necessary insertions and deletions are subtracted. The names have to be
    distinct and normalised.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._orders = [sorted((name[::step], i) for i, name in enumerate(names)) for step in (1, -1)]
        self._with_word: dict[str, list[int]] = {}
        for i, name in enumerate(names):
            for word in dict.fromkeys(name.split()):
                self._with_word.setdefault(word, []).append(i)

    def near(self, name: str, most: int) -> list[int]:
        """Return the indices of the `most` names most similar to a normalised name, without itself, in this order."""
        from rapidfuzz import fuzz, process

        some = {i: self._names[i] for i in self._nearest_first(name) if self._names[i] != name}
        return [i for _, _, i in process.extract(name, some, scorer=fuzz.ratio, limit=most, score_cutoff=_ALIKE)]

    def _nearest_first(self, name: str) -> Iterator[int]:
        for word in name.split():
            indices = self._with_word.get(word, ())
            if len(indices) <= _RARE:
                yield from indices
        for order, key in zip(self._orders, (name, name[::-1]), strict=True):
            place = bisect_left(order, (key, 0))
            yield from (i for _, i in order[max(place - _BESIDE, 0) : place + _BESIDE + 1])
