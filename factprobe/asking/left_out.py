"""Values of a reply that cannot be read: the reply is paid for and kept without them, and the run says so."""

from __future__ import annotations

import logging
from collections import Counter
from typing import Any

import msgspec

from factprobe.models.base import Reply

log = logging.getLogger(__name__)

_OPTIONAL: dict[str, Any] = {"usage": None, "logprobs": ()}
"""The fields that a reply can do without, with their empty values."""
_NAMES = {"usage": "counts of tokens", "logprobs": "log-probabilities"}
_encode, _decode = msgspec.json.Encoder().encode, msgspec.json.Decoder(Reply).decode


class LeftOut:
    """Counts the replies of a model that were kept without some of their values."""

    def __init__(self) -> None:
        self._replies = 0
        self._fields: Counter[str] = Counter()

    def add(self, reply: Reply) -> None:
        """Count a reply."""
        self._replies += 1
        self._fields.update(reply.left_out)

    def warn(self, model: str) -> None:
        """Warn of each field that was left out, with the number of replies."""
        for field, count in self._fields.items():
            what = "%s: of %s replies %s came with %s that cannot be read; they are kept without"
            log.warning(what, model, f"{self._replies:,}", f"{count:,}", _NAMES.get(field, field))


def readable(reply: Reply) -> Reply:
    """Return a reply as it will be read again, without the optional fields that cannot be.

    Raises:
        Exception: the text, or the scores of a ranked answer, cannot be read.
    """
    try:
        return _decode(_encode(reply))
    except Exception:  # a model of anyone's may put anything there
        unreadable = [field for field in _OPTIONAL if not _can_be_read(field, getattr(reply, field))]
        if not unreadable:
            raise
        empty = {field: _OPTIONAL[field] for field in unreadable}
        left_out = (*reply.left_out, *unreadable)
        return _decode(_encode(msgspec.structs.replace(reply, **empty, left_out=left_out)))


def _can_be_read(field: str, value: object) -> bool:
    try:
        _decode(_encode({"text": "", field: value}))
    except Exception:
        return False
    return True
