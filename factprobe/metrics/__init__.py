"""Metrics: pure functions from grades to numbers."""

from factprobe.metrics.scores import Tally, overall, scores

__all__ = ["Tally", "overall", "scores"]
