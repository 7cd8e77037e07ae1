"""Base class of detectors that are trained on labelled spans and stored in a folder."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from factprobe.config import Filled, path_of
from factprobe.detectors.base import Detector
from factprobe.detectors.hades.windows import SpanSettings, SpanWindow, TaskMode, window_of
from factprobe.detectors.spans.features import SpanWords
from factprobe.detectors.spans.span_model import detection_of
from factprobe.errors import ConfigError, DataError
from factprobe.records import HALLUCINATION, HALLUCINATION_LABELS, Detection, DetectorItem, HallucinationLabel, label_of
from factprobe.storage import read_json

_DECIMAL_PLACES = 6
ABOUT = "hades.json"
S = TypeVar("S", bound="TrainedModel")
Labelled = Sequence[tuple[DetectorItem, HallucinationLabel]]

Detect = Callable[[Sequence[DetectorItem]], Iterator[Detection]]


def detect_by_word(detect: Detect, items: Sequence[DetectorItem]) -> Iterator[Detection]:
    """Yield detections of `detect`, for items with `wants_spans` combined from one for each word of the output."""
    words = [SpanWords(item.output).spans if item.wants_spans else (None,) for item in items]
    single = [
        replace(item, id=f"{item.id}:{number}", span=span) if item.wants_spans else item
        for item, spans in zip(items, words, strict=True)
        for number, span in enumerate(spans)
    ]
    detections = iter(detect(single))
    for item, spans in zip(items, words, strict=True):
        of_item = list(islice(detections, len(spans)))
        yield _join_words(spans, of_item) if item.wants_spans else of_item[0]


def _join_words(spans: Sequence[tuple[int, int] | None], detections: Sequence[Detection]) -> Detection:
    pairs = [(span, detection) for span, detection in zip(spans, detections, strict=True) if span]
    if missing := next((one for _, one in pairs if one.label is None), None):
        return missing
    if not pairs:
        return Detection(None, None, reasons=("the output is empty",))
    soft = tuple((*span, one.probability) for span, one in pairs if one.probability)
    return detection_of(tuple(span for span, one in pairs if one.label == HALLUCINATION), soft)


class TrainedSettings(SpanSettings, frozen=True, kw_only=True):
    """Common settings of trained detectors of spans."""

    path: Filled | None = None
    """Folder written by `step=train`, with its settings."""
    task_mode: TaskMode | None = None
    """Visible text: `offline` (the default of training) both sides of the span, `online` only the text before it."""

    @property
    def mode(self) -> TaskMode:
        """Task mode to train for; `offline` unless set."""
        return self.task_mode or "offline"


class TrainedModel(Struct, frozen=True):
    """Description of a trained detector in its folder."""

    kind: str
    task_mode: TaskMode
    context_words: int | None


class TrainedDetector(Detector, ABC):
    """Base class of detectors that learn from labelled spans."""

    kind: ClassVar[str]
    """Name of the detector without `hades_`, stored in the folder of the trained detector."""

    @abstractmethod
    def train(self, labelled: Labelled, folder: Path, seed: int) -> dict[str, Any]:
        """Train on labelled spans, store the detector in a folder and return counts; resume an interrupted run there.

        Raises:
            ConfigError: `task_mode` is `offline`, but the encoder cannot see the text after a span.
            DataError: One of the two labels has no span.
            MissingExtraError: scikit-learn is not installed.
            ModelError: A model cannot be loaded, cannot read a span, or exceeds the memory.
        """

    @abstractmethod
    def detect_spans(self, items: Sequence[DetectorItem]) -> Iterator[Detection]:
        """Yield the detection of each item's span, or of its whole output if it has no span."""

    def detect(self, items: Sequence[DetectorItem]) -> Iterator[Detection]:
        """Yield the detection of each item; with `wants_spans`, classify each word of the output and combine them."""
        return detect_by_word(self.detect_spans, items)

    def at(self, folder: Path) -> Self:
        """Return a copy of the detector that uses the trained model in another folder."""
        return type(self)(replace(self.settings, path=str(folder)))

    @property
    def folder(self) -> Path:
        """Folder of the trained detector; a `ConfigError` is raised if it is not trained."""
        if self.settings.path is None:
            name = self.settings.name
            hint = f"train it: step=train detector={name} input=train.txt output=FOLDER; then detector.path=FOLDER"
            raise ConfigError("is not trained", where=f"detector={name}", hint=hint)
        return path_of(self.settings.path)

    def load_trained(self, type_: type[S]) -> S:
        """Read the description of the trained detector from its folder; raise a `ConfigError` if it does not fit."""
        file, name = self.folder / ABOUT, self.settings.name
        if not file.exists():
            hint = f"train it, or go on: step=train detector={name} input=train.txt output={self.folder}"
            raise ConfigError("holds nothing that was learnt", where=self.folder, hint=hint)
        retrain = f"train it again: step=train detector={name} input=train.txt output={self.folder}"
        if (kind := read_json(file, TrainedModel, retrain).kind) != self.kind:
            hint = f"set detector=hades_{kind}, or train this one"
            raise ConfigError(f"holds what hades_{kind} has learnt", where=self.folder, hint=hint)
        stored = read_json(file, type_, retrain)
        for setting in ("task_mode", "pipeline", "masked", "encoder"):
            value, trained = getattr(self.settings, setting, None), getattr(stored, setting, None)
            if value not in (trained, None):
                what = f"is {value}, but the detector in {self.folder} was trained with {trained or 'none'}"
                hint = f"leave it out, or train one with detector.{setting}={value}"
                raise ConfigError(what, where=f"detector.{setting}", hint=hint)
        return stored

    def window(self, item: DetectorItem, trained: TrainedModel) -> SpanWindow:
        """Return an item's span with the context used in training; `context_words` in the settings has precedence."""
        words = self.settings.context_words
        return window_of(item, trained.context_words if words is None else words, trained.task_mode)


def detection(probability: float) -> Detection:
    """Return the detection for a probability, which is rounded so that it does not vary with the batch."""
    rounded = round(probability, _DECIMAL_PLACES)
    return Detection(label_of(rounded), rounded)


def positives(labelled: Labelled, where: str) -> list[bool]:
    """Return, for each span, whether it is hallucinated; raise a `DataError` if one of the labels has no span."""
    counts = Counter(label for _, label in labelled)
    if missing := [label for label in HALLUCINATION_LABELS if not counts[label]]:
        raise DataError(f"none of {len(labelled):,} spans has the label {missing[0]}", where=where, hint="add some")
    return [label == HALLUCINATION for _, label in labelled]
