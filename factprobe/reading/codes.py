"""Names in which every sign counts though they are no formulas: symbols, tags, versions, commands."""

from __future__ import annotations

import re

_COMMON_MARKS = frozenset(".,;:!?-–—'\"()/*&…")
"""Signs that stand in any text, where they name nothing."""
_SAYING = frozenset("+#%$€£")
"""Signs that are words by themselves."""
_ALONE, _ALONE_BEHIND = r"(?<![^\s\"'`«“(\[])", r"(?![^\s\"'`»”)\].,!?;:])"
_TAG = re.compile(r"<(/?)([A-Za-z][\w:-]*)\s*/?>")
_VERSION = re.compile(r"v\.?\s?\d+(?:\.\d+)+|\d+(?:\.\d+){2,}", re.IGNORECASE)
_COMMAND = re.compile(r"[a-z][\w.-]*(?:\s\S+)*\s-[A-Za-z](?:\s\S+)*")


def code_of(name: str) -> str | None:
    """What finds a name in a text sign by sign, as a regular expression; None where not every sign of it counts."""
    if not any(map(str.isalnum, name)):
        return None if _COMMON_MARKS.issuperset(name) or not _SAYING.isdisjoint(name) else _symbol(name)
    if tag := _TAG.fullmatch(name):
        alone = "" if tag[1] or len(tag[2]) == 1 else rf"|(?<![</\w]){tag[2]}(?![\w>])"
        return rf"<{tag[1]}{tag[2]}\s*/?>{alone}"
    if _VERSION.fullmatch(name):
        return rf"(?<![\w.]){re.escape(name)}(?!\w|\.\w)"
    if _COMMAND.fullmatch(name):
        return rf"(?<!\w){_SOME_WORDS.join(map(re.escape, name.split()))}(?!\w)"
    return None


_SOME_WORDS = r"\s+(?:\S+\s+){0,3}?"


def _symbol(name: str) -> str:
    return f"{_ALONE}{re.escape(name)}{_ALONE_BEHIND}"
