"""Draw of the replies that people judge, each with a known probability.

A reply is drawn if its own uniform number is below its probability. With a larger count the probabilities grow and
the numbers stay, so that a larger draw contains the smaller one. The numbers are made from the seed and the ids and
spread evenly over replies of similar probability, so that about as many replies are drawn as are asked for. The drawn
replies come in random order, so that the first ones judged are a random part of them.
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
"""Share of the labels that `label_chances` draws uniformly."""
SURELY_WRONG, SURELY_RIGHT = 0.1, 0.99
"""Probabilities used for predictions of 0 and 1; they gave the narrowest intervals on the first half of EVOUNA."""
_GOLDEN = (sqrt(5) - 1) / 2
_ROUNDS = 30
"""Number of rounds in which probabilities above 1 are cut and the others raised instead."""


class DrawnReply(Struct, frozen=True, gc=False):
    """Drawn reply."""

    candidate: LabelCandidate
    probability: float
    """Probability with which the reply was drawn."""
    is_shared: bool
    """True if a second person judges the reply too."""


def draw(
    candidates: Sequence[LabelCandidate], order: Order, count: int, *, floor: float, overlap: float, seed: int
) -> list[DrawnReply]:
    """Draw replies, in the order in which people judge them.

    Args:
        candidates: All replies.
        order: Replies that are drawn with a larger probability; see `sampling_probabilities`.
        count: Expected number of drawn replies.
        floor: Share of the draw that is uniform, above 0.
        overlap: Share of the drawn replies that two people judge.
        seed: Seed of all random choices.

    Raises:
        ConfigError: The order is `disagreement`, and no judge has graded a reply.
    """
    probabilities = sampling_probabilities(candidates, order, count, floor)
    streams = [Random(f"{seed}:label:{one.system}:{one.id}") for one in candidates]
    ties = [rng.random() for rng in streams]
    numbers = low_discrepancy_numbers(probabilities, ties, Random(f"{seed}:label").random())
    drawn = []
    for candidate, probability, number, rng in zip(
        candidates, probabilities.tolist(), numbers.tolist(), streams, strict=True
    ):
        place, share = rng.random(), rng.random()
        if number < probability:
            drawn.append((place, candidate.key, DrawnReply(candidate, probability, share < overlap)))
    return [found for _, _, found in sorted(drawn, key=lambda one: one[:2])]


def low_discrepancy_numbers(probabilities: Floats, ties: ArrayLike, start: float) -> Floats:
    """Return low-discrepancy numbers in [0, 1), one for each reply.

    For a uniform `start` each number is uniform, so that it lies below a reply's probability as often as that says. The
    multiples of the golden ratio in the order of the probabilities have a low discrepancy (Niederreiter 1992, Random
    Number Generation and Quasi-Monte Carlo Methods, chapter 3), so that about as many lie below as the probabilities
    add up to.

    Args:
        probabilities: Probabilities of being drawn; shape (replies,).
        ties: Order of replies of the same probability, a random number for each.
        start: Number of the first reply.
    """
    numbers = np.empty(len(probabilities))
    numbers[np.lexsort((np.asarray(ties), probabilities))] = (start + _GOLDEN * np.arange(len(numbers))) % 1
    return numbers


def sampling_probabilities(candidates: Sequence[LabelCandidate], order: Order, count: int, floor: float) -> Floats:
    """Return the probability with which each reply is drawn; they add up to `count`, unless all replies are drawn.

    With `active`, a probability is proportional to the standard deviation of a label under the grader's probability
    (Zrnic and Candès 2024, arXiv:2403.03208), with a uniform floor. With `disagreement`, replies on which judge and
    grader disagree are drawn first, with the same floor for all others. With `uniform`, all probabilities are equal.

    Raises:
        ConfigError: The order is `disagreement`, and no judge has graded a reply.
    """
    if not candidates:
        return np.zeros(0)
    if order == "uniform":
        return np.full(len(candidates), min(count / len(candidates), 1.0))
    if order == "active":
        return label_chances([one.prediction for one in candidates], count, floor)
    if all(one.is_contested is None for one in candidates):
        hint = "grade them with model@judge=, or name a judge's grades of the same replies by label.judge="
        raise ConfigError("no reply has a judge's verdict", where="label.order", hint=hint)
    return _chances_by(np.array([float(bool(one.is_contested)) for one in candidates]), count, floor)


def label_chances(predictions: ArrayLike, labels: int, floor: float = FLOOR) -> Floats:
    """Return the probability with which to draw each reply, which is larger for uncertain predictions.

    It is proportional to the standard deviation of a label (Zrnic and Candès 2024, section 4), mixed with a uniform
    share. Predictions are rescaled linearly to [`SURELY_WRONG`, `SURELY_RIGHT`], since certain graders err too.

    Args:
        predictions: Probability that each reply is correct; shape (replies,).
        labels: Number of replies to draw on average.
        floor: Share of uniform draws, above 0.
    """
    p = SURELY_WRONG + (SURELY_RIGHT - SURELY_WRONG) * np.asarray(predictions, float)
    return _chances_by(np.sqrt(p * (1 - p)), labels, floor)


def _chances_by(sizes: Floats, labels: int, floor: float) -> Floats:
    """Return probabilities of being drawn that are proportional to sizes, mixed with a uniform share.

    They add up to `labels`, unless all replies are drawn.

    Args:
        sizes: Sizes of at least 0; shape (replies,).
        labels: Number of replies to draw on average.
        floor: Share of uniform draws, above 0.
    """
    sizes = sizes if sizes.any() else np.ones(len(sizes))
    chances: Floats = floor / len(sizes) + (1 - floor) * sizes / sizes.sum()
    for _ in range(_ROUNDS):
        chances = np.minimum(chances * min(labels / chances.sum(), len(sizes)), 1.0)
    return chances
