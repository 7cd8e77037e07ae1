"""People's labels from a file or from records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from factprobe.errors import DataError
from factprobe.inputs.labels import ReplyLabel, ReplyLabels, checked_labels, given_labels, read_labels
from factprobe.storage import Problems

LabelsSource = str | Path | Iterable[Mapping[str, Any]]
"""A file of labels, or records."""
_HINT = 'give records such as {"id": "1", "verdict": "correct"}'


def labels_of(source: LabelsSource, strict: bool) -> ReplyLabels:
    """Return the labels of a file or of records; broken labels are logged and left out.

    Raises:
        DataError: the file cannot be read, a record is no label, or with `strict` a label is broken.
    """
    problems = Problems(strict, "fix it, or leave out strict=True to skip it")
    if isinstance(source, str | Path):
        path = Path(source)
        return given_labels(read_labels(path, problems), problems, str(path))
    try:
        records = msgspec.convert([dict(record) for record in source], list[ReplyLabel])
    except (msgspec.ValidationError, TypeError, ValueError) as error:
        raise DataError(str(error), where="labels", hint=_HINT) from error
    placed = ((f"labels[{number}]", label) for number, label in enumerate(records))
    return given_labels([*checked_labels(placed, problems)], problems, "labels")
