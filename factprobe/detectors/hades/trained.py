"""Base class of detectors that are trained on labelled spans, with access to the folder of the result."""

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

_PLACES = 6
ABOUT = "hades.json"
S = TypeVar("S", bound="Trained")
Labelled = Sequence[tuple[DetectorItem, HallucinationLabel]]

Detect = Callable[[Sequence[DetectorItem]], Iterator[Detection]]


def detect_by_word(detect: Detect, items: Sequence[DetectorItem]) -> Iterator[Detection]:
    """Yield the detection of each item; for items that want spans, it combines the detections of their words.

    `detect` detects items with one span, or with none for the whole output.
    """
    words = [SpanWords(item.output).spans if item.wants_spans else (None,) for item in items]
    single = [
        replace(item, id=f"{item.id}:{number}", span=span) if item.wants_spans else item
        for item, spans in zip(items, words, strict=True)
        for number, span in enumerate(spans)
    ]
    found = iter(detect(single))
    for item, spans in zip(items, words, strict=True):
        of_item = list(islice(found, len(spans)))
        yield _join_words(spans, of_item) if item.wants_spans else of_item[0]


def _join_words(spans: Sequence[tuple[int, int] | None], found: Sequence[Detection]) -> Detection:
    pairs = [(span, one) for span, one in zip(spans, found, strict=True) if span]
    if missing := next((one for _, one in pairs if one.label is None), None):
        return missing
    if not pairs:
        return Detection(None, None, reasons=("the output is empty",))
    soft = tuple((*span, one.probability) for span, one in pairs if one.probability)
    return detection_of(tuple(span for span, one in pairs if one.label == HALLUCINATION), soft)


class TrainedSettings(SpanSettings, frozen=True, kw_only=True):
    """Common settings of trained detectors of spans."""

    path: Filled | None = None
    """The folder written by `step=train`, with its settings."""
    task_mode: TaskMode | None = None
    """`offline`, the default of training: both sides of the span are visible; `online`: only the text before it."""

    @property
    def mode(self) -> TaskMode:
        """Task mode of training."""
        return self.task_mode or "offline"


class Trained(Struct, frozen=True):
    """Kind of the detector to which a folder belongs, and the context that it was trained on."""

    kind: str
    task_mode: TaskMode
    context_words: int | None


class TrainedDetector(Detector, ABC):
    """Base class of detectors that learn from labelled spans."""

    kind: ClassVar[str]
    """Part of the name after `hades_`, which is stored with the result of training."""

    @abstractmethod
    def train(self, labelled: Labelled, folder: Path, seed: int) -> dict[str, Any]:
        """Train on labelled spans, write the result and return counts; an interrupted run in the folder is resumed.

        Raises:
            ConfigError: The encoder is unidirectional, and `task_mode` is `offline`.
            DataError: A label has no example.
            MissingExtraError: scikit-learn is not installed.
            ModelError: A model cannot be loaded, cannot read a span, or exceeds the memory.
        """

    @abstractmethod
    def detect_spans(self, items: Sequence[DetectorItem]) -> Iterator[Detection]:
        """Yield, like `detect`, whether the span of each item is hallucinated, or its whole output if it has none."""

    def detect(self, items: Sequence[DetectorItem]) -> Iterator[Detection]:
        """Yield the detection of each item, which combines those of its words if the item wants spans."""
        return detect_by_word(self.detect_spans, items)

    def at(self, folder: Path) -> Self:
        """Return a detector with the result of training in another folder."""
        return type(self)(replace(self.settings, path=str(folder)))

    @property
    def folder(self) -> Path:
        """Folder with the result of training.

        Raises:
            ConfigError: The detector is not trained.
        """
        if self.settings.path is None:
            name = self.settings.name
            hint = f"train it: step=train detector={name} input=train.txt output=FOLDER; then detector.path=FOLDER"
            raise ConfigError("is not trained", where=f"detector={name}", hint=hint)
        return path_of(self.settings.path)

    def load_trained(self, of: type[S]) -> S:
        """Read the description in the folder (`ABOUT`), which training writes last, with the settings that it fixed.

        Raises:
            ConfigError: The description is missing or belongs to another detector, or a fixed setting differs.
        """
        file, name = self.folder / ABOUT, self.settings.name
        if not file.exists():
            hint = f"train it, or go on: step=train detector={name} input=train.txt output={self.folder}"
            raise ConfigError("holds nothing that was learnt", where=self.folder, hint=hint)
        if (kind := read_json(file, Trained).kind) != self.kind:
            hint = f"set detector=hades_{kind}, or train this one"
            raise ConfigError(f"holds what hades_{kind} has learnt", where=self.folder, hint=hint)
        learnt = read_json(file, of)
        for setting in ("task_mode", "pipeline", "masked", "encoder"):
            wanted, fixed = getattr(self.settings, setting, None), getattr(learnt, setting, None)
            if wanted not in (fixed, None):
                what = f"is {wanted}, but the detector in {self.folder} was trained with {fixed or 'none'}"
                hint = f"leave it out, or train one with detector.{setting}={wanted}"
                raise ConfigError(what, where=f"detector.{setting}", hint=hint)
        return learnt

    def window(self, item: DetectorItem, trained: Trained) -> SpanWindow:
        """Return the context of an item as in training, unless the settings have another number of words."""
        words = self.settings.context_words
        return window_of(item, trained.context_words if words is None else words, trained.task_mode)


def detection(probability: float) -> Detection:
    """Return the detection for a probability, rounded so that it does not depend on the batch."""
    rounded = round(probability, _PLACES)
    return Detection(label_of(rounded), rounded)


def positives(labelled: Labelled, where: str) -> list[bool]:
    """Return whether each span is hallucinated.

    Raises:
        DataError: A label has no example.
    """
    found = Counter(label for _, label in labelled)
    if missing := [label for label in HALLUCINATION_LABELS if not found[label]]:
        raise DataError(f"none of {len(labelled):,} spans has the label {missing[0]}", where=where, hint="add some")
    return [label == HALLUCINATION for _, label in labelled]
