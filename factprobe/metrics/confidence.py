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
    """Accuracy on the answers that it is surest of."""


def confidence(response: Response) -> float | None:
    """Return the probability that a model gave its answer, in [0, 1]; None without one in the response.

    Of a written answer that of its text: e to the sum of its tokens' log-probabilities. Of a ranked question that of
    the likeliest choice among the choices: the softmax of their log-likelihoods.
    """
    if response.scores:
        best = max(response.scores)
        return 1 / fsum(exp(score - best) for score in response.scores)
    return min(exp(fsum(response.logprobs)), 1.0) if response.logprobs else None


def model_calibration(
    kg: str, generator: str, model: str, rows: list[tuple[float, bool, str]], seed: int
) -> ModelCalibration:
    """Measure the calibration of one model on the questions of one graph.

    Args:
        kg: the graph.
        generator: what made the questions.
        model: the model.
        rows: for each question that was attempted, one at least, the probability of the answer, whether it was right,
            and the subject entity.
        seed: for the bootstraps; each graph, generator and model has a stream of its own.
    """
    given, right, subjects = (list(column) for column in zip(*rows, strict=True))
    rng = np.random.default_rng([seed, crc32(f"{kg}\0{generator}\0{model}".encode(errors="replace"))])
    error = expected_calibration_error(given, right, rng, subjects, resamples=_RESAMPLES)
    brier = brier_score(given, right, subjects)
    curve = accuracy_coverage(given, right, rng, subjects, points=100, resamples=_RESAMPLES)
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
