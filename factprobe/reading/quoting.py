"""A passage of a text that was rewritten for reading, as the text itself has it."""

from __future__ import annotations

import re

_PIECE = re.compile(r"§|\w+")
CUT = "§"
"""Stands for what was taken out."""
_MOST = 60
"""Words of a passage that are looked for."""


def as_written(reply: str, passage: str) -> str:
    """A passage as a reply has it, whatever stands between its words; empty where its words do not stand there."""
    passage = passage.strip()
    if passage in reply:
        return passage
    words = _PIECE.findall(passage)
    if not words or len(words) > _MOST:
        return ""
    between = r"[^\w\n]*?"
    found = re.search(between.join(".{1,200}?" if word == CUT else re.escape(word) for word in words), reply)
    return found[0] if found else ""
