"""Baselines for detectors that mark spans."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress

from factprobe.detectors.spans.features import SpanWords
from factprobe.detectors.spans.span_model import detection_of, merge_spans
from factprobe.records import Detection, DetectorItem, Spans


def baselines(items: Sequence[DetectorItem]) -> dict[str, list[Detection]]:
    """Return the detections of the baselines, by name."""
    return {
        "mark all": [_certain_detection((0, len(item.output))) for item in items],
        "mark none": [_certain_detection() for _ in items],
        "names and numbers": [_certain_detection(*_new_names(item)) for item in items],
    }


def _certain_detection(*spans: tuple[int, int]) -> Detection:
    non_empty = tuple(span for span in spans if span[0] < span[1])
    return detection_of(non_empty, tuple((start, end, 1.0) for start, end in non_empty))


def _new_names(item: DetectorItem) -> Spans:
    """Return the spans of numbers and capitalised words that are not in the question; adjacent ones are merged."""
    words = SpanWords(item.output)
    is_new = words.shared_prefix_share(SpanWords(item.input)) < 1
    named = compress(words.spans, is_new & ((words.numbers > 0) | (words.capitals > 0)))
    return merge_spans(item.output, list(named))
