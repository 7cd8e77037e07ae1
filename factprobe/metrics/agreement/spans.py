"""Agreement of detected spans with spans marked by people, by the measures of Mu-SHROOM."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.random import default_rng

from factprobe.metrics.agreement.detection import Detections, Labelled
from factprobe.metrics.statistics.bootstrap import bootstrap
from factprobe.metrics.statistics.classes import centred_ranks
from factprobe.metrics.statistics.intervals import EstimateRecord, Floats, ends_of
from factprobe.metrics.strata import ALL
from factprobe.records import Detection, DetectorItem, HumanLabel, SoftSpans, Spans

MEASURES = {"iou": "IoU", "soft_rho": "ρ"}
_DECIMAL_PLACES = 8


class SpanScore(EstimateRecord, frozen=True):
    """Mean of one measure of a detector over the items of a language."""

    detector: str
    language: str
    """Language of the items; `all` for items of any language."""
    measure: str
    items: int
    missing: int
    """Number of items without a detection; the measure is 0 for them."""


def iou(one: Spans, other: Spans) -> float:
    """Return the intersection over union of the characters in two sets of spans, in [0, 1]; 1 if both are empty."""
    characters, others = ({at for span in spans for at in range(*span)} for spans in (one, other))
    return len(characters & others) / len(characters | others) if characters or others else 1.0


def soft_rho(one: SoftSpans, other: SoftSpans, length: int) -> float:
    """Return Spearman's rho, in [-1, 1], of the probabilities of a text's characters in two sets of soft spans.

    Of the `length` characters, those outside the spans have 0. Rho is 1 if all are equal in both sets, 0 if in one.
    """
    probabilities = (np.round(_character_probabilities(spans, length), _DECIMAL_PLACES) for spans in (one, other))
    codes = [np.unique(values, return_inverse=True)[1] for values in probabilities]
    constant = [not code.any() for code in codes]
    if any(constant):
        return float(all(constant))
    first, second = (centred_ranks(code, np.ones((1, length)))[0] for code in codes)
    return float(first @ second / np.sqrt((first @ first) * (second @ second)))


def span_scores(labelled: Labelled, detectors: Mapping[str, Detections], seed: int = 0) -> list[SpanScore]:
    """Measure each detector against the spans marked by people, on all items and by language."""
    languages = [item.language for item, _ in labelled]
    named = sorted({*languages} - {""})
    groups = [(name, [at for at, one in enumerate(languages) if one == name]) for name in named]
    if len(named) != 1 or "" in languages:
        groups.insert(0, (ALL, list(range(len(labelled)))))
    rows = []
    for name, marks in detectors.items():
        missing = [mark is None or mark.label is None for mark in marks]
        values = [_score_spans(item, human, verdict) for (item, human), verdict in zip(labelled, marks, strict=True)]
        for language, places in groups:
            clusters = [labelled[at][0].input or labelled[at][0].id for at in places]
            num_missing = sum(missing[at] for at in places)
            for number, measure in enumerate(MEASURES):
                sums = np.array([(values[at][number], 1.0) for at in places])
                mean = bootstrap(sums, lambda totals: totals[..., 0] / totals[..., 1], default_rng(seed), clusters)
                rows.append(SpanScore(name, language, measure, len(places), num_missing, **ends_of(mean)))
    return rows


def _score_spans(item: DetectorItem, human: HumanLabel, detection: Detection | None) -> tuple[float, float]:
    if detection is None or detection.label is None:
        return 0.0, 0.0
    return iou(human.spans or (), detection.spans), soft_rho(human.soft_spans, detection.soft_spans, len(item.output))


def _character_probabilities(spans: SoftSpans, length: int) -> Floats:
    """Return the probability of each character; a later span overwrites an earlier one."""
    probabilities = np.zeros(length)
    for start, end, probability in spans:
        probabilities[start:end] = probability
    return probabilities
