"""Conditional logit model of which alternative a reply chooses (McFadden, 1974), with weights as JSON."""

from __future__ import annotations

import math
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import msgspec

from factprobe.evaluators.options.features import FEATURES, Alternatives


class Choice(NamedTuple):
    """The most probable alternative."""

    options: frozenset[int]
    """Numbers of its options; empty if nothing is chosen."""
    probability: float
    reasons: tuple[tuple[str, float], ...]
    """Features that distinguish it most from the second one, with their contributions in log-odds."""


def choose(alternatives: Alternatives) -> Choice:
    """Return the most probable alternative; of equally probable ones the first.

    The probability of an alternative is proportional to the exponential of the weighted sum of its features.
    """
    weights = _weights()
    scores = [sum(w * x for w, x in zip(weights, vector, strict=True) if x) for vector in alternatives.values()]
    order = sorted(range(len(scores)), key=lambda i: -scores[i])
    total = sum(math.exp(score - scores[order[0]]) for score in scores)
    options, vectors = list(alternatives), list(alternatives.values())
    best, second = vectors[order[0]], vectors[order[1]] if len(order) > 1 else [0.0] * len(weights)
    moved = zip(FEATURES, (w * (x - y) for w, x, y in zip(weights, best, second, strict=True)), strict=True)
    reasons = sorted(((name, odds) for name, odds in moved if odds), key=lambda reason: -abs(reason[1]))
    return Choice(options[order[0]], 1 / total, tuple(reasons[:_REASONS]))


_REASONS = 3
"""Number of features that explain a choice."""


@cache
def _weights() -> tuple[float, ...]:
    """Load the weights of the features in the order of the vector.

    Raises:
        ValueError: the model was trained with other features.
    """
    data = files("factprobe.evaluators.options").joinpath("model.json").read_bytes()
    found = msgspec.json.decode(data, type=dict[str, float])
    if tuple(found) != tuple(FEATURES):
        raise ValueError("model.json of factprobe.evaluators.options has other features than its code: train it again")
    return tuple(found.values())
