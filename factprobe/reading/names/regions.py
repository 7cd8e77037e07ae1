"""Countries and states that locate a place."""

from __future__ import annotations

from collections.abc import Iterable

from factprobe.reading.language import vocabulary


def is_region(words: Iterable[str]) -> bool:
    """Return whether normalised words are the name of a country or state."""
    return " ".join(words) in vocabulary("region")
