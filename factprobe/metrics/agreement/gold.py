"""Contradictions in human labels of texts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from factprobe.records import HALLUCINATION, DetectorItem, HallucinationLabel, HumanLabel, label_of

_ROUNDING = 0.01
"""Tolerance for rounded shares."""


def contradicted(labelled: Sequence[tuple[DetectorItem, HumanLabel]]) -> list[str]:
    """Return the ids of items whose label, annotators' labels and share of Hallucination contradict each other."""
    return [item.id for item, human in labelled if not all(_agreeing(human))]


def _agreeing(human: HumanLabel) -> Iterator[bool]:
    shares = [] if human.probability is None else [human.probability]
    if human.annotators:
        shares.append(human.annotators.count(HALLUCINATION) / len(human.annotators))
    yield from (share == 1 / 2 or label_of(share) == human.label for share in shares)
    yield from (abs(share - shares[0]) <= _ROUNDING for share in shares)


def labelled_twice(labelled: Sequence[tuple[DetectorItem, HumanLabel]]) -> list[str]:
    """Return the ids of items that equal an item with another label, except for the id."""
    labels: defaultdict[DetectorItem, set[HallucinationLabel]] = defaultdict(set)
    for item, human in labelled:
        labels[replace(item, id="")].add(human.label)
    return [item.id for item, _ in labelled if len(labels[replace(item, id="")]) > 1]
