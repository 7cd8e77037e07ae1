"""Hallucination detectors: they decide whether a text, or which of its words, are hallucinated."""

from factprobe.detectors.base import Detector as Detector
from factprobe.detectors.base import detectors as detectors
from factprobe.detectors.hallucination import Hallucination as Hallucination
from factprobe.detectors.hallucination import HallucinationScore as HallucinationScore
from factprobe.detectors.judge import JudgeExample as JudgeExample
