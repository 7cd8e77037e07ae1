"""Trains the model that marks spans without a language model, and writes it to the package.

Trained on the validation sets of Mu-SHROOM, each output with its logits and without. The same data and versions give
the same bytes. Needs scikit-learn, which the extra `dev` brings.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from boosting import DEPTH, weights_of
from msgspec.structs import replace
from sklearn.ensemble import HistGradientBoostingRegressor

from factprobe.detectors.spans.features import FEATURES, features_of
from factprobe.inputs.shroom import read_human_labels
from factprobe.records import DetectorItem, HumanLabel, Spans
from factprobe.trees import TreeEnsemble, Weights

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("FACTPROBE_DATA", ROOT.parent / "shared" / "data")) / "mu_shroom"
MODEL = ROOT / "factprobe" / "detectors" / "spans" / "model.json"
TREES = 100


class Example(NamedTuple):
    """Words of an output with the share of annotators who mark each."""

    item: DetectorItem
    human: HumanLabel
    words: Spans
    features: np.ndarray
    """Shape (words, features)."""
    bare: np.ndarray
    """The same without logits."""
    shares: np.ndarray
    """Shape (words,)."""
    weights: np.ndarray
    """Share of each word in the letters of the output, so that all outputs count alike."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="files of Mu-SHROOM with labels")
    paths = parser.parse_args().files or sorted(DATA.glob("*.jsonl"))
    if not paths:
        parser.error(f"no files in {DATA}: name some")
    examples = [one for path in paths for one in read_examples(path)]
    MODEL.write_bytes(msgspec.json.encode(train(examples)) + b"\n")
    print(f"{len(examples):,} outputs, {sum(len(one.shares) for one in examples):,} words → {MODEL}")


def read_examples(path: Path) -> list[Example]:
    """Return the outputs of a file that have words."""
    found = [_example(*pair) for pair in read_human_labels(path).values()]
    return [one for one in found if len(one.shares)]


def train(examples: Sequence[Example]) -> Weights:
    """Return the weights of a model of the shares."""
    vectors = np.concatenate([part for one in examples for part in (one.features, one.bare)])
    shares = np.concatenate([one.shares for one in examples for _ in range(2)])
    weights = np.concatenate([one.weights for one in examples for _ in range(2)])
    trees = HistGradientBoostingRegressor(
        max_iter=TREES,
        max_depth=DEPTH,
        learning_rate=0.06,
        min_samples_leaf=40,
        max_features=0.4,
        random_state=0,
        early_stopping=False,
    )
    trees.fit(vectors, shares, sample_weight=weights / weights.mean())
    return weights_of([trees], FEATURES, {})


def ensemble(weights: Weights) -> TreeEnsemble:
    """Return the model of some weights, as the package evaluates it."""
    return TreeEnsemble(weights)


def _example(item: DetectorItem, human: HumanLabel) -> Example:
    words, features = features_of(item)
    _, bare = features_of(replace(item, logits=(), tokens=()))
    painted: Any = np.zeros(len(item.output))
    for start, end, probability in human.soft_spans:
        painted[start:end] = probability
    shares = np.array([painted[start:end].mean() for start, end in words.spans])
    lengths = np.array([end - start for start, end in words.spans], float)
    return Example(item, human, words.spans, features, bare, shares, lengths / max(lengths.sum(), 1))


if __name__ == "__main__":
    main()
