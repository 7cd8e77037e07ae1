"""How well two classes are told apart, each by itself: precision, recall and F1 of both, and the G-mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from factprobe.metrics.bootstrap import bootstrap
from factprobe.metrics.claims import f1
from factprobe.metrics.intervals import Floats, Interval

_TP, _FP, _FN, _TN, _UNSAID, _UNSAID_NOT = range(6)
"""The last two: items of either class that were taken for none."""
_CELLS = ((True, True), (False, True), (True, False), (False, False), (True, None), (False, None))
"""What each item is, and what it was taken for, in that order."""


def _share(hit: int, *misses: int) -> Callable[[Floats], Floats]:
    return lambda totals: totals[..., hit] / totals[..., [hit, *misses]].sum(axis=-1)


_RECALL, _RECALL_NOT = _share(_TP, _FN, _UNSAID), _share(_TN, _FP, _UNSAID_NOT)


def _g_mean(totals: Floats) -> Floats:
    found: Floats = np.sqrt(_RECALL(totals) * _RECALL_NOT(totals))
    return found


_MEASURES: dict[str, Callable[[Floats], Floats]] = {
    "precision": _share(_TP, _FP),
    "recall": _RECALL,
    "precision_not": _share(_TN, _FN),
    "recall_not": _RECALL_NOT,
    "g_mean": _g_mean,
}


def class_measures(
    gold: Sequence[bool], found: Sequence[bool | None], seed: int, clusters: Sequence[str] | None = None
) -> dict[str, Interval | None]:
    """Each measure in [0, 1], higher is better, with an interval from the bootstrap.

    `precision`, `recall` and `f1` are of the items that are looked for, those that end in `_not` of the others; the
    G-mean is the geometric mean of both recalls (Kubat and Matwin 1997, ICML). None where a measure is not defined.

    Args:
        gold: whether each item is one of those that are looked for.
        found: whether it was taken for one; None for neither class, which misses its own and is in no precision.
        seed: for the bootstrap.
        clusters: the cluster of each item, by default its own.

    Raises:
        ValueError: lengths that differ.
    """
    pairs = list(zip(gold, found, strict=True))
    cells = np.array([[pair == cell for cell in _CELLS] for pair in pairs], float)
    others = [not one for one in gold], [one is False for one in found]
    return {
        "f1": f1(gold, [one is True for one in found], np.random.default_rng(seed), clusters),
        "f1_not": f1(*others, np.random.default_rng(seed), clusters),
        **{
            name: bootstrap(cells, measure, np.random.default_rng(seed), clusters) if pairs else None
            for name, measure in _MEASURES.items()
        },
    }
