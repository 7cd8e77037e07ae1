"""Text that a span detector sees: the span, with words to its left and right."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from msgspec import Meta, Struct

from factprobe.components.base import PartSettings
from factprobe.records import DetectorItem

TaskMode = Literal["offline", "online"]
"""Visible text: `offline` the whole text, `online` only the text up to the span's end."""
_WORD = re.compile(r"\S+")


class SpanSettings(PartSettings, frozen=True, kw_only=True):
    """Common settings of span detectors."""

    context_words: Annotated[int, Meta(ge=0)] | None = None
    """Number of words visible on either side of the span; by default all."""


class SpanWindow(Struct, frozen=True, gc=False):
    """Span with its visible context."""

    text: str
    """Context with the span in it."""
    start: int
    """Index in `text` of the first character of the span."""
    end: int
    """Index in `text` after the last character of the span."""
    offset: int = 0
    """Offset of `text` in the output; negative if `text` begins with the input."""

    @property
    def span(self) -> str:
        """Text of the span."""
        return self.text[self.start : self.end]


def window_of(item: DetectorItem, words: int | None, mode: TaskMode) -> SpanWindow:
    """Return an item's span with its visible context; without a span, the whole output, with the input before it."""
    if item.span is None:
        before, span, after = f"{item.input}\n" if item.input else "", item.output, ""
    else:
        start, end = item.span
        before, span, after = item.output[:start], item.output[start:end], item.output[end:]
    if words is not None:
        before, after = _last_words(before, words), _first_words(after, words)
    if mode == "online":
        after = ""
    offset = (item.span[0] if item.span else 0) - len(before)
    return SpanWindow(before + span + after, len(before), len(before) + len(span), offset)


def _last_words(text: str, words: int) -> str:
    places = [match.start() for match in _WORD.finditer(text)]
    if 0 < words < len(places):
        return text[places[-words] :]
    return text if words else text[len(text.rstrip()) :]


def _first_words(text: str, words: int) -> str:
    places = [match.end() for match in _WORD.finditer(text)]
    if 0 < words < len(places):
        return text[: places[words - 1]]
    return text if words else text[: len(text) - len(text.lstrip())]
