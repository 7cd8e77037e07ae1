"""Confidence of a model in its answers, and its calibration."""

from __future__ import annotations

from math import exp, fsum
from zlib import crc32

import numpy as np
from msgspec import Struct

from factprobe.metrics.calibration import (
    Bin,
    CoverageCurve,
    accuracy_coverage,
    brier_score,
    expected_calibration_error,
    reliability,
)
from factprobe.metrics.statistics.intervals import Interval
from factprobe.reading.structure.confidence import stated_confidence
from factprobe.records import Response

_RESAMPLES = 1_000


class ModelCalibration(Struct, frozen=True, kw_only=True):
    """Calibration of a model's probabilities over the questions that it attempted."""

    kg: str
    generator: str
    model: str
    questions: int
    """Number of questions whose response has a probability."""
    error: Interval
    """Expected calibration error over ten bins of equal width."""
    brier: Interval
    bins: tuple[Bin, ...]
    """Points of the reliability plot."""
    curve: CoverageCurve
    """Accuracy-coverage curve."""


def confidence(response: Response) -> float | None:
    """Return the probability that a model assigns to its answer, in [0, 1]; None if the response has none.

    A confidence that came with the response has priority, then one that its text states (`Confidence: 80%`). Otherwise
    it is, for a written answer, the product of the tokens' probabilities, and for a ranked question the probability of
    the likeliest choice: the largest softmax value of the log-likelihoods.
    """
    given = response.confidence
    given = stated_confidence(response.response or "") if given is None else given
    if given is not None:
        return given
    if response.scores:
        best = max(response.scores)
        return 1 / fsum(exp(score - best) for score in response.scores)
    return min(exp(fsum(response.logprobs)), 1.0) if response.logprobs else None


def model_calibration(
    kg: str, generator: str, model: str, rows: list[tuple[float, bool, str]], seed: int
) -> ModelCalibration:
    """Measure the calibration of one model on the questions of one graph, with its own bootstrap seed.

    A row has the probability of the answer, its correctness and the subject entity of an attempted question.
    """
    given, right, subjects = (list(column) for column in zip(*rows, strict=True))
    rng = np.random.default_rng([seed, crc32(f"{kg}\0{generator}\0{model}".encode(errors="replace"))])
    error = expected_calibration_error(given, right, rng, subjects, resamples=_RESAMPLES)
    brier = brier_score(given, right, subjects)
    curve = accuracy_coverage(given, right, rng, subjects, resamples=_RESAMPLES)
    assert error is not None  # there is an answer
    assert brier is not None
    assert curve is not None
    return ModelCalibration(
        kg=kg,
        generator=generator,
        model=model,
        questions=len(rows),
        error=error,
        brier=brier,
        bins=tuple(reliability(given, right, subjects)),
        curve=curve,
    )
