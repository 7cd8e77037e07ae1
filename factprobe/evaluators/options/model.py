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
    probabilities: dict[frozenset[int], float]
    """Probability of each alternative."""
    why: str
    """Its probability, and the features that distinguish it most from the second one with their log-odds."""


def choose(alternatives: Alternatives) -> Choice:
    """Return the most probable alternative; of equally probable ones the first.

    The probability of an alternative is proportional to the exponential of the weighted sum of its features.
    """
    weights = _weights()
    scores = {options: sum(map(float.__mul__, weights, vector)) for options, vector in alternatives.items()}
    best, *others = sorted(scores, key=lambda options: -scores[options])
    shares = {options: math.exp(score - scores[best]) for options, score in scores.items()}
    probabilities = {options: share / sum(shares.values()) for options, share in shares.items()}
    second = alternatives[others[0]] if others else [0.0] * len(weights)
    odds = [weight * (x - y) for weight, x, y in zip(weights, alternatives[best], second, strict=True)]
    largest = sorted(range(len(odds)), key=lambda i: -abs(odds[i]))[:_REASONS]
    phrases = [*FEATURES.values()]
    reasons = "; ".join(f"{phrases[i]} ({odds[i]:+.1f})" for i in largest if odds[i])
    return Choice(best, probabilities, f"probability {probabilities[best]:.2f}: {reasons}".removesuffix(": "))


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
