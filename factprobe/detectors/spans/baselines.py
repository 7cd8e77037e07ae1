"""Baselines of detectors that mark spans."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress

from factprobe.detectors.spans.features import Words, new_names
from factprobe.detectors.spans.model import detection_of
from factprobe.records import Detection, DetectorItem, Spans


def baselines(items: Sequence[DetectorItem]) -> dict[str, list[Detection]]:
    """Return what those detectors mark that any other should be better than, by their names."""
    return {
        "mark all": [_certain((0, len(item.output))) for item in items],
        "mark none": [_certain() for _ in items],
        "names and numbers": [_certain(*_new_names(item)) for item in items],
    }


def _certain(*spans: tuple[int, int]) -> Detection:
    found = tuple(span for span in spans if span[0] < span[1])
    return detection_of(found, tuple((start, end, 1.0) for start, end in found))


def _new_names(item: DetectorItem) -> Spans:
    words = Words(item.output)
    return tuple(compress(words.spans, new_names(words, words.likeness(Words(item.input)))))
