"""Scores of a detector under several settings, each in several passes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean

from msgspec import Struct

from factprobe.metrics.agreement.detection import detection_figures
from factprobe.records import Detection, DetectorItem, HumanLabel


class StudyScore(Struct, frozen=True):
    """One measure of a detector under one setting."""

    panel: str
    """Name of the varied setting."""
    variant: str
    """Value of the varied setting."""
    measure: str
    """Key of `detection.MEASURES`."""
    items: int
    unparsed: int
    """Number of samples without a clean label, in all passes."""
    passes: tuple[float, ...]
    """Value of the measure in each pass in which it is defined."""
    estimate: float | None
    """Mean over passes; None if no pass has a value."""
    low: float | None
    """Mean of the lower ends of the passes' 95 % intervals; further passes on the same items do not narrow it."""
    high: float | None
    """Mean of the upper ends of the passes' 95 % intervals."""


def study_scores(
    panel: str,
    variant: str,
    labelled: Sequence[tuple[DetectorItem, HumanLabel]],
    passes: Sequence[Sequence[Detection | None]],
    seed: int = 0,
) -> Iterator[StudyScore]:
    """Yield the measures of a detector under one setting: see `StudyScore`, and `detector_scores` for each pass."""
    every = [detection_figures(labelled, found, seed) for found in passes]
    unparsed = sum(one.unparsed for found in passes for one in found if one)
    for measure in dict.fromkeys(measure for figures in every for measure in figures):
        known = [interval for figures in every if (interval := figures.get(measure)) is not None]
        means = [fmean(ends) for ends in zip(*(interval.ends for interval in known), strict=True)]
        values = tuple(interval.estimate for interval in known)
        yield StudyScore(panel, variant, measure, len(labelled), unparsed, values, *(means or (None, None, None)))
