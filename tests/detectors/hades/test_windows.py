"""What a detector of spans sees: both sides or one, all of it or some words."""

from __future__ import annotations

import pytest

from factprobe.detectors.hades.windows import TaskMode, window_of
from factprobe.records import DetectorItem

ITEM = DetectorItem("1", "one two  three four five", span=(9, 14))


@pytest.mark.parametrize(
    ("words", "mode", "text"),
    [
        (None, "offline", "one two  three four five"),
        (None, "online", "one two  three"),
        (1, "offline", "two  three four"),
        (1, "online", "two  three"),
        (0, "offline", "  three "),
        (9, "offline", "one two  three four five"),
    ],
)
def test_item_with_a_span(words: int | None, mode: TaskMode, text: str) -> None:
    window = window_of(ITEM, words, mode)
    assert (window.text, window.span) == (text, "three")
    assert ITEM.output[window.start + window.offset : window.end + window.offset] == "three"


def test_item_without_span_is_the_whole_output() -> None:
    window = window_of(DetectorItem("1", "Jane Austen.", "Who wrote Emma?"), None, "offline")
    assert (window.text, window.span) == ("Who wrote Emma?\nJane Austen.", "Jane Austen.")
    assert window.start + window.offset == 0
