"""Removal of malformed optional fields of replies, so that a paid reply is kept, with a warning."""

from __future__ import annotations

import logging
from collections import Counter
from typing import Any

import msgspec

from factprobe.models.base import Reply

log = logging.getLogger(__name__)

_EMPTY_VALUES: dict[str, Any] = {"usage": None, "logprobs": ()}
"""Optional fields of a reply, with their empty values."""
_FIELD_DESCRIPTIONS = {
    "usage": "counts of tokens",
    "logprobs": "log-probabilities",
    "text": "characters (not UTF-8)",
}
_encode, _decode = msgspec.json.Encoder().encode, msgspec.json.Decoder(Reply).decode


class OmittedFields:
    """Counter of a model's replies, and of replies that were kept without some optional field."""

    def __init__(self) -> None:
        self._replies = 0
        self._fields: Counter[str] = Counter()

    def add(self, reply: Reply) -> None:
        """Count a reply."""
        self._replies += 1
        self._fields.update(reply.left_out)

    def warn(self, model: str) -> None:
        """Log a warning for each omitted field, with the number of replies that lack it."""
        for field, count in self._fields.items():
            what = "%s: of %s replies %s have unreadable %s; they are kept without"
            log.warning(what, model, f"{self._replies:,}", f"{count:,}", _FIELD_DESCRIPTIONS.get(field, field))


def drop_unreadable_fields(reply: Reply) -> Reply:
    """Return a reply without the optional fields whose values have a wrong type and could not be read from a file.

    Raises:
        Exception: Another field is malformed: the text, or the scores of a ranked answer. The type is that of the
            first error.
    """
    try:
        return _decode(_encode(reply))
    except Exception:  # a third-party model may return any value
        unreadable = [field for field in _EMPTY_VALUES if not _is_readable(field, getattr(reply, field))]
        if not unreadable:
            raise
        empty = {field: _EMPTY_VALUES[field] for field in unreadable}
        left_out = (*reply.left_out, *unreadable)
        return _decode(_encode(msgspec.structs.replace(reply, **empty, left_out=left_out)))


def _is_readable(field: str, value: object) -> bool:
    try:
        _decode(_encode({"text": "", field: value}))
    except Exception:
        return False
    return True
