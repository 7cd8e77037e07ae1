"""Metrics of grades: scores, breakdowns, agreement, calibration and comparison of models."""

import factprobe.metrics.rates  # noqa: F401  (registers factprobe's own metrics, before any other)
from factprobe.metrics.base import Metric, metrics
from factprobe.metrics.scores import overall, scores
from factprobe.metrics.tallies import Tallies, Tally

__all__ = ["Metric", "Tallies", "Tally", "metrics", "overall", "scores"]
