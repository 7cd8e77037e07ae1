"""Draw of the replies that people judge, each with a known probability.

A reply is drawn if its own uniform number lies below its probability. With a larger count the probabilities grow and
the numbers stay, so that a larger draw contains the smaller one. The numbers are made of the seed and the ids and
spread evenly over replies of similar probability, so that about as many replies are drawn as are asked for. The drawn
replies come in random order, so that those judged first are a random part of them.
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
"""Probabilities that stand for predictions of 0 and 1; those of the narrowest intervals in the first half of EVOUNA."""
_GOLDEN = (sqrt(5) - 1) / 2
_ROUNDS = 30
"""How often chances above 1 are cut and the others raised in their place."""


class DrawnReply(Struct, frozen=True, gc=False):
    """Drawn reply."""

    candidate: LabelCandidate
    probability: float
    """Probability with which it was drawn."""
    is_shared: bool
    """Whether a second person judges it too."""


def draw(
    candidates: Sequence[LabelCandidate], order: Order, count: int, *, floor: float, overlap: float, seed: int
) -> list[DrawnReply]:
    """Draw replies, in the order in which people judge them.

    Args:
        candidates: all replies.
        order: which are drawn with a larger probability; see `sampling_probabilities`.
        count: expected number of drawn replies.
        floor: share of the draw that is uniform, above 0.
        overlap: share of the drawn replies that two people judge.
        seed: of all random choices.

    Raises:
        ConfigError: the order is `disagreement`, and no judge has seen a reply.
    """
    probabilities = sampling_probabilities(candidates, order, count, floor)
    streams = [Random(f"{seed}:label:{one.system}:{one.id}") for one in candidates]
    numbers = even_numbers(probabilities, [rng.random() for rng in streams], Random(f"{seed}:label").random())
    drawn = []
    for candidate, probability, number, rng in zip(
        candidates, probabilities.tolist(), numbers.tolist(), streams, strict=True
    ):
        place, share = rng.random(), rng.random()
        if number < probability:
            drawn.append((place, candidate.key, DrawnReply(candidate, probability, share < overlap)))
    return [found for _, _, found in sorted(drawn, key=lambda one: one[:2])]


def even_numbers(probabilities: Floats, ties: ArrayLike, start: float) -> Floats:
    """Return a number in [0, 1) for each reply, evenly spread over replies of similar probability.

    For a uniform `start` each number is uniform, so that it lies below a reply's probability as often as that says. The
    multiples of the golden ratio in the order of the probabilities have a low discrepancy (Niederreiter 1992, Random
    Number Generation and Quasi-Monte Carlo Methods, chapter 3), so that about as many lie below as the probabilities
    add up to.

    Args:
        probabilities: of being drawn; shape (replies,).
        ties: order of replies of the same probability, a random number for each.
        start: number of the first reply.
    """
    numbers = np.empty(len(probabilities))
    numbers[np.lexsort((np.asarray(ties), probabilities))] = (start + _GOLDEN * np.arange(len(numbers))) % 1
    return numbers


def sampling_probabilities(candidates: Sequence[LabelCandidate], order: Order, count: int, floor: float) -> Floats:
    """Return the probability of each reply of being drawn; they add up to `count`, unless all are drawn.

    `active`: proportional to the standard deviation of a label with the grader's probability (Zrnic and Candès 2024,
    arXiv:2403.03208), with a uniform floor. `disagreement`: on which the judge and the grader disagree, with the same
    floor for all others. `uniform`: alike.

    Raises:
        ConfigError: the order is `disagreement`, and no judge has seen a reply.
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
    """Return the probability with which to draw each reply for labelling: more where the prediction is less certain.

    Proportional to the standard deviation of a label (Zrnic and Candès 2024, section 4), for predictions moved into
    `SURELY_WRONG` to `SURELY_RIGHT`, since graders err where they are certain, too.

    Args:
        predictions: probability that each reply is correct; shape (replies,).
        labels: how many are to be drawn on average.
        floor: share of uniform draws, above 0.
    """
    p = SURELY_WRONG + (SURELY_RIGHT - SURELY_WRONG) * np.asarray(predictions, float)
    return _chances_by(np.sqrt(p * (1 - p)), labels, floor)


def _chances_by(sizes: Floats, labels: int, floor: float) -> Floats:
    """Return probabilities of being drawn in proportion to sizes, mixed with a uniform share.

    They add up to `labels`, unless all replies are drawn.

    Args:
        sizes: at least 0; shape (replies,).
        labels: how many are to be drawn on average.
        floor: share of uniform draws, above 0.
    """
    sizes = sizes if sizes.any() else np.ones(len(sizes))
    chances: Floats = floor / len(sizes) + (1 - floor) * sizes / sizes.sum()
    for _ in range(_ROUNDS):
        chances = np.minimum(chances * min(labels / chances.sum(), len(sizes)), 1.0)
    return chances
