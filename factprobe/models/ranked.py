"""The statements of a ranked question."""

from __future__ import annotations

from factprobe.records import Question


def statements(question: Question) -> list[str]:
    """The statement with each of the choices in its gap, with a capital letter at its start as in LM Pub Quiz."""
    before, after = question.cloze or ("", "")
    texts = [f"{before}{choice}{after}" for choice in question.choices]
    return [text[:1].upper() + text[1:] for text in texts]
