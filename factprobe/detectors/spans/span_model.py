"""Model that predicts which share of annotators marks a word, selection of the words to mark, and baselines."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress, groupby

import numpy as np

from factprobe.detectors.spans.features import FEATURES, Array, SpanWords
from factprobe.records import HALLUCINATION, NOT_HALLUCINATION, Detection, DetectorItem, SoftSpans, Spans
from factprobe.trees import TreeEnsemble, load_trees

_SHARPNESS = 1.1
"""Exponent that turns the share of annotators who mark a word into the probability that most of them do."""
_DECIMAL_PLACES = 4


def model() -> TreeEnsemble:
    """Load the trained model of the package."""
    return load_trees("factprobe.detectors.spans", tuple(FEATURES))


def mark_words(text: str, words: Spans, shares: Array) -> Detection:
    """Return the detection of an output, given the predicted share of annotators who mark each word."""
    if not words:
        return detection_of((), ())
    rounded = np.round(np.clip(shares, 0, 1), _DECIMAL_PLACES)
    lengths = np.array([end - start for start, end in words], float)
    chosen = select_by_expected_iou(rounded**_SHARPNESS, lengths)
    spans = [(start, end) for (start, end), is_in in zip(words, chosen, strict=True) if is_in]
    soft = _with_gaps(words, rounded.tolist())
    return detection_of(merge_spans(text, spans), _merge_runs(soft))


def detection_of(spans: Spans, soft: SoftSpans) -> Detection:
    """Return a detection with the given spans; its probability is the highest probability in `soft`."""
    probability = max((probability for _, _, probability in soft), default=0.0)
    return Detection(HALLUCINATION if spans else NOT_HALLUCINATION, probability, spans=spans, soft_spans=soft)


def select_by_expected_iou(probabilities: Array, lengths: Array) -> Array:
    """Return a mask of the set of words with the greatest expected IoU with the words that people mark.

    It is approximated by expected intersection / expected union. The set that maximises it has the most probable words,
    so that only their number is chosen. `probabilities` and `lengths` (in characters) are by word.
    """
    order = np.argsort(-probabilities, kind="stable")
    inside = np.cumsum((probabilities * lengths)[order])
    expected = inside / np.maximum(np.cumsum(lengths[order]) + inside[-1] - inside, 1e-9)
    mask = np.zeros(len(order), bool)
    if inside[-1] > 0:
        mask[order[: int(np.argmax(expected)) + 1]] = True
    return mask


def merge_spans(text: str, spans: Sequence[tuple[int, int]]) -> Spans:
    """Return the spans of a text in order; those that overlap or have only white space in between are merged."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and not text[merged[-1][1] : start].strip():
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)


def _with_gaps(words: Spans, shares: Sequence[float]) -> list[tuple[int, int, float]]:
    """Return the words with their shares, and each gap between two words with the smaller share of the two."""
    with_gaps: list[tuple[int, int, float]] = []
    for (start, end), share in zip(words, shares, strict=True):
        if with_gaps and with_gaps[-1][1] < start:
            with_gaps.append((with_gaps[-1][1], start, min(with_gaps[-1][2], share)))
        with_gaps.append((start, end, share))
    return with_gaps


def _merge_runs(soft: Sequence[tuple[int, int, float]]) -> SoftSpans:
    """Merge adjacent spans of equal probability, and drop spans of probability 0."""
    runs = [[*of_run] for _, of_run in groupby(soft, key=lambda span: span[2])]
    return tuple((run[0][0], run[-1][1], run[0][2]) for run in runs if run[0][2])


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
