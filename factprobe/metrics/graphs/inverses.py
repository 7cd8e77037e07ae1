"""Detection of inverse relations from samples of their (subject, object) pairs."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from heapq import nsmallest

import numpy as np
from msgspec import Struct

from factprobe.records import is_inverse

_SKETCH_SIZE = 4096
"""Number of pairs in the sample of a relation; smaller relations are used whole."""


class Inverse(Struct, frozen=True):
    """Inverse of a relation; a symmetric relation is its own inverse."""

    relation: str
    share: float
    """Share of the relation's pairs whose reverse is in the inverse relation, in [0, 1]; estimated from samples."""


def sketch(facts: Iterable[tuple[str, str]]) -> array[int]:
    """Return the smallest hashes of a relation's pairs, sorted; a pair that two relations share tends to be in both.

    It is a bottom-k sketch (Cohen and Kaplan 2007, Summarizing Data Using Bottom-k Sketches, PODC). The hashes of a
    pair and of its reverse differ in the last bit alone, which gives the direction.
    """
    return array("Q", nsmallest(_SKETCH_SIZE, _hash_facts(facts)))


def _hash_facts(facts: Iterable[tuple[str, str]]) -> Iterator[int]:
    for subject, object_ in facts:
        if subject != object_:
            forth, back = _hash_pair(subject, object_), _hash_pair(object_, subject)
            yield forth if forth <= back else back | 1


def _hash_pair(one: str, other: str) -> int:
    pair = f"{one}\0{other}".encode(errors="surrogatepass")
    return int.from_bytes(blake2b(pair, digest_size=8).digest(), "big") & ~1


def inverses(sketches: Mapping[str, array[int]]) -> dict[str, tuple[Inverse, ...]]:
    """Return the inverses of each relation, found by comparing the sketches of all relations."""
    names, hashes = list(sketches), [np.frombuffer(sketch, dtype=np.uint64) for sketch in sketches.values()]
    keys = np.concatenate(hashes) if hashes else np.empty(0, np.uint64)
    order = np.argsort(keys, kind="stable")
    keys, owners = keys[order], np.repeat(np.arange(len(names)), [len(keys_of) for keys_of in hashes])[order]
    by_relation: dict[str, tuple[Inverse, ...]] = {}
    for name, mine in zip(names, hashes, strict=True):
        reversed_hashes = np.sort(mine ^ np.uint64(1))
        starts, stops = np.searchsorted(keys, reversed_hashes, "left"), np.searchsorted(keys, reversed_hashes, "right")
        counts = stops - starts
        places = np.repeat(stops - np.cumsum(counts), counts) + np.arange(counts.sum())
        inverse = []
        for owner, count in zip(*np.unique(owners[places], return_counts=True), strict=True):
            is_whole = len(hashes[owner]) < _SKETCH_SIZE  # a sample has the pairs up to its last hash
            comparable = len(mine) if is_whole else int(np.searchsorted(mine, hashes[owner][-1], "right"))
            if is_inverse(int(count), comparable):
                inverse.append(Inverse(names[owner], min(1.0, int(count) / comparable)))
        by_relation[name] = tuple(inverse)
    return by_relation
