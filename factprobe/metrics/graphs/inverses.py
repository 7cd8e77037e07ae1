"""Inverse relations, found by samples of a few thousand pairs each."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from heapq import nsmallest
from typing import TYPE_CHECKING

from msgspec import Struct

from factprobe.records import is_inverse

if TYPE_CHECKING:
    import numpy as np

_KEPT = 4096
"""Number of sampled pairs of a relation; smaller relations are used whole."""


class Inverse(Struct, frozen=True):
    """An inverse relation; a symmetric relation is its own."""

    relation: str
    share: float
    """Share of the first relation's pairs that the other has reversed, in [0, 1]; estimated for large relations."""


def sketch(facts: Iterable[tuple[str, str]]) -> array[int]:
    """Sample the pairs of a relation with the smallest hashes, so that relations share common pairs.

    A bottom-k sketch (Cohen and Kaplan 2007, Summarizing Data Using Bottom-k Sketches, PODC): a pair and its reverse
    have one hash but for the last bit, which tells which way round it stands. They are in order.
    """
    return array("Q", nsmallest(_KEPT, _hashes(facts)))


def _hashes(facts: Iterable[tuple[str, str]]) -> Iterator[int]:
    for subject, object_ in facts:
        if subject != object_:
            forth, back = _hash(subject, object_), _hash(object_, subject)
            yield forth if forth <= back else back | 1


def _hash(one: str, other: str) -> int:
    pair = f"{one}\0{other}".encode(errors="surrogatepass")
    return int.from_bytes(blake2b(pair, digest_size=8).digest(), "big") & ~1


def inverses(sketches: Mapping[str, array[int]]) -> dict[str, tuple[Inverse, ...]]:
    """Find the inverses of each relation from the samples."""
    import numpy as np

    names = list(sketches)
    of = [np.frombuffer(sketches[name], dtype=np.uint64) for name in names]
    lengths = np.array([len(keys) for keys in of], dtype=np.int64)
    keys = np.concatenate(of) if of else np.empty(0, np.uint64)
    order = np.argsort(keys, kind="stable")
    keys, owners = keys[order], np.repeat(np.arange(len(names)), lengths)[order]
    ends = [int(found[-1]) if len(found) == _KEPT else None for found in of]
    return {name: tuple(_reversing(found, keys, owners, names, ends)) for name, found in zip(names, of, strict=True)}


def _reversing(
    mine: np.ndarray, keys: np.ndarray, owners: np.ndarray, names: Sequence[str], ends: Sequence[int | None]
) -> Iterator[Inverse]:
    """Return the inverses of one relation.

    Args:
        mine: its sketch.
        keys: those of all sketches, in order.
        owners: the number of the relation of each key.
        names: of the relations.
        ends: the last key of each sketch that does not hold all pairs of its relation.
    """
    import numpy as np

    wanted = np.sort(mine ^ np.uint64(1))
    starts, stops = np.searchsorted(keys, wanted, "left"), np.searchsorted(keys, wanted, "right")
    counts = stops - starts
    places = np.repeat(stops - np.cumsum(counts), counts) + np.arange(counts.sum())
    for owner, count in zip(*np.unique(owners[places], return_counts=True), strict=True):
        end = ends[owner]
        of = len(mine) if end is None else int(np.searchsorted(mine, np.uint64(end), "right"))
        if is_inverse(int(count), of):
            yield Inverse(names[owner], min(1.0, int(count) / of))
