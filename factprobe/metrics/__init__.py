"""Metrics: pure functions from grades to numbers."""

from factprobe.metrics.scores import overall, scores
from factprobe.metrics.tallies import Tallies, Tally

__all__ = ["Tallies", "Tally", "overall", "scores"]
