"""File of people's labels, to which each label is appended as it is made."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from factprobe.errors import DataError
from factprobe.inputs.labels import LabelVerdict, ReplyLabel, read_label_file
from factprobe.labelling.drawing import DrawnReply
from factprobe.storage import (
    UNREADABLE,
    Lines,
    Problems,
    SilentProblems,
    append_line,
    open_utf8,
    repair_last_line,
)

ADJUDICATION = "adjudication"
"""Annotator of the labels that resolve disagreements of two people."""

_decode = msgspec.json.Decoder(ReplyLabel).decode
_OPTIONAL = ("system", "reply")
_START = 1 << 16
"""Number of bytes of a file that are checked if it has no labels; a label is shorter."""


def now_utc() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


class LabelStore:
    """Labels in a file, oldest first.

    Args:
        path: File of the labels, which may be missing; an incomplete last line from a kill is dropped.
        problems: Collector of broken lines, unknown verdicts and impossible probabilities, which stay in the file.
        clock: Function that returns the time of a label.

    Raises:
        DataError: The file cannot be read, or has something other than labels.
    """

    def __init__(self, path: Path, problems: Problems, clock: Callable[[], datetime] = now_utc) -> None:
        self.path = path
        self._clock = clock
        _check_labels(path)
        repair_last_line(path, _decode)
        self.labels = read_label_file(path, problems) if path.exists() else []

    def judge(self, drawn: DrawnReply, annotator: str, verdict: LabelVerdict) -> ReplyLabel:
        """Append a person's verdict on a reply, and return the label.

        Raises:
            DataError: The label cannot be written, and nothing of it is kept.
        """
        candidate = drawn.candidate
        label = ReplyLabel(
            id=candidate.id,
            verdict=verdict,
            annotator=annotator,
            time=self._timestamp_now(),
            probability=drawn.probability,
            system=candidate.system,
            reply=candidate.digest,
        )
        self.append(label)
        return label

    def take_back(self, label: ReplyLabel) -> ReplyLabel:
        """Append a label that takes another one back, and return it.

        Raises:
            DataError: The label cannot be written, and nothing of it is kept.
        """
        skip = replace(label, verdict="skip", time=self._timestamp_now())
        self.append(skip)
        return skip

    def append(self, label: ReplyLabel) -> None:
        """Append a label, which is on the disk when this returns.

        Raises:
            DataError: The label cannot be written, and nothing of it is kept.
        """
        try:
            append_line(self.path, msgspec.json.encode(_label_record(label)), sync=True)
        except OSError as error:
            hint = "see to it and judge the reply again; nothing else is lost"
            raise DataError(f"cannot be written: {error.strerror}", where=self.path, hint=hint) from error
        self.labels.append(label)

    def _timestamp_now(self) -> str:
        return self._clock().astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _check_labels(path: Path) -> None:
    """Raise an error if a file has content but no label, other than a first one that a kill cut off.

    Raises:
        DataError: The file has content but no label.
    """
    if not path.exists() or any(True for _ in Lines(path, ReplyLabel, SilentProblems())):
        return
    with open_utf8(path) as file:
        start = file.read(_START)
    if start.strip() and (b"\n" in start or not start.startswith(b'{"id":') or _is_json(start)):
        hint = "name another file, which may be a new one: label.file=labels.jsonl"
        raise DataError("holds no labels, and labels would be written into it", where=path, hint=hint)


def _is_json(text: bytes) -> bool:
    try:
        msgspec.json.decode(text)
    except UNREADABLE:
        return False
    return True


def _label_record(label: ReplyLabel) -> dict[str, Any]:
    """Return a label as a record, without empty optional fields."""
    every = {name: getattr(label, name) for name in label.__struct_fields__}
    return {name: value for name, value in every.items() if value or name not in _OPTIONAL}
