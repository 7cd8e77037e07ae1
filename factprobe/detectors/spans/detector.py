"""Span marking by features of words and, if the settings name a graph, by its facts; no language model is called."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import repeat
from typing import ClassVar

from msgspec.structs import replace

from factprobe.checkers.graph import GraphChecker, GraphCheckerSettings
from factprobe.claims.by_graph.reader import GraphClaims, GraphClaimSettings
from factprobe.components.base import PartSettings
from factprobe.detectors.base import Detector
from factprobe.detectors.spans.alignment import align
from factprobe.detectors.spans.features import features_of
from factprobe.detectors.spans.span_model import mark_words, model
from factprobe.records import ClaimLabel, Detection, DetectorItem, Item, RelationSummary, Span

log = logging.getLogger(__name__)
_EXPECTED_SHARES = {"Entailment": 0.0, "Contradiction": 1.0}
"""Share of annotators expected to mark a name, by the graph's verdict on it."""


def name_verdicts(
    graph: Callable[[], Iterable[RelationSummary]], items: Sequence[DetectorItem]
) -> Iterator[list[tuple[Span, ClaimLabel]]]:
    """Yield, for each item, names in its claims with their labels: both names of entailed claims, else the object."""
    extractor, checker = GraphClaims(GraphClaimSettings(name="graph")), GraphChecker(GraphCheckerSettings(name="graph"))
    extractor.graph = checker.graph = graph
    texts = list(extractor.extract([Item(item.id, item.output) for item in items]))
    for text, verdicts in zip(texts, checker.check(texts), strict=True):
        pairs = zip(text.claims, verdicts, strict=True)
        yield [
            (span, one.label)
            for claim, one in pairs
            if one.label and claim.spans
            for span in (claim.spans[0], claim.spans[-1])[one.label != "Entailment" :]
        ]


class SpanFeaturesSettings(PartSettings, frozen=True, kw_only=True):
    """Settings of the detector by features of words."""

    logits: bool = True
    """Use the logits of the output's tokens, if the records have them."""


class SpanFeaturesDetector(Detector):
    """Detector that marks words with a model trained on human marks in ten languages.

    If the settings name a graph, names in claims that it entails are not marked, and names in contradicted claims are.
    """

    settings_type: ClassVar[type[PartSettings]] = SpanFeaturesSettings
    wants_named_graph: ClassVar[bool] = True

    def detect(self, items: Sequence[DetectorItem]) -> Iterator[Detection]:
        """Yield the detection of each item, with the spans of its marked words."""
        aligned = [self._drop_unaligned_logits(item) for item in items]
        pairs = zip(aligned, items, strict=True)
        unaligned = [one.id for one, item in pairs if len(one.logits) < len(item.logits)]
        if unaligned and self.settings.logits:
            what = "detector: the tokens of %s of %s items do not spell their text, so no logits are read: %s"
            log.warning(what, len(unaligned), len(items), unaligned[0])
        verdicts = name_verdicts(self.graph, items) if self.graph else repeat([])
        return (_detect_spans(item, verdict) for item, verdict in zip(aligned, verdicts, strict=False))

    def _drop_unaligned_logits(self, item: DetectorItem) -> DetectorItem:
        """Return an item; remove its logits if they are not to be used or cannot be aligned with its text."""
        is_aligned = self.settings.logits and item.logits and align(item.output, item.tokens) is not None
        return item if is_aligned else replace(item, logits=(), tokens=())


def _detect_spans(item: DetectorItem, verdicts: Sequence[tuple[Span, ClaimLabel]]) -> Detection:
    if not item.output.strip():
        return Detection(None, None, reasons=("the output is empty",))
    words, features = features_of(item)
    shares = model().totals(features)
    for (start, end), label in verdicts:
        for at, (first, behind) in enumerate(words.spans):
            if label in _EXPECTED_SHARES and first < end and behind > start:
                shares[at] = _EXPECTED_SHARES[label]
    return mark_words(item.output, words.spans, shares)
