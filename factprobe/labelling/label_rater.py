"""Conversion of the labels of `step=label` to records of one rater for `step=agree`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from factprobe.errors import DataError
from factprobe.inputs.labels import ReplyLabel, majority_verdict, valid_labels
from factprobe.labelling.label_file import ADJUDICATION
from factprobe.storage import Problems

_BAD_QUESTION = "bad_question"
"""Verdict that says nothing about the reply, since the question is bad."""


def are_labels(records: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether records are labels of `step=label`."""
    return bool(records) and all({"id", "verdict", "annotator"} <= record.keys() for record in records)


def rater_records(
    records: Sequence[Mapping[str, Any]], where: str, problems: Problems, annotator: str | None = None
) -> list[dict[str, Any]]:
    """Return a record for each labelled reply: `id`, `label` by adjudication or else majority, and `labels`.

    `labels` has one verdict of each person, without adjudications, bad questions and people who contradict themselves.
    Only the labels of `annotator` count, by default those of all people.

    Raises:
        DataError: `annotator` has labelled no reply, or replies of several systems have the same id.
    """
    labels = [*valid_labels(_labels_with_place(records, where, problems), problems)]
    if annotator is not None and all(label.annotator != annotator for label in labels):
        raise DataError(f"has no label of {annotator!r}", where=where, hint="see its key annotator for the names")
    by_reply: dict[tuple[str, str], dict[str, list[str]]] = {}
    for label in labels:
        verdicts = by_reply.setdefault((label.system, label.id), {}).setdefault(label.annotator, [])
        if label.verdict == "skip":
            verdicts.clear()
        else:
            verdicts.append(label.verdict)
    if len({name for _, name in by_reply}) < len(by_reply):
        hint = "give the rater a system: labels.NAME={path: ..., system: ...}"
        raise DataError("replies of several systems have the same id", where=where, hint=hint)
    rater = []
    for (_, name), by_person in by_reply.items():
        people = {person: labels[0] for person, labels in by_person.items() if len({*labels}) == 1}
        if annotator is not None:
            people = {person: verdict for person, verdict in people.items() if person == annotator}
        settled = people.pop(ADJUDICATION, None)
        final = settled or majority_verdict(people.values())
        counted = [verdict for verdict in people.values() if verdict != _BAD_QUESTION]
        rater.append({"id": name, "label": None if final in ("", _BAD_QUESTION) else final, "labels": counted})
    return rater


def _labels_with_place(
    records: Sequence[Mapping[str, Any]], where: str, problems: Problems
) -> Iterator[tuple[str, ReplyLabel]]:
    """Yield the place of each label in the file, and the label."""
    for number, record in enumerate(records, 1):
        place = f"{where}, record {number}"
        try:
            yield place, msgspec.convert(record, ReplyLabel)
        except msgspec.ValidationError as error:
            problems.add(f"no label: {error}", place)
