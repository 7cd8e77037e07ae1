"""Conditional logit model (McFadden, 1974) of which of several alternatives a reply chooses."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import msgspec

NOTHING: frozenset[int] = frozenset()
"""Alternative in which the reply chooses nothing."""
Alternatives = Mapping[frozenset[int], Mapping[str, float]]
"""Features of each alternative, by the numbers of its options; a missing feature is 0."""
_MAX_REASONS = 3
"""Maximum number of features in the explanation of a choice."""


class ChosenAlternative(NamedTuple):
    """Most probable alternative for a reply."""

    options: frozenset[int]
    """Numbers of the alternative's options; empty if nothing is chosen."""
    probabilities: dict[frozenset[int], float]
    """Probability of each alternative."""
    why: str
    """Explanation: probability, and the features that distinguish it most from the second best, with log-odds."""


def choose(alternatives: Alternatives, package: str, features: Mapping[str, str]) -> ChosenAlternative:
    """Return the most probable alternative, or the first of equally probable ones.

    The probability of an alternative is proportional to the exponential of the weighted sum of its features.

    Args:
        alternatives: Alternatives that the reply may choose.
        package: Python package with the weights, in `model.json`.
        features: Features of the model, with a phrase for each.
    """
    weights = _weights(package, tuple(features))
    scores = {options: sum(weights[name] * x for name, x in values.items()) for options, values in alternatives.items()}
    best, *others = sorted(scores, key=lambda options: -scores[options])
    shares = {options: math.exp(score - scores[best]) for options, score in scores.items()}
    probabilities = {options: share / sum(shares.values()) for options, share in shares.items()}
    own, second = alternatives[best], alternatives[others[0]] if others else {}
    more = {name: own.get(name, 0) - second.get(name, 0) for name in features}
    odds = {name: weights[name] * weight for name, weight in more.items() if weight}
    largest = sorted(odds, key=lambda name: -abs(odds[name]))[:_MAX_REASONS]
    marks = {name: "runner-up: " if more[name] < 0 else "" for name in largest}
    reasons = "; ".join(f"{marks[name]}{features[name]} ({odds[name]:+.1f})" for name in largest if odds[name])
    why = f"probability {probabilities[best]:.2f}: {reasons}".removesuffix(": ")
    return ChosenAlternative(best, probabilities, why)


@cache
def _weights(package: str, features: tuple[str, ...]) -> dict[str, float]:
    """Return the weight of each feature.

    Raises:
        ValueError: The model was trained with other features.
    """
    weights = msgspec.json.decode(files(package).joinpath("model.json").read_bytes(), type=dict[str, float])
    if tuple(weights) != features:
        raise ValueError(f"model.json of {package} has other features than its code: train it again")
    return weights
