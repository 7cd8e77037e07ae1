"""Feature-based detectors of HaDes: logistic regression and a support vector machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import exp
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
from msgspec import Struct

from factprobe.components.base import PartSettings
from factprobe.config import Filled
from factprobe.detectors.hades.features import FeatureExtractor, WordCounts
from factprobe.detectors.hades.trained import (
    ABOUT,
    Labelled,
    TrainedDetector,
    TrainedModel,
    TrainedSettings,
    detection,
    positives,
)
from factprobe.detectors.hades.windows import SpanWindow, window_of
from factprobe.errors import CallError, ModelError, require
from factprobe.models.hf.token_spans import MaskedSpan, masked_span
from factprobe.progress import progress
from factprobe.reading.tokenisation.tags import Tagger, tagger
from factprobe.records import Detection, DetectorItem
from factprobe.storage import write_json

Kind = Literal["lr", "svm"]
_FOLDS = 5


class LinearClassifier(Struct, frozen=True):
    """Binary linear classifier with probabilities."""

    names: tuple[str, ...]
    """Names of the features; other features are ignored."""
    means: tuple[float, ...]
    """Mean of each feature, subtracted to standardise it."""
    scales: tuple[float, ...]
    """Standard deviation of each feature, by which it is divided."""
    weights: tuple[float, ...]
    intercept: float
    slope: float = 1.0
    """Slope of Platt scaling, which turns an SVM's distance into a probability (Platt 1999)."""
    offset: float = 0.0
    """Offset of Platt scaling."""

    def probability(self, features: Mapping[str, float]) -> float:
        """Return the probability of the positive class, in [0, 1]."""
        values = np.array([features.get(name, 0.0) for name in self.names])
        distance = float((values - self.means) / self.scales @ self.weights) + self.intercept
        score = self.slope * distance + self.offset
        return 1 / (1 + exp(-score)) if score > 0 else exp(score) / (1 + exp(score))


def fit(features: Sequence[Mapping[str, float]], positive: Sequence[bool], kind: Kind, seed: int) -> LinearClassifier:
    """Fit a classifier to rows of features by name; `positive` must have both classes."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
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
        # Each example's distance from a plane fitted to the others, or to all if a class has only one example.
        folds = min(_FOLDS, *np.bincount(truth).tolist())
        if folds < 2:
            distances = pipeline.decision_function(rows)
        else:
            cv = StratifiedKFold(folds, shuffle=True, random_state=seed)
            distances = cross_val_predict(pipeline, rows, truth, cv=cv, method="decision_function")
        platt = LogisticRegression().fit(np.asarray(distances)[:, None], truth)
        slope, offset = float(platt.coef_[0, 0]), float(platt.intercept_[0])
    means, scales, weights = (tuple(values.tolist()) for values in (scaler.mean_, scaler.scale_, model.coef_[0]))
    return LinearClassifier(names, means, scales, weights, float(model.intercept_[0]), slope, offset)


class FeatureSettings(TrainedSettings, frozen=True, kw_only=True):
    """Settings of the feature-based detectors."""

    pipeline: Filled | None = None
    """Tagger of parts of speech and named entities: name or folder of a spaCy pipeline; by default, rules on
    characters, capitals and values."""
    masked: Filled | None = None
    """A masked language model, as a name on the hub or a folder, for the span's probability and entropy; by default,
    these features are omitted."""
    device: str = "auto"
    """Device of the masked model: `cuda`, `cuda:1`, `mps` or `cpu`; `auto` takes the first available."""


class _Stored(TrainedModel, frozen=True, forbid_unknown_fields=True):
    """Trained classifier as stored in a file, with the settings on which its features depend."""

    pipeline: str | None
    masked: str | None
    counts: WordCounts
    classifier: LinearClassifier


class FeatureDetector(TrainedDetector):
    """Base class of detectors with hand-made features; training needs `pip install 'factprobe[detect]'`."""

    settings_type: ClassVar[type[PartSettings]] = FeatureSettings
    kind: ClassVar[Kind]

    def train(self, labelled: Labelled, folder: Path, seed: int) -> dict[str, Any]:
        """Train on labelled spans, write the classifier, and return the numbers of spans and features."""
        settings = self.settings
        require("sklearn", extra="detect", where=f"detector={settings.name}", called="scikit-learn")
        positive = positives(labelled, f"detector={settings.name}")
        windows = [window_of(item, settings.context_words, settings.mode) for item, _ in labelled]
        tag = tagger(settings.pipeline, "detector.pipeline")
        counts = WordCounts.in_texts([word.text.lower() for word in tag(window.text)] for window in windows)
        features = FeatureExtractor(counts, tag, self._span_masker(settings.masked))
        try:
            rows = [features.of(window) for window in progress(windows, "train", "span")]
        except CallError as error:
            raise ModelError(str(error), where=f"detector.masked={settings.masked}") from error
        classifier = fit(rows, positive, self.kind, seed)
        settings_in_file = (self.kind, settings.mode, settings.context_words, settings.pipeline, settings.masked)
        write_json(folder / ABOUT, _Stored(*settings_in_file, counts, classifier))
        return {"spans": len(rows), "hallucinated": sum(positive), "features": len(classifier.names)}

    def detect_spans(self, items: Sequence[DetectorItem]) -> Iterator[Detection]:
        """Yield the detection of each item's span."""
        stored = self.load_trained(_Stored)
        tag: Tagger = tagger(stored.pipeline, "detector.pipeline")
        features = FeatureExtractor(stored.counts, tag, self._span_masker(stored.masked))
        for item in items:
            try:
                row = features.of(self.window(item, stored))
            except CallError as error:
                yield Detection(None, None, reasons=(str(error),))
            else:
                yield detection(stored.classifier.probability(row))

    def _span_masker(self, name: str | None) -> Callable[[SpanWindow], MaskedSpan] | None:
        if name is None:
            return None
        require("torch", "transformers", extra="hf", where="detector.masked")
        from factprobe.models.hf.checkpoints import load_checkpoint, resolve_source

        checkpoint = load_checkpoint(resolve_source(name), "masked", self.settings.device, "auto", "detector.masked")
        return lambda window: masked_span(checkpoint, window.text, window.start, window.end)


class LogisticRegressionDetector(FeatureDetector):
    """Detector by logistic regression."""

    kind = "lr"


class SvmDetector(FeatureDetector):
    """Detector by a linear support vector machine, with probabilities by Platt scaling (1999)."""

    kind = "svm"
