"""Detectors that are trained on labelled spans, and where what they have learnt lies."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from factprobe.config import Filled, path_of
from factprobe.detectors.base import Detector
from factprobe.detectors.hades.by_word import detect_by_word
from factprobe.detectors.hades.windows import SpanSettings, TaskMode
from factprobe.errors import ConfigError, DataError
from factprobe.records import HALLUCINATION, HALLUCINATION_LABELS, Detection, DetectorItem, HallucinationLabel, label_of
from factprobe.storage import made, read_json

_PLACES = 6
ABOUT = "hades.json"
S = TypeVar("S", bound=Struct)
Labelled = Sequence[tuple[DetectorItem, HallucinationLabel]]


class TrainedSettings(SpanSettings, frozen=True, kw_only=True):
    """What all trained detectors of spans have in common."""

    path: Filled | None = None
    """The folder that `step=train` has made; what was set there for training holds."""
    task_mode: TaskMode | None = None
    """`offline`, the default of training: both sides of the span are seen; `online`: what stands before it alone."""

    @property
    def mode(self) -> TaskMode:
        """The task mode of training."""
        return self.task_mode or "offline"


class _Kind(Struct):
    """Whose a folder is."""

    kind: str


class TrainedDetector(Detector, ABC):
    """A detector that learns from spans with labels."""

    kind: ClassVar[str]
    """Its name behind `hades_`, which is kept with what it has learnt."""

    @abstractmethod
    def train(self, labelled: Labelled, folder: Path, seed: int) -> dict[str, Any]:
        """Learns, and writes what it has learnt.

        Args:
            labelled: spans with people's labels.
            folder: where it goes; what an interrupted run has left there is taken up.
            seed: for every random choice.

        Returns:
            Counts for the manifest.

        Raises:
            DataError: one of the labels has no example.
        """

    @abstractmethod
    def detect_spans(self, items: Sequence[DetectorItem]) -> Iterator[Detection]:
        """Detect whether the span of each item is hallucinated, or its whole output where it has none.

        Raises:
            ConfigError: the detector is not trained, or with other settings.
            DataError: what it has learnt cannot be used.
            ModelError: a model cannot be loaded.
        """

    def detect(self, items: Sequence[DetectorItem]) -> Iterator[Detection]:
        """See the base class; words of outputs whose spans are to be marked are judged one by one.

        Raises:
            ConfigError: as `detect_spans`.
            DataError: as `detect_spans`.
            ModelError: as `detect_spans`.
        """
        return detect_by_word(self.detect_spans, items)

    def at(self, folder: Path) -> Self:
        """The same with what was learnt in a folder."""
        return type(self)(replace(self.settings, path=str(folder)))

    @property
    def folder(self) -> Path:
        """Where it lies.

        Raises:
            ConfigError: the detector is not trained.
        """
        if self.settings.path is None:
            name = self.settings.name
            hint = f"train it: step=train detector={name} input=train.txt output=FOLDER; then detector.path=FOLDER"
            raise ConfigError("is not trained", where=f"detector={name}", hint=hint)
        return path_of(self.settings.path)

    def learnt(self, of: type[S]) -> S:
        """What training has written last of all, in the file `ABOUT` of the folder.

        Args:
            of: its type, with the settings that training has fixed under their own names.

        Raises:
            ConfigError: there is none, or of another detector, or a setting that is fixed is set to something else.
            DataError: it is broken.
        """
        file, name = self.folder / ABOUT, self.settings.name
        if not made(file):
            hint = f"train it, or go on: step=train detector={name} input=train.txt output={self.folder}"
            raise ConfigError("holds nothing that was learnt", where=self.folder, hint=hint)
        if (kind := read_json(file, _Kind).kind) != self.kind:
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


def detection(probability: float) -> Detection:
    """What a probability says; digits that depend on what else was asked are left out."""
    rounded = round(probability, _PLACES)
    return Detection(label_of(rounded), rounded)


def positives(labelled: Labelled, where: str) -> list[bool]:
    """Whether each span is hallucinated.

    Raises:
        DataError: all are, or none is.
    """
    found = Counter(label for _, label in labelled)
    if missing := [label for label in HALLUCINATION_LABELS if not found[label]]:
        raise DataError(f"none of {len(labelled):,} spans has the label {missing[0]}", where=where, hint="add some")
    return [label == HALLUCINATION for _, label in labelled]
