"""Answers in words, one or a set: who grades them, and what their rules ask of a reply."""

from factprobe.reading.asked import _words as question_words
from factprobe.reading.reading import template_stems
from factprobe.reading.stance.clauses import stem

__all__ = ["question_words", "stems"]


def stems(template: str, asked: tuple[str, ...]) -> frozenset[str]:
    """The stems of the words that a question turns on: those of its relation's template, or all of its own."""
    return template_stems(template) or frozenset(stem(word) for word in asked if len(word) > 3)
