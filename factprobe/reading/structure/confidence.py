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

_LARGEST_SCALE = 10
"""Largest maximum of a scale other than per cent."""


def stated_confidence(reply: str) -> float | None:
    """Return the confidence in [0, 1] that a reply states last, as a labelled number; None if it states none.

    A bare number above 1 is in per cent. Up to 10 it is None, since it may be on a scale of 5 or 10 as well.
    """
    every = [*_STATED.finditer(reply)] if ":" in reply or "=" in reply else []
    if not every:
        return None
    found = every[-1]
    number, largest = float(found[1].replace(",", ".")), 1.0
    if found[2] and found[3]:
        largest = float(found[3])
    elif found[2] or number > _LARGEST_SCALE:
        largest = 100.0
    return number / largest if 0 <= number <= largest and largest else None
