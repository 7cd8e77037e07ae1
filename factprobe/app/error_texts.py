"""Field labels and error messages of the web app."""

from __future__ import annotations

import re

from factprobe.errors import DataError, FactprobeError, MissingExtraError
from factprobe.records import GraphFact

FIELD_LABELS = {
    "claim_extractor": "Claims by",
    "retriever": "Found by",
    "checker": "Checked by",
    "aggregator": "Summed up by",
    "kg": "Graph",
}
"""Label of the field of a page for each group of settings."""

EXTRACTOR_NOTES = {
    "graph": (
        "It sees English sentences that state a relation of the graph between two of its entities, or with a date or "
        "number: Paris is the capital of France."
    ),
    "llm": "The model lists triplets of what a text states as fact; opinions, questions and advice are none.",
}
"""Explanation, by claim extractor, of which statements it finds; shown for texts without claims."""

UNREAD_REFERENCE_NOTE = (
    "{checker} checks against the graph and does not read the reference; llm and nli under “{field}” read it."
)
"""Note below verdicts of a checker that does not read the reference."""

_COMMAND_LINE_HINT = re.compile(r"\b\w+(?:\.\w+)*=|\bcommand\b|\benvironment\b|\bserver\b")
"""Pattern of hints on settings or commands, which a visitor of the page cannot follow."""


def format_fact(fact: GraphFact) -> str:
    """Format a fact as one line; a URI is added only where it differs from the label."""
    uris = " ".join(uri for uri, label in zip(fact.uris, fact.triplet, strict=True) if uri != label)
    return " · ".join(fact.triplet) + (f"  ({uris})" if uris else "")


def error_text(error: FactprobeError, group: str | None = None) -> str:
    """Format an error in one line for a visitor, who has no command line; `group` is a key of `FIELD_LABELS`."""
    where, hint = "" if error.where is None else f"{error.where}: ", error.hint or ""
    hints = [hint]
    if isinstance(error, DataError | MissingExtraError) or _COMMAND_LINE_HINT.search(hint):
        choice = f"choose another one under “{FIELD_LABELS[group]}”" if group else ""
        hints = [choice, hint and f"where the app is started: {hint}"]
    message = "; ".join(filter(None, (f"{where}{error.what}", ", or ".join(filter(None, hints)))))
    return " ".join(message.split())
