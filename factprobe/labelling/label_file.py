"""File of human labels, to which each label is appended when a person gives it."""

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
from factprobe.storage import UNREADABLE, Lines, Problems, SilentProblems, append_line, open_utf8, repair_last_line

ADJUDICATION = "adjudication"
"""Name of the annotator in labels that settle disagreements of two people."""

_decode = msgspec.json.Decoder(ReplyLabel).decode
_OPTIONAL_FIELDS = ("probability", "system", "reply")
_CHECKED_BYTES = 1 << 16
"""Number of bytes that are read to recognise a first label that was cut off."""


class LabelStore:
    """File of labels, with its content in memory, oldest label first.

    An incomplete last line of a killed process is dropped. Lines that are not used, since they are broken or have an
    unknown verdict or an impossible probability, stay in the file and are reported to `problems`. The methods raise a
    `DataError` if a label cannot be written; the file is then as before.

    Raises:
        DataError: The file cannot be read, or has content that is no labels.
    """

    def __init__(self, path: Path, problems: Problems, clock: Callable[[], datetime] = datetime.now) -> None:
        self.path = path
        self._clock = clock
        _check_labels(path)
        repair_last_line(path, _decode)
        self.labels = read_label_file(path, problems) if path.exists() else []

    def judge(self, drawn_reply: DrawnReply, annotator: str, verdict: LabelVerdict) -> ReplyLabel:
        """Append a person's verdict on a reply, and return the label."""
        candidate = drawn_reply.candidate
        label = ReplyLabel(
            id=candidate.id,
            verdict=verdict,
            annotator=annotator,
            time=self._timestamp_now(),
            probability=drawn_reply.probability,
            system=candidate.system,
            reply=candidate.digest,
        )
        return self.append(label)

    def take_back(self, label: ReplyLabel) -> ReplyLabel:
        """Append a copy of a label with the verdict `skip`, which cancels it, and return the copy."""
        return self.append(replace(label, verdict="skip", time=self._timestamp_now()))

    def append(self, label: ReplyLabel) -> ReplyLabel:
        """Append a label, force it to the disk and return it; a `DataError` leaves the file as before."""
        try:
            append_line(self.path, msgspec.json.encode(_label_record(label)), sync=True)
        except OSError as error:
            hint = "see to it and judge the reply again; nothing else is lost"
            raise DataError(f"cannot be written: {error.strerror}", where=self.path, hint=hint) from error
        self.labels.append(label)
        return label

    def _timestamp_now(self) -> str:
        return self._clock().astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _check_labels(path: Path) -> None:
    """Raise a `DataError` if a file has other content and no label; a first label may be cut off by a kill."""
    if not path.exists() or any(True for _ in Lines(path, ReplyLabel, SilentProblems())):
        return
    with open_utf8(path) as file:
        start = file.read(_CHECKED_BYTES)
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
    """Return a label as a record for the file, without empty optional fields."""
    fields = {name: getattr(label, name) for name in label.__struct_fields__}
    return {name: value for name, value in fields.items() if value or name not in _OPTIONAL_FIELDS}
