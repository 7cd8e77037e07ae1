"""Random draw of the replies that people judge, each with a known sampling probability.

A reply is drawn if its random number, uniform in [0, 1), is below its sampling probability. A larger count raises the
probabilities and keeps the numbers, so that a larger draw contains the smaller one. The numbers are made from the seed
and the ids, and spread evenly over replies of similar probability, so that the number of drawn replies is close to the
count. Drawn replies come in random order, so that the first ones judged are a random sample of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from random import Random
from typing import Literal

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike

from factprobe.errors import ConfigError
from factprobe.labelling.replies import LabelCandidate
from factprobe.metrics.statistics.intervals import Floats

Order = Literal["active", "uniform", "disagreement"]
FLOOR = 0.2
"""Default share of the draw that is uniform."""
SURELY_WRONG, SURELY_RIGHT = 0.1, 0.99
"""Values to which predictions of 0 and 1 are rescaled; they gave the narrowest intervals on half of EVOUNA."""
_GOLDEN = (sqrt(5) - 1) / 2
_CUTTING_ROUNDS = 30
"""Number of rounds that cut probabilities above 1 and raise the others in exchange."""


class DrawnReply(Struct, frozen=True, gc=False):
    """Reply that was drawn for people to judge."""

    candidate: LabelCandidate
    probability: float
    """Sampling probability of the reply."""
    is_shared: bool
    """True if two people judge the reply."""


def draw(
    candidates: Sequence[LabelCandidate], order: Order, count: int, *, floor: float, overlap: float, seed: int
) -> list[DrawnReply]:
    """Draw replies and return them in the order in which people judge them.

    Args:
        candidates: All replies.
        order: `active` to prefer uncertain grades, `disagreement` to prefer replies on which judge and grader
            disagree, or `uniform`.
        count: Expected number of drawn replies.
        floor: Share of the draw that is uniform, above 0.
        overlap: Share of the drawn replies that two people judge.
        seed: Seed of all random choices.

    Raises:
        ConfigError: The order is `disagreement`, and no judge has graded a reply.
    """
    probabilities = sampling_probabilities(candidates, order, count, floor)
    streams = [Random(f"{seed}:label:{entry.system}:{entry.id}") for entry in candidates]
    ties = [rng.random() for rng in streams]
    numbers = low_discrepancy_numbers(probabilities, ties, Random(f"{seed}:label").random())
    entries = []
    for candidate, probability, number, rng in zip(
        candidates, probabilities.tolist(), numbers.tolist(), streams, strict=True
    ):
        place, share = rng.random(), rng.random()
        if number < probability:
            entries.append((place, candidate.key, DrawnReply(candidate, probability, share < overlap)))
    return [found for _, _, found in sorted(entries, key=lambda entry: entry[:2])]


def low_discrepancy_numbers(probabilities: Floats, ties: ArrayLike, start: float) -> Floats:
    """Return low-discrepancy numbers in [0, 1), one for each reply.

    Each number is uniform if `start` is, so that it falls below a reply's probability with just this probability.
    Replies in the order of their probabilities get multiples of the golden ratio, which have a low discrepancy
    (Niederreiter 1992, Random Number Generation and Quasi-Monte Carlo Methods, chapter 3). Therefore the number of
    drawn replies is close to the sum of the probabilities.

    Args:
        probabilities: Sampling probabilities; shape (replies,).
        ties: A random number for each reply, which orders replies of the same probability; shape (replies,).
        start: Number of the first reply.

    Returns:
        Numbers of shape (replies,).
    """
    numbers = np.empty(len(probabilities))
    numbers[np.lexsort((np.asarray(ties), probabilities))] = (start + _GOLDEN * np.arange(len(numbers))) % 1
    return numbers


def sampling_probabilities(candidates: Sequence[LabelCandidate], order: Order, count: int, floor: float) -> Floats:
    """Return the sampling probability of each reply; their sum is `count`, or the number of replies if that is less.

    With `active`, the probability is proportional to the standard deviation of the label, as the grader's probability
    predicts it (Zrnic and Candès 2024, arXiv:2403.03208), plus a uniform share. With `disagreement`, replies on which
    judge and grader disagree share the draw, apart from the uniform share. With `uniform`, all are equal.

    Raises:
        ConfigError: The order is `disagreement`, and no judge has graded a reply.
    """
    if not candidates:
        return np.zeros(0)
    if order == "uniform":
        return np.full(len(candidates), min(count / len(candidates), 1.0))
    if order == "active":
        return label_chances([candidate.prediction for candidate in candidates], count, floor)
    if all(candidate.is_contested is None for candidate in candidates):
        hint = "grade them with model@judge=, or name a judge's grades of the same replies by label.judge="
        raise ConfigError("no reply has a judge's verdict", where="label.order", hint=hint)
    return _chances_by(np.array([float(bool(one.is_contested)) for one in candidates]), count, floor)


def label_chances(predictions: ArrayLike, labels: int, floor: float = FLOOR) -> Floats:
    """Return sampling probabilities that are larger for uncertain predictions; shape (replies,).

    They are proportional to the standard deviation of the label (Zrnic and Candès 2024, section 4), plus a uniform
    share. Predictions are rescaled to [`SURELY_WRONG`, `SURELY_RIGHT`], since a grader may be certain and wrong.

    Args:
        predictions: Probability that each reply is correct; shape (replies,).
        labels: Number of replies to draw on average.
        floor: Share of uniform draws, above 0.
    """
    p = SURELY_WRONG + (SURELY_RIGHT - SURELY_WRONG) * np.asarray(predictions, float)
    return _chances_by(np.sqrt(p * (1 - p)), labels, floor)


def _chances_by(sizes: Floats, labels: int, floor: float) -> Floats:
    """Return sampling probabilities that are proportional to sizes, plus a uniform share; shape (replies,).

    Their sum is `labels`, or the number of replies if that is less.

    Args:
        sizes: Sizes of at least 0; shape (replies,).
        labels: Number of replies to draw on average.
        floor: Share of uniform draws, above 0.
    """
    sizes = sizes if sizes.any() else np.ones(len(sizes))
    chances: Floats = floor / len(sizes) + (1 - floor) * sizes / sizes.sum()
    for _ in range(_CUTTING_ROUNDS):
        chances = np.minimum(chances * min(labels / chances.sum(), len(sizes)), 1.0)
    return chances
