"""What a detector of spans sees of a text: the span, and so much to the left and right of it."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from msgspec import Meta, Struct

from factprobe.parts.base import PartSettings
from factprobe.records import DetectorItem

TaskMode = Literal["offline", "online"]
"""`offline`: the whole text is there; `online`: what comes behind the span is not yet written."""
_WORD = re.compile(r"\S+")


class SpanSettings(PartSettings, frozen=True, kw_only=True):
    """What all detectors of spans have in common."""

    context_words: Annotated[int, Meta(ge=0)] | None = None
    """How many words on either side of the span are seen; by default all."""


class Window(Struct, frozen=True, gc=False):
    """A span with what is seen of its text."""

    text: str
    start: int
    """Its first character."""
    end: int
    """The character behind its last."""
    offset: int = 0
    """Where the text begins in the item's output; negative where the input stands before that."""

    @property
    def span(self) -> str:
        """The span's own text."""
        return self.text[self.start : self.end]


def window_of(item: DetectorItem, words: int | None, mode: TaskMode) -> Window:
    """What is seen of an item; one without a span is its whole output, behind its input.

    Args:
        item: the item.
        words: as `SpanSettings.context_words`.
        mode: whether what is behind the span is there.
    """
    if item.span is None:
        before, span, behind = f"{item.input}\n" if item.input else "", item.output, ""
    else:
        start, end = item.span
        before, span, behind = item.output[:start], item.output[start:end], item.output[end:]
    if words is not None:
        before, behind = _last(before, words), _first(behind, words)
    if mode == "online":
        behind = ""
    offset = (item.span[0] if item.span else 0) - len(before)
    return Window(before + span + behind, len(before), len(before) + len(span), offset)


def _last(text: str, words: int) -> str:
    places = [found.start() for found in _WORD.finditer(text)]
    if 0 < words < len(places):
        return text[places[-words] :]
    return text if words else text[len(text.rstrip()) :]


def _first(text: str, words: int) -> str:
    places = [found.end() for found in _WORD.finditer(text)]
    if 0 < words < len(places):
        return text[: places[words - 1]]
    return text if words else text[: len(text) - len(text.lstrip())]
