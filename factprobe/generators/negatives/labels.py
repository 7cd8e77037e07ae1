"""Which of many names are most like a name."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

_BESIDE = 8
"""Names on either side of a name, in the order of their beginnings and of their ends, that it is compared with."""
_RARE = 64
"""A word that more names have brings none of them."""
_ALIKE = 60.0
"""The least likeness of near names, in per cent."""


class LabelIndex:
    """Names, found by others that are like them without comparing each with each.

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
        """The numbers of the names that are most like a name, which is not among them, the most alike first.

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
