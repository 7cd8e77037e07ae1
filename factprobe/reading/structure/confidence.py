"""Confidence that a reply states for its answer."""

from __future__ import annotations

import re

from factprobe.reading.language import phrases

_MARKS = r"[\"'*_\s]{0,4}"
_STATED = re.compile(
    rf"\b(?:{phrases('confidence_key')})\b{_MARKS}[:=]{_MARKS}(\d+(?:[.,]\d+)?)(?!\d|[.,]\d){_MARKS}"
    rf"(%|(?:/|\(?(?:{phrases('confidence_of')})\b)\s*(\d+))?",
    re.IGNORECASE,
)
"""Pattern of a labelled number with an optional percent sign or maximum: `Confidence: 80%`, `Certainty: 4 of 5`."""

_MAX_SCALE = 10
"""Greatest maximum that a scale other than per cent may have; a larger bare number is in per cent."""


def stated_confidence(reply: str) -> float | None:
    """Return the last confidence, in [0, 1], that a reply states as a labelled number; None if it states none.

    A number above 10 without a unit is in per cent; from 1 to 10 it may be on any scale, so that the result is None.
    """
    matches = [*_STATED.finditer(reply)] if ":" in reply or "=" in reply else []
    if not matches:
        return None
    match = matches[-1]
    number, largest = float(match[1].replace(",", ".")), 1.0
    if match[2] and match[3]:
        largest = float(match[3])
    elif match[2] or number > _MAX_SCALE:
        largest = 100.0
    return number / largest if 0 <= number <= largest and largest else None
