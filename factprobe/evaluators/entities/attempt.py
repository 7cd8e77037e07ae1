"""Decision on whether a reply in words attempts an answer."""

from __future__ import annotations

from factprobe.evaluators.entities.entity_reading import EntityReading
from factprobe.evaluators.entities.features import FEATURES, vector
from factprobe.lazy import lazy
from factprobe.reading.language import vocabulary
from factprobe.trees import load_trees

_MIN_REPEATED_SHARE = 0.9
"""Minimum share of the question's content words that a sentence repeats if it restates the question."""


class AttemptReading(EntityReading, frozen=True):
    """Analysis of a reply that also decides whether it attempts an answer."""

    @lazy
    def vector(self) -> list[float]:
        """Features of the reply for the grading models; the reply needs at least one word."""
        return vector(self)

    @lazy
    def is_attempt(self) -> bool:
        """True if the reply attempts an answer, as the grading model reads it, or because it restates the question."""
        if not len(self.text) or self.restates_question:
            return bool(len(self.text))
        model = load_trees("factprobe.evaluators.entities", tuple(FEATURES))
        return model.predict(self.vector).probability >= model.thresholds["balanced"]

    @property
    def restates_question(self) -> bool:
        """True if a sentence restates the question with further words, which are the answer."""
        text, asked = self.text, self.asked_keys
        if not asked or self.declines:
            return False
        ignored = vocabulary("function", "kind")
        keys = enumerate(self.tokens.keys)
        extra = {text.sentences[i] for i, key in keys if key not in asked and text.words[i] not in ignored}
        return any(len(self.asked_by_sentence[i]) >= _MIN_REPEATED_SHARE * len(asked) for i in extra - text.asks)
