"""Where people's labels of texts contradict themselves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from factprobe.records import HALLUCINATION, DetectorItem, HallucinationLabel, HumanLabel, label_of

_ROUNDING = 0.01
"""What a share may be off: files round it."""


def contradicted(labelled: Sequence[tuple[DetectorItem, HumanLabel]]) -> list[str]:
    """The ids of the items whose label, annotators and share of Hallucination do not go together; a tie goes with
    both labels."""
    return [item.id for item, human in labelled if not all(_agreeing(human))]


def _agreeing(human: HumanLabel) -> Iterator[bool]:
    shares = [] if human.probability is None else [human.probability]
    if human.annotators:
        shares.append(human.annotators.count(HALLUCINATION) / len(human.annotators))
    yield from (share == 1 / 2 or label_of(share) == human.label for share in shares)
    yield from (abs(share - shares[0]) <= _ROUNDING for share in shares)


def labelled_twice(labelled: Sequence[tuple[DetectorItem, HumanLabel]]) -> list[str]:
    """The ids of the items that another one is like in all but its id, and has another label."""
    labels: defaultdict[DetectorItem, set[HallucinationLabel]] = defaultdict(set)
    for item, human in labelled:
        labels[replace(item, id="")].add(human.label)
    return [item.id for item, _ in labelled if len(labels[replace(item, id="")]) > 1]
