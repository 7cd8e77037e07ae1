"""Selection of few-shot examples: algorithm 1 of SHROOM-INDElab (Allen, Polat and Groth 2024, SemEval)."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Selection = Literal["printed", "diverse"]


def negative_entropy(probability: float) -> float:
    """Return `p log p + (1 - p) log(1 - p)` in nats: 0 for a probability of 0 or 1, -0.69 for a half."""
    return sum(p * log(p) for p in (probability, 1 - probability) if p > 0)


def select(
    probabilities: Sequence[float],
    vectors: ArrayLike,
    count: int,
    weight: float = 0.2,
    selection: Selection = "printed",
) -> list[int]:
    """Return the indices of the `count` items of one label to show as examples, in the order of their selection.

    The first one has the highest negative entropy F0. Each further one has the highest F0 - weight * max(1 - similarity
    to each selected item). This formula, as printed in the paper, favours items that are similar to the selected ones.
    `diverse` uses max(similarity) instead, as Universal Self-Adaptive Prompting does (Wan et al. 2023, EMNLP), and
    favours dissimilar items. Ties go to the first item. `vectors` has shape (items, dimensions) and rows of length 1;
    `weight` is the paper's lambda.
    """
    import numpy as np

    certainty = np.array([negative_entropy(p) for p in probabilities])
    rows = np.asarray(vectors, float)
    chosen: list[int] = []
    while len(chosen) < min(count, len(certainty)):
        score = certainty.copy()
        if chosen:
            similarities = rows @ rows[chosen].T
            score -= weight * (similarities if selection == "diverse" else 1 - similarities).max(axis=1)
        score[chosen] = -np.inf
        chosen.append(int(score.argmax()))
    return chosen
