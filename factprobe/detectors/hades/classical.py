"""Feature-based detectors of HaDes: logistic regression and a support vector machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

from msgspec import Struct

from factprobe.components.base import PartSettings
from factprobe.config import Filled
from factprobe.detectors.hades.features import Features, WordCounts
from factprobe.detectors.hades.linear import Kind, LinearClassifier, fit
from factprobe.detectors.hades.trained import ABOUT, Labelled, TrainedDetector, TrainedSettings, detection, positives
from factprobe.detectors.hades.windows import TaskMode, Window, window_of
from factprobe.errors import CallError, ModelError, require
from factprobe.models.hf.token_spans import MaskedSpan, masked_span
from factprobe.progress import progress
from factprobe.reading.tokenisation.tags import Tagger, tagger
from factprobe.records import Detection, DetectorItem
from factprobe.storage import write_json


class FeatureSettings(TrainedSettings, frozen=True, kw_only=True):
    """Settings of the feature-based detectors."""

    pipeline: Filled | None = None
    """The tagger of parts of speech and entities: a pipeline of spaCy, by name or folder; by default rules based on
    characters, capitals and values."""
    masked: Filled | None = None
    """A masked model, by its name on the hub or its folder, for the probability and the entropy of the span; by default
    none, and these features are omitted."""
    device: str = "auto"
    """The device of the masked model: `cuda`, `cuda:1`, `mps` or `cpu`; `auto` takes the first available."""


class _Stored(Struct, frozen=True, forbid_unknown_fields=True):
    """Result of training, with the settings that the features depend on."""

    kind: Kind
    task_mode: TaskMode
    context_words: int | None
    pipeline: str | None
    masked: str | None
    counts: WordCounts
    classifier: LinearClassifier


class FeatureDetector(TrainedDetector):
    """Detector by features of a span; training needs `pip install 'factprobe[detect]'`."""

    settings_type: ClassVar[type[PartSettings]] = FeatureSettings
    kind: ClassVar[Kind]

    def train(self, labelled: Labelled, folder: Path, seed: int) -> dict[str, Any]:
        """Train on labelled spans and write the result.

        Raises:
            MissingExtraError: Scikit-learn is not installed.
            ModelError: The masked model or the pipeline cannot be loaded, or the masked model cannot read a span.
        """
        settings = self.settings
        require("sklearn", extra="detect", where=f"detector={settings.name}", called="scikit-learn")
        positive = positives(labelled, f"detector={settings.name}")
        windows = [window_of(item, settings.context_words, settings.mode) for item, _ in labelled]
        tag = tagger(settings.pipeline, "detector.pipeline")
        counts = WordCounts.in_texts([word.text.lower() for word in tag(window.text)] for window in windows)
        features = Features(counts, tag, self._span_masker(settings.masked))
        try:
            rows = [features.of(window) for window in progress(windows, "train", "span")]
        except CallError as error:
            raise ModelError(str(error), where=f"detector.masked={settings.masked}") from error
        classifier = fit(rows, positive, self.kind, seed)
        made = (self.kind, settings.mode, settings.context_words, settings.pipeline, settings.masked)
        write_json(folder / ABOUT, _Stored(*made, counts, classifier))
        return {"spans": len(rows), "hallucinated": sum(positive), "features": len(classifier.names)}

    def detect_spans(self, items: Sequence[DetectorItem]) -> Iterator[Detection]:
        """Yield the detection of each item's span.

        Raises:
            ConfigError: It is not trained, or the folder belongs to another detector or other settings.
            ModelError: The masked model or the pipeline cannot be loaded.
        """
        stored = self.load_trained(_Stored)
        tag: Tagger = tagger(stored.pipeline, "detector.pipeline")
        features = Features(stored.counts, tag, self._span_masker(stored.masked))
        words = self.settings.context_words
        words = stored.context_words if words is None else words
        for item in items:
            try:
                row = features.of(window_of(item, words, stored.task_mode))
            except CallError as error:
                yield Detection(None, None, reasons=(str(error),))
            else:
                yield detection(stored.classifier.probability(row))

    def _span_masker(self, name: str | None) -> Callable[[Window], MaskedSpan] | None:
        if name is None:
            return None
        require("torch", "transformers", extra="hf", where="detector.masked")
        from factprobe.models.hf.checkpoints import load, resolve_source

        checkpoint = load(resolve_source(name), "masked", self.settings.device, "auto", "detector.masked")
        return lambda window: masked_span(checkpoint, window.text, window.start, window.end)


class LogisticRegressionDetector(FeatureDetector):
    """Detector by logistic regression."""

    kind = "lr"


class SvmDetector(FeatureDetector):
    """Detector by a linear support vector machine, with probabilities by Platt scaling (1999)."""

    kind = "svm"
