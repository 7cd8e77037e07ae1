"""Settings and errors, worded for the pages."""

from __future__ import annotations

import re

from factprobe.errors import DataError, FactprobeError, MissingExtraError
from factprobe.records import GraphFact

FIELDS = {
    "claim_extractor": "Claims by",
    "retriever": "Found by",
    "checker": "Checked by",
    "aggregator": "Summed up by",
    "kg": "Graph",
}
"""Name of the page's field for each group of settings."""

NO_CLAIMS = {
    "graph": (
        "It sees English sentences that state a relation of the graph between two of its entities, or with a date or "
        "number: Paris is the capital of France."
    ),
    "llm": "The model lists triplets of what a text states as fact; opinions, questions and advice are none.",
}
"""Explanation of which statements a claim extractor sees, shown for texts without claims."""

UNREAD_REFERENCE = (
    "{checker} checks against the graph and does not read the reference; llm and nli under “{field}” read it."
)
"""Line below verdicts for which the reference was not read."""

_ELSEWHERE = re.compile(r"\b\w+(?:\.\w+)*=|\bcommand\b|\benvironment\b|\bserver\b")
"""Pattern of hints that a visitor cannot follow, since they name settings or commands."""


def fact_line(fact: GraphFact) -> str:
    """Return a fact in one line, with those of its URIs that differ from their labels."""
    uris = " ".join(uri for uri, label in zip(fact.uris, fact.triplet, strict=True) if uri != label)
    return " · ".join(fact.triplet) + (f"  ({uris})" if uris else "")


def error_text(error: FactprobeError, group: str | None = None) -> str:
    """Rephrase an error for a visitor, who has a page and no command line.

    Args:
        error: Error to rephrase.
        group: Key of `FIELDS` for the field where another choice may help.
    """
    where, hint = "" if error.where is None else f"{error.where}: ", error.hint or ""
    hints = [hint]
    if isinstance(error, DataError | MissingExtraError) or _ELSEWHERE.search(hint):
        choice = f"choose another one under “{FIELDS[group]}”" if group else ""
        hints = [choice, hint and f"where the app is started: {hint}"]
    message = "; ".join(filter(None, (f"{where}{error.what}", ", or ".join(filter(None, hints)))))
    return " ".join(message.split())
