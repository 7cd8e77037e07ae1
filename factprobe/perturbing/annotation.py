"""HaDes' annotation in rounds: agreement on spans, and choice of the next spans (Liu et al. 2022, ACL)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, Literal

from factprobe.config import AnnotateConfig
from factprobe.errors import ConfigError, DataError
from factprobe.inputs.hades import LABEL, WITHHELD
from factprobe.records import label_of

ANNOTATORS = "annotators"
"""Key of the labels in the queue: 1 for a hallucination, 0 for none."""
State = Literal["open", "agreed", "disputed"]


def agreement_state(labels: Sequence[int], settings: AnnotateConfig) -> tuple[State, int]:
    """Return the state of agreement on a span, with the agreed label or -1."""
    if len(labels) < settings.least:
        return "open", WITHHELD
    label, votes = Counter(labels).most_common(1)[0]
    if votes / len(labels) >= settings.agreement:
        return "agreed", label
    return ("open" if len(labels) < settings.most else "disputed"), WITHHELD


def partition_by_state(
    queue: Iterable[Mapping[str, Any]], settings: AnnotateConfig
) -> dict[State, list[dict[str, Any]]]:
    """Partition the records of a queue by agreement, with the agreed label.

    Raises:
        ConfigError: `annotate.least` is larger than `annotate.most`.
        DataError: A record has labels other than 0 and 1, or more than allowed.
    """
    if settings.least > settings.most:
        what = f"is {settings.least}, more than annotate.most={settings.most}"
        raise ConfigError(what, where="annotate.least", hint=f"set annotate.most={settings.least} or more")
    found: dict[State, list[dict[str, Any]]] = {"open": [], "agreed": [], "disputed": []}
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
        found[state].append({**record, LABEL: label})
    return found


def next_batch(
    probabilities: Mapping[str, float | None], labelled: Counter[int], size: int, easy: float, rng: Random
) -> list[str]:
    """Return the ids of the spans to annotate next, sorted.

    Spans on which the detector is certain are left out: its probability of Hallucination is below `easy` or above one
    minus it (None is an unknown probability). Spans that it predicts to have the rarer label come first, to balance the
    labels; `labelled` counts the spans by agreed label. `rng` chooses among the remaining spans.
    """
    sides: dict[bool, list[str]] = {True: [], False: []}
    for name, probability in sorted(probabilities.items()):
        if probability is None:
            sides[rng.random() < 0.5].append(name)
        elif easy <= probability <= 1 - easy:
            sides[label_of(probability) == label_of(1)].append(name)
    for side in sides.values():
        rng.shuffle(side)
    wanted = min(max((size + labelled[0] - labelled[1]) // 2, 0), size)
    chosen = sides[True][: max(wanted, size - len(sides[False]))]
    return sorted(chosen + sides[False][: size - len(chosen)])
