"""Linear classifiers: fitted by scikit-learn and stored as plain numbers, so that nothing is unpickled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp
from typing import TYPE_CHECKING, Literal

import numpy as np
from msgspec import Struct

if TYPE_CHECKING:
    from sklearn.pipeline import Pipeline

    from factprobe.metrics.statistics.intervals import Codes, Floats

Kind = Literal["lr", "svm"]
_FOLDS = 5


class LinearClassifier(Struct, frozen=True):
    """Binary linear classifier with probabilities."""

    names: tuple[str, ...]
    """Names of the features; others are ignored."""
    means: tuple[float, ...]
    scales: tuple[float, ...]
    """Mean and scale with which each feature is standardised."""
    weights: tuple[float, ...]
    intercept: float
    slope: float = 1.0
    offset: float = 0.0
    """Platt scaling of an SVM, from distance to probability (Platt 1999)."""

    def probability(self, features: Mapping[str, float]) -> float:
        """Return the probability of the positive class, in [0, 1]."""
        values = np.array([features.get(name, 0.0) for name in self.names])
        distance = float((values - self.means) / self.scales @ self.weights) + self.intercept
        score = self.slope * distance + self.offset
        return 1 / (1 + exp(-score)) if score > 0 else exp(score) / (1 + exp(score))


def fit(features: Sequence[Mapping[str, float]], positive: Sequence[bool], kind: Kind, seed: int) -> LinearClassifier:
    """Fit a classifier to examples; both classes must occur."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import LinearSVC

    names = tuple(sorted({name for row in features for name in row}))
    rows = np.array([[row.get(name, 0.0) for name in names] for row in features])
    truth = np.array(positive, dtype=int)
    model = LogisticRegression(max_iter=1_000) if kind == "lr" else LinearSVC(random_state=seed, max_iter=10_000)
    pipeline = make_pipeline(StandardScaler(), model).fit(rows, truth)
    scaler = pipeline[0]
    slope, offset = 1.0, 0.0
    if kind == "svm":
        platt = LogisticRegression().fit(_distances(pipeline, rows, truth, seed)[:, None], truth)
        slope, offset = float(platt.coef_[0, 0]), float(platt.intercept_[0])
    return LinearClassifier(
        names,
        tuple(scaler.mean_.tolist()),
        tuple(scaler.scale_.tolist()),
        tuple(model.coef_[0].tolist()),
        float(model.intercept_[0]),
        slope,
        offset,
    )


def _distances(pipeline: Pipeline, rows: Floats, truth: Codes, seed: int) -> Floats:
    """Return the distance of each example from a plane fitted to the others, if each class has at least two."""
    from sklearn.model_selection import StratifiedKFold, cross_val_predict

    folds = min(_FOLDS, *np.bincount(truth).tolist())
    if folds < 2:
        return np.asarray(pipeline.decision_function(rows))
    cv = StratifiedKFold(folds, shuffle=True, random_state=seed)
    return np.asarray(cross_val_predict(pipeline, rows, truth, cv=cv, method="decision_function"))
