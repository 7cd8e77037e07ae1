"""Span marking with detectors of single spans, by judging each word."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from msgspec.structs import replace

from factprobe.detectors.spans.features import SpanWords
from factprobe.detectors.spans.span_model import detection_of
from factprobe.records import HALLUCINATION, Detection, DetectorItem

Detect = Callable[[Sequence[DetectorItem]], Iterator[Detection]]


def detect_by_word(detect: Detect, items: Sequence[DetectorItem]) -> Iterator[Detection]:
    """Yield the detection of each item; where spans are wanted, it combines those of the words.

    `detect` detects items with one span, or without for the whole output.
    """
    words = [SpanWords(item.output).spans if item.wants_spans else (None,) for item in items]
    single = [
        replace(item, id=f"{item.id}:{number}", span=span) if item.wants_spans else item
        for item, spans in zip(items, words, strict=True)
        for number, span in enumerate(spans)
    ]
    found = iter(detect(single))
    for item, spans in zip(items, words, strict=True):
        of_item = list(islice(found, len(spans)))
        yield _join_words(spans, of_item) if item.wants_spans else of_item[0]


def _join_words(spans: Sequence[tuple[int, int] | None], found: Sequence[Detection]) -> Detection:
    pairs = [(span, one) for span, one in zip(spans, found, strict=True) if span]
    if missing := next((one for _, one in pairs if one.label is None), None):
        return missing
    if not pairs:
        return Detection(None, None, reasons=("the output is empty",))
    soft = tuple((*span, one.probability) for span, one in pairs if one.probability)
    return detection_of(tuple(span for span, one in pairs if one.label == HALLUCINATION), soft)
