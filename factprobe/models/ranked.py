"""The statements of a ranked request."""

from __future__ import annotations

from factprobe.records import Request


def statements(request: Request) -> list[str]:
    """The statement with each of the choices in its gap, with a capital letter at its start as in LM Pub Quiz."""
    before, after = request.cloze or ("", "")
    texts = [f"{before}{choice}{after}" for choice in request.choices]
    return [text[:1].upper() + text[1:] for text in texts]
