"""What a hallucination detector is, and the registry of those there are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence

from factprobe.claims.base import Part
from factprobe.records import Detection, DetectorItem
from factprobe.registry import Registry


class Detector(Part, ABC):
    """Says of texts whether they are hallucinated."""

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
        "judge": "factprobe.detectors.judge:JudgeDetector",
        "selfcheck": "factprobe.detectors.selfcheck:SelfCheckDetector",
        "shroom": "factprobe.detectors.shroom:ShroomDetector",
    },
)
