"""Search for a passage of a cleaned text in the original reply."""

from __future__ import annotations

import re

_PIECE = re.compile(r"§|\w+")
CUT = "§"
"""Placeholder for removed text."""
_MOST = 60
"""Maximum number of words of a passage."""


def as_written(reply: str, passage: str) -> str:
    """Return a passage as the reply has it, with any separators between its words; empty if it does not occur."""
    passage = passage.strip()
    if passage in reply:
        return passage
    words = _PIECE.findall(passage)
    if not words or len(words) > _MOST:
        return ""
    between = r"[^\w\n]*?"
    found = re.search(between.join(".{1,200}?" if word == CUT else re.escape(word) for word in words), reply)
    return found[0] if found else ""
