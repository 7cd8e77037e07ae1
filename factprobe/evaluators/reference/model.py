"""The model that decides on answers without a graph: gradient-boosted trees, evaluated with numpy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import msgspec
import numpy as np
from msgspec import Struct

from factprobe.evaluators.reference.features import FEATURES

Array = np.ndarray[Any, Any]


class Weights(Struct, frozen=True, forbid_unknown_fields=True):
    """What `benchmarks/train_grader.py` writes to `model.json`."""

    features: tuple[str, ...]
    """Their names in the order of the vector."""
    base: float
    """The log-odds before any tree."""
    depth: int
    """Splits from the root of each tree to a leaf; all trees are complete."""
    split: list[list[int]]
    """For each tree the feature of each split, level by level from the root."""
    threshold: list[list[float]]
    """For each split the value up to which the left branch is taken."""
    value: list[list[float]]
    """For each tree the mean log-odds of each node, splits first, then leaves."""
    strict: float
    """The threshold of the preset `strict`."""


class Model:
    """Trees with all their splits in one array.

    Args:
        weights: as trained.

    Raises:
        ValueError: they were trained with other features than the code has.
    """

    def __init__(self, weights: Weights) -> None:
        if weights.features != tuple(FEATURES):
            raise ValueError("model.json has other features than features.py: run benchmarks/train_grader.py")
        self.strict = weights.strict
        self.base, self._depth = weights.base, weights.depth
        self._split = np.array(weights.split, np.intp).ravel()
        self._threshold = np.array(weights.threshold).ravel()
        self._value = np.array(weights.value).ravel()
        trees = len(weights.split)
        self._splits_at = np.arange(trees) * (2**self._depth - 1)
        self._values_at = np.arange(trees) * (2 ** (self._depth + 1) - 1)

    def predict(self, vector: Sequence[float]) -> Prediction:
        """What the trees say of a reply by its features."""
        values = np.array(vector)
        node = np.zeros(len(self._splits_at), np.intp)
        nodes, splits = [self._values_at], []
        for _ in range(self._depth):
            at = self._splits_at + node
            split = self._split[at]
            node = 2 * node + 1 + (values[split] > self._threshold[at])
            splits.append(split)
            nodes.append(self._values_at + node)
        odds = self.base + float(self._value[nodes[-1]].sum())
        return Prediction(1 / (1 + math.exp(-odds)), self._value[np.array(nodes)], np.array(splits))


class Prediction(NamedTuple):
    """A probability, and how the trees came to it."""

    probability: float
    """How probable it is that a careful reader calls the reply right, from 0 to 1."""
    values: Array
    """The mean log-odds of the nodes on the path through each tree; shape (levels, trees)."""
    splits: Array
    """The features that the trees split on; shape (levels - 1, trees)."""

    def reasons(self, most: int = 3) -> list[tuple[int, float]]:
        """The features that moved the probability most, by their number, each with the log-odds that it added.

        A feature adds the change in the mean log-odds of a tree's nodes where the path splits on it (Saabas, 2014).

        Args:
            most: how many at most.
        """
        steps = self.values[1:] - self.values[:-1]
        moved = np.bincount(self.splits.ravel(), steps.ravel(), len(FEATURES))
        return [(int(i), float(moved[i])) for i in np.argsort(-np.abs(moved), kind="stable")[:most] if moved[i]]


@cache
def model() -> Model:
    """The model that the package has."""
    found = files("factprobe.evaluators.reference").joinpath("model.json").read_bytes()
    return Model(msgspec.json.decode(found, type=Weights))
