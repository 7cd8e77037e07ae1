"""Annotation in rounds as for HaDes: agreement on spans, and choice of the next spans (Liu et al. 2022, ACL)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, Literal

from factprobe.config import AnnotateConfig
from factprobe.errors import ConfigError, DataError
from factprobe.inputs.hades import LABEL, NO_LABEL
from factprobe.records import HALLUCINATION, label_of

ANNOTATORS = "annotators"
"""Key of the annotators' labels in a record of the queue: 1 for a hallucination, 0 for none."""
State = Literal["open", "agreed", "disputed"]


def agreement_state(labels: Sequence[int], settings: AnnotateConfig) -> tuple[State, int]:
    """Return the state of agreement on a span, and the agreed label (-1 without agreement)."""
    if len(labels) < settings.least:
        return "open", NO_LABEL
    label, votes = Counter(labels).most_common(1)[0]
    if votes / len(labels) >= settings.agreement:
        return "agreed", label
    return ("open" if len(labels) < settings.most else "disputed"), NO_LABEL


def partition_by_state(
    queue: Iterable[Mapping[str, Any]], settings: AnnotateConfig
) -> dict[State, list[dict[str, Any]]]:
    """Partition the records of a queue by state of agreement, and add the agreed label to each (-1 without).

    Raises:
        ConfigError: `annotate.least` is larger than `annotate.most`.
        DataError: A record has labels other than 0 and 1, or more labels than `annotate.most`.
    """
    if settings.least > settings.most:
        what = f"is {settings.least}, more than annotate.most={settings.most}"
        raise ConfigError(what, where="annotate.least", hint=f"set annotate.most={settings.least} or more")
    by_state: dict[State, list[dict[str, Any]]] = {"open": [], "agreed": [], "disputed": []}
    for record in queue:
        labels = record.get(ANNOTATORS, [])
        where = f"record {record.get('id')!r} of the queue"
        if not isinstance(labels, list) or any(type(label) is not int or label not in (0, 1) for label in labels):
            hint = f'give each annotator a 0 or a 1: "{ANNOTATORS}": [1, 1, 0, 1]'
            raise DataError(f"has {ANNOTATORS} that are not a list of 0 and 1", where=where, hint=hint)
        if len(labels) > settings.most:
            hint = f"set annotate.most={len(labels)}, or remove some"
            raise DataError(f"has {len(labels)} {ANNOTATORS}, more than {settings.most}", where=where, hint=hint)
        state, label = agreement_state(labels, settings)
        by_state[state].append({**record, LABEL: label})
    return by_state


def next_batch(
    probabilities: Mapping[str, float | None], labelled: Counter[int], size: int, easy: float, rng: Random
) -> list[str]:
    """Return the sorted ids of at most `size` spans to annotate next, chosen at random so as to balance the labels.

    Args:
        probabilities: The detector's probability of `Hallucination` for each span; None if it is unknown.
        labelled: Number of spans so far with each agreed label; more spans of the predicted rarer label are chosen.
        size: Maximum number of spans to return; fewer if fewer are left.
        easy: Spans with a probability below this, or above one minus this, are left out, since they are clear.
        rng: Source of random choices.
    """
    sides: dict[bool, list[str]] = {True: [], False: []}
    for name, probability in sorted(probabilities.items()):
        if probability is None:
            sides[rng.random() < 0.5].append(name)
        elif easy <= probability <= 1 - easy:
            sides[label_of(probability) == HALLUCINATION].append(name)
    for side in sides.values():
        rng.shuffle(side)
    count = min(max((size + labelled[0] - labelled[1]) // 2, 0), size)
    chosen = sides[True][: max(count, size - len(sides[False]))]
    return sorted(chosen + sides[False][: size - len(chosen)])
