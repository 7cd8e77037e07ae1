"""What a hallucination detector is, and the registry of those there are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from factprobe.parts.base import Part
from factprobe.records import Detection, DetectorItem
from factprobe.registry import Registry


class Classified(NamedTuple):
    """A text that a detector has looked at for itself, to take examples from."""

    item: DetectorItem
    found: Detection
    selected: int
    """Its place among the examples of its label, from 1; 0 where it is none."""


class Detector(Part, ABC):
    """Says of texts whether they are hallucinated."""

    classified: Sequence[Classified] = ()
    """Those that the last call of `detect` looked at besides."""

    @abstractmethod
    def detect(self, items: Sequence[DetectorItem]) -> Iterator[Detection]:
        """What it says of each item, in order.

        Raises:
            ConfigError: an item is of a task that the detector knows nothing of.
            NoAnswersError: a model is asked, and no call succeeds.
            CostLimitError: its next call could pass `max_cost_usd`.
        """


detectors: Registry[Detector] = Registry(
    "detectors",
    "detector",
    {
        "hades_lr": "factprobe.detectors.hades.classical:LogisticRegressionDetector",
        "hades_svm": "factprobe.detectors.hades.classical:SvmDetector",
        "hades_token_probability": "factprobe.detectors.hades.probability:TokenProbabilityDetector",
        "hades_transformer": "factprobe.detectors.hades.transformer:TransformerDetector",
        "judge": "factprobe.detectors.judge:JudgeDetector",
        "selfcheck": "factprobe.detectors.selfcheck:SelfCheckDetector",
        "shroom": "factprobe.detectors.shroom:ShroomDetector",
        "span_features": "factprobe.detectors.spans.detector:SpanFeaturesDetector",
        "span_judge": "factprobe.detectors.spans.judge:SpanJudgeDetector",
    },
)
