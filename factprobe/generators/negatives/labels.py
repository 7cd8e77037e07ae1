"""Similar names among many."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

_BESIDE = 8
"""Number of neighbours compared on either side, sorted by beginnings and by ends."""
_RARE = 64
"""Words of more names than this bring no candidates."""
_ALIKE = 60.0
"""Least similarity of near names, in per cent."""


class LabelIndex:
    """Index of names by similarity, without comparing all pairs.

    A name is compared with those that share a rare word with it and with those that stand beside it in the order of
    beginnings and in the order of ends, a few hundred at most. The likeness is that of the characters: the share that
    is left of both when what has to be inserted and deleted is taken off (the Indel similarity of rapidfuzz).

    Args:
        names: normalised, distinct.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._orders = [sorted((name[::step], i) for i, name in enumerate(names)) for step in (1, -1)]
        self._with_word: dict[str, list[int]] = {}
        for i, name in enumerate(names):
            for word in dict.fromkeys(name.split()):
                self._with_word.setdefault(word, []).append(i)

    def near(self, name: str, most: int) -> list[int]:
        """Return the indices of the most similar names, excluding the name itself, most similar first.

        Args:
            name: normalised.
            most: how many at most.
        """
        from rapidfuzz import fuzz, process

        some = {i: self._names[i] for i in self._compared(name) if self._names[i] != name}
        return [i for _, _, i in process.extract(name, some, scorer=fuzz.ratio, limit=most, score_cutoff=_ALIKE)]

    def _compared(self, name: str) -> Iterator[int]:
        for word in name.split():
            having = self._with_word.get(word, ())
            if len(having) <= _RARE:
                yield from having
        for order, key in zip(self._orders, (name, name[::-1]), strict=True):
            place = bisect_left(order, (key, 0))
            yield from (i for _, i in order[max(place - _BESIDE, 0) : place + _BESIDE + 1])
