"""Hallucination detectors: verdicts on whether a text is supported by its source."""

from factprobe.detectors.base import Detector as Detector
from factprobe.detectors.base import detectors as detectors
from factprobe.detectors.hallucination import Hallucination as Hallucination
from factprobe.detectors.hallucination import HallucinationScore as HallucinationScore
from factprobe.detectors.judge import JudgeExample as JudgeExample
