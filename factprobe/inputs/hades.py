"""Records of HaDes: texts with a marked span, and whether the span is a hallucination (Liu et al. 2022, ACL)."""

from __future__ import annotations

import re
from typing import Any

from factprobe.inputs.base import Record, UnusableError
from factprobe.records import HALLUCINATION, NOT_HALLUCINATION, DetectorItem, HumanLabel

TEXT, PLACE, LABEL = "replaced", "replaced_ids", "hallucination"
SPAN_MARK = "==="
NO_LABEL = -1
"""Value of the label in the test set, where labels are withheld, and in records that no person has labelled."""
_LABELS = {1: HALLUCINATION, 0: NOT_HALLUCINATION}
"""Meaning of the labels in the published files (their readme says the opposite)."""
_WORD = re.compile(r"\S+")


def is_hades(record: Record) -> bool:
    """Return whether a record has HaDes' format."""
    return TEXT in record


def hades_item(record: Record, name: str) -> DetectorItem:
    """Return the item of a record; its output is the text without the marks.

    Raises:
        UnusableError: The text is missing, has no marked span or several, or the span differs from `replaced_ids`.
    """
    text = record[TEXT]
    if not isinstance(text, str):
        raise UnusableError(f"has a {TEXT} that is not text")
    before, *marked = text.split(SPAN_MARK)
    if len(marked) not in (0, 2):
        raise UnusableError(f"has {len(marked)} signs {SPAN_MARK} in its text, not one before and one after the span")
    plain = "".join((before, *marked))
    span = _span(record.get(PLACE), plain)
    if marked:
        by_signs = (len(before), len(before) + len(marked[0]))
        if span not in (None, by_signs):
            raise UnusableError(f"has {SPAN_MARK} around other words than those of {PLACE}")
        span = by_signs
    if span is None or not plain[slice(*span)].strip():
        raise UnusableError(f"has no span: neither {SPAN_MARK} around it nor {PLACE}")
    return DetectorItem(name, plain, span=span)


def hades_label(record: Record) -> HumanLabel:
    """Return the human label of a record; raise an `UnusableError` without a valid one, as in the test set."""
    value = record.get(LABEL)
    if isinstance(value, bool) or value not in _LABELS:
        why = f"where 1 is {HALLUCINATION} and 0 is {NOT_HALLUCINATION}"
        if value == NO_LABEL:
            why = "which is withheld: such records can be used for detection, but not for evaluation"
        raise UnusableError(f"has the label {value!r:.40}, {why}")
    return HumanLabel(_LABELS[value])


def hades_record(text: str, span: tuple[int, int], label: int = NO_LABEL) -> dict[str, Any]:
    """Return the record of a text with a span of whole words; `span` has character offsets."""
    start, end = span
    first = len(_WORD.findall(text[:start]))
    last = first + len(_WORD.findall(text[start:end])) - 1
    return {
        TEXT: f"{text[:start]}{SPAN_MARK}{text[start:end]}{SPAN_MARK}{text[end:]}",
        PLACE: [first, last],
        LABEL: label,
    }


def _span(ids: Any, plain: str) -> tuple[int, int] | None:
    """Return the character offsets of a span, given its first and last word's index; None if `ids` is None."""
    if ids is None:
        return None
    words = list(_WORD.finditer(plain))
    numbers = isinstance(ids, list) and len(ids) == 2 and all(type(index) is int for index in ids)
    if not numbers or not 0 <= ids[0] <= ids[1] < len(words):
        raise UnusableError(f"has {PLACE} that are not the first and last word of a span, counted from 0")
    return words[ids[0]].start(), words[ids[1]].end()
