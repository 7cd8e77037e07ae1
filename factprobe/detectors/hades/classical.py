"""HaDes' feature-based detectors: logistic regression and a support vector machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from msgspec import Struct

from factprobe.config import Filled
from factprobe.detectors.hades.features import Features, WordCounts
from factprobe.detectors.hades.linear import Kind, LinearClassifier, fit
from factprobe.detectors.hades.trained import ABOUT, Labelled, TrainedDetector, TrainedSettings, detection, positives
from factprobe.detectors.hades.windows import TaskMode, Window, window_of
from factprobe.errors import CallError, ModelError, require
from factprobe.models.hf.spans import MaskedSpan, masked_span
from factprobe.parts.base import PartSettings
from factprobe.progress import progress
from factprobe.reading.tags import Tagger, tagger
from factprobe.records import Detection, DetectorItem
from factprobe.storage import write_json


class FeatureSettings(TrainedSettings, frozen=True, kw_only=True):
    """The settings of the detectors by features."""

    pipeline: Filled | None = None
    """What tells parts of speech and entities: a pipeline of spaCy, by name or folder; by default rules, which go by
    signs, capitals and values."""
    masked: Filled | None = None
    """A masked model, by its name on the hub or its folder, for the probability and the entropy of the span; by default
    there is none, and these features are left out."""
    device: str = "auto"
    """Of the masked model: `cuda`, `cuda:1`, `mps`, `cpu`; `auto` takes the first that there is."""


class _Stored(Struct, frozen=True, forbid_unknown_fields=True):
    """What training has made, with what the features depend on."""

    kind: Kind
    task_mode: TaskMode
    context_words: int | None
    pipeline: str | None
    masked: str | None
    counts: WordCounts
    classifier: LinearClassifier


class FeatureDetector(TrainedDetector):
    """Tells by features of a span whether it is hallucinated: `pip install 'factprobe[detect]'` for training."""

    settings_type: ClassVar[type[PartSettings]] = FeatureSettings
    kind: ClassVar[Kind]

    def train(self, labelled: Labelled, folder: Path, seed: int) -> dict[str, Any]:
        """See the base class.

        Raises:
            MissingExtraError: scikit-learn is not installed.
            ModelError: the masked model or the pipeline cannot be loaded, or the masked model cannot read a span.
        """
        settings = self.settings
        require("sklearn", extra="detect", where=f"detector={settings.name}", called="scikit-learn")
        positive = positives(labelled, f"detector={settings.name}")
        windows = [window_of(item, settings.context_words, settings.mode) for item, _ in labelled]
        tag = tagger(settings.pipeline, "detector.pipeline")
        counts = WordCounts.in_texts([word.text.lower() for word in tag(window.text)] for window in windows)
        features = Features(counts, tag, self._masked(settings.masked))
        try:
            rows = [features.of(window) for window in progress(windows, "train", "span")]
        except CallError as error:
            raise ModelError(str(error), where=f"detector.masked={settings.masked}") from error
        classifier = fit(rows, positive, self.kind, seed)
        made = (self.kind, settings.mode, settings.context_words, settings.pipeline, settings.masked)
        write_json(folder / ABOUT, _Stored(*made, counts, classifier))
        return {"spans": len(rows), "hallucinated": sum(positive), "features": len(classifier.names)}

    def detect_spans(self, items: Sequence[DetectorItem]) -> Iterator[Detection]:
        """See the base class.

        Raises:
            ConfigError: it is not trained, or what lies there is of another detector or of other settings.
            ModelError: the masked model or the pipeline cannot be loaded.
        """
        stored = self.learnt(_Stored)
        tag: Tagger = tagger(stored.pipeline, "detector.pipeline")
        features = Features(stored.counts, tag, self._masked(stored.masked))
        words = self.settings.context_words
        words = stored.context_words if words is None else words
        for item in items:
            try:
                row = features.of(window_of(item, words, stored.task_mode))
            except CallError as error:
                yield Detection(None, None, reasons=(str(error),))
            else:
                yield detection(stored.classifier.probability(row))

    def _masked(self, name: str | None) -> Callable[[Window], MaskedSpan] | None:
        if name is None:
            return None
        require("torch", "transformers", extra="hf", where="detector.masked")
        from factprobe.models.hf.checkpoints import load, source_of

        checkpoint = load(source_of(name), "masked", self.settings.device, "auto", "detector.masked")
        ask = partial(masked_span, checkpoint)
        return lambda window: ask(window.text, window.start, window.end)


class LogisticRegressionDetector(FeatureDetector):
    """By logistic regression."""

    kind = "lr"


class SvmDetector(FeatureDetector):
    """By a linear support vector machine, whose distances become probabilities as Platt has it (1999)."""

    kind = "svm"
