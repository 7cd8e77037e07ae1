"""Scores of a detector under several settings, each in several passes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean

from msgspec import Struct

from factprobe.metrics.agreement.detection import detection_figures
from factprobe.metrics.statistics.intervals import Interval
from factprobe.records import Detection, DetectorItem, HumanLabel


class StudyScore(Struct, frozen=True):
    """One measure of a detector under one setting."""

    panel: str
    """Varied setting."""
    variant: str
    """Its value."""
    measure: str
    """Key of `detection.MEASURES`."""
    items: int
    unparsed: int
    """Samples without a clean label, in all passes."""
    passes: tuple[float, ...]
    """Measure in each pass, where defined."""
    estimate: float | None
    """Mean over passes; None without any."""
    low: float | None
    """Mean of the lower ends of the 95 % intervals: the items are the same, so that passes do not narrow the interval.
    """
    high: float | None


def study_scores(
    panel: str,
    variant: str,
    labelled: Sequence[tuple[DetectorItem, HumanLabel]],
    passes: Sequence[Sequence[Detection | None]],
    seed: int = 0,
) -> Iterator[StudyScore]:
    """Return the measures of one setting.

    Args:
        panel: what is varied.
        variant: its setting.
        labelled: the items with what people say of them.
        passes: what the detector says of each item, in each pass.
        seed: for the bootstraps.
    """
    every = [detection_figures(labelled, found, seed) for found in passes]
    unparsed = sum(one.unparsed for found in passes for one in found if one)
    for measure in dict.fromkeys(measure for figures in every for measure in figures):
        known = [interval for figures in every if (interval := figures.get(measure)) is not None]
        yield StudyScore(
            panel, variant, measure, len(labelled), unparsed, tuple(one.estimate for one in known), *_means(known)
        )


def _means(known: Sequence[Interval]) -> tuple[float | None, float | None, float | None]:
    if not known:
        return None, None, None
    return fmean(one.estimate for one in known), fmean(one.low for one in known), fmean(one.high for one in known)
