"""Names in outputs that a graph supports or contradicts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from factprobe.checkers.graph import GraphChecker, GraphCheckerSettings
from factprobe.claims.graph import GraphClaims, GraphClaimSettings
from factprobe.records import ClaimLabel, DetectorItem, Item, RelationSummary, Span


class NameVerdict(NamedTuple):
    """Verdict of a graph on a name in a claim."""

    span: Span
    """Span of the name in the output."""
    label: ClaimLabel


def name_verdicts(
    graph: Callable[[], Iterable[RelationSummary]], items: Sequence[DetectorItem]
) -> Iterator[list[NameVerdict]]:
    """Yield for each item the verdicts on the names of its claims: both if a claim is true, else the object's."""
    extractor, checker = GraphClaims(GraphClaimSettings(name="graph")), GraphChecker(GraphCheckerSettings(name="graph"))
    extractor.graph = checker.graph = graph
    texts = list(extractor.extract([Item(item.id, item.output) for item in items]))
    for text, verdicts in zip(texts, checker.check(texts), strict=True):
        pairs = zip(text.claims, verdicts, strict=True)
        yield [
            NameVerdict(span, one.label)
            for claim, one in pairs
            if one.label and claim.spans
            for span in (claim.spans[0], claim.spans[-1])[one.label != "Entailment" :]
        ]
