"""Statements of a ranked request."""

from __future__ import annotations

from factprobe.records import Request


def statements(request: Request) -> list[str]:
    """Return the statement with each choice in its gap, capitalised as in LM Pub Quiz."""
    before, after = request.cloze or ("", "")
    texts = [f"{before}{choice}{after}" for choice in request.choices]
    return [text[:1].upper() + text[1:] for text in texts]
