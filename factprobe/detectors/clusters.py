"""How far several answers to one question agree: clusters of those that mean the same, and what follows from these."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from math import log
from typing import TypeVar

T = TypeVar("T")
_PLACES = 6
"""Of an entropy, as of other probabilities."""


def clustered(answers: Sequence[T], same: Callable[[T, T], bool]) -> list[int]:
    """The cluster of each answer, numbered in their order; an answer joins the first cluster whose first member means
    the same (Kuhn, Gal and Farquhar 2023, ICLR, algorithm 1).

    Args:
        answers: any.
        same: whether the first, a cluster's first member, means what the second means.
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
    """The entropy of the shares of clusters, in [0, 1]: 0 where all answers mean the same, 1 where no two do.

    The discrete semantic entropy (Farquhar, Kossen, Kuhn and Gal 2024, Nature 630), over the logarithm of the count,
    which is the most that it can be; 0 for a single answer.
    """
    count = len(clusters)
    if count < 2:
        return 0.0
    shares = [size / count for size in sorted(Counter(clusters).values())]  # in one order, for the same sum
    entropy = -sum(share * log(share) for share in shares) / log(count)
    return round(min(max(entropy, 0.0), 1.0), _PLACES) + 0.0  # no -0.0


def disagreement(clusters: Sequence[int]) -> float:
    """The share of the other answers that do not mean what the first one means, in [0, 1].

    Args:
        clusters: of two answers or more, that of the answer in question first.
    """
    return sum(number != clusters[0] for number in clusters[1:]) / (len(clusters) - 1)
