"""Base class of hallucination detectors, and their registry."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from factprobe.components.base import Component
from factprobe.errors import ConfigError
from factprobe.records import HALLUCINATION_LABELS, Detection, DetectorItem
from factprobe.registry import Registry


class ClassifiedItem(NamedTuple):
    """Unlabelled text with the label that a detector gave it while choosing few-shot examples."""

    item: DetectorItem
    detection: Detection
    selected: int
    """Rank among the examples selected for its label, from 1; 0 if the text was not selected."""


class Detector(Component, ABC):
    """Base class of detectors, which decide whether texts are hallucinated."""

    classified: Sequence[ClassifiedItem] = ()
    """Unlabelled texts that the last call of `detect` classified to choose few-shot examples."""

    @abstractmethod
    def detect(self, items: Sequence[DetectorItem]) -> Iterator[Detection]:
        """Yield the detection of each item, in order.

        Raises:
            ConfigError: An item has a task that the detector does not know, or the detector is not trained.
            DataError: A file that the settings name cannot be used.
            ModelError: A model cannot be loaded, or gives no log-probabilities.
            NoAnswersError: A model is asked, and no call succeeds.
            CostLimitError: The next call could exceed `max_cost_usd`.
        """


def check_detections(detections: Sequence[Detection], count: int, detector: str) -> None:
    """Raise a ConfigError unless a detector, maybe a plugin, gave each item a valid label and probability."""
    labels = [detection.label for detection in detections if detection.label not in (None, *HALLUCINATION_LABELS)]
    numbers = [p for p in (one.probability for one in detections) if p is not None and not 0 <= p <= 1]
    if labels or numbers or len(detections) != count:
        wrong = f"the label {labels[0]!r}" if labels else f"the probability {numbers[0]}" if numbers else ""
        what = f"its detections are invalid: {wrong or f'{len(detections)} on {count} items'}"
        hint = f"a label is one of {', '.join(HALLUCINATION_LABELS)}, or None, a probability is from 0 to 1"
        raise ConfigError(what, where=f"detector {detector}", hint=hint)


detectors: Registry[Detector] = Registry("detectors", "detector")
