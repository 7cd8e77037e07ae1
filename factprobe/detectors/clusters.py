"""Agreement of several answers to one question: clusters of the same meaning, and measures on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from math import log
from typing import TypeVar

T = TypeVar("T")
_PLACES = 6
"""Decimal places of an entropy."""


def cluster_answers(answers: Sequence[T], same: Callable[[T, T], bool]) -> list[int]:
    """Return the cluster of each answer, numbered in their order.

    An answer joins the first cluster whose first member has the same meaning (Kuhn, Gal and Farquhar 2023, ICLR,
    algorithm 1).
    """
    firsts: list[T] = []
    found = []
    for answer in answers:
        number = next((number for number, first in enumerate(firsts) if same(first, answer)), len(firsts))
        if number == len(firsts):
            firsts.append(answer)
        found.append(number)
    return found


def semantic_entropy(clusters: Sequence[int]) -> float:
    """Return the entropy of the cluster shares, in [0, 1]: 0 if all answers agree, 1 if no two do.

    This is the discrete semantic entropy (Farquhar, Kossen, Kuhn and Gal 2024, Nature 630), divided by its maximum, the
    logarithm of the count; 0 for a single answer.
    """
    count = len(clusters)
    if count < 2:
        return 0.0
    shares = [size / count for size in sorted(Counter(clusters).values())]  # sorted, so that the sum is always the same
    entropy = -sum(share * log(share) for share in shares) / log(count)
    return round(min(max(entropy, 0.0), 1.0), _PLACES) + 0.0  # avoids -0.0


def disagreement(clusters: Sequence[int]) -> float:
    """Return the share of the other answers that differ from the first one, in [0, 1].

    There have to be two answers or more.
    """
    return sum(number != clusters[0] for number in clusters[1:]) / (len(clusters) - 1)
