"""Whether a text denies something."""

from __future__ import annotations

from factprobe.reading.assertion import cues_in
from factprobe.reading.tokens import Words

_DENYING = ("denies", "denied", "label")


def denies(text: str) -> bool:
    """Return whether a text has a cue of denial."""
    return any(cue.kind in _DENYING for cue in cues_in(Words(text)))
