"""Metrics: pure functions from grades to numbers."""

from factprobe.metrics.scores import Tally, scores

__all__ = ["Tally", "scores"]
