"""Decision on whether a reply in words attempts an answer."""

from __future__ import annotations

from factprobe.evaluators.entities.entity_reading import EntityReading
from factprobe.evaluators.entities.features import FEATURES, vector
from factprobe.lazy import lazy
from factprobe.reading.language import vocabulary
from factprobe.trees import load_trees

_MOST = 0.9
"""Minimum share of the question's content words in a sentence that restates the question with an answer."""


class AttemptReading(EntityReading, frozen=True):
    """Analysis of a reply with the features of the grading models, and with whether it attempts an answer."""

    @lazy
    def vector(self) -> list[float]:
        """Features of the reply, which needs at least one word."""
        return vector(self)

    @lazy
    def is_attempt(self) -> bool:
        """True if the reply attempts an answer."""
        if not len(self.text) or self.restates_question:
            return bool(len(self.text))
        model = load_trees("factprobe.evaluators.entities", tuple(FEATURES))
        return model.predict(self.vector).probability >= model.thresholds["balanced"]

    @property
    def restates_question(self) -> bool:
        """True if a sentence restates the question with additional words as the answer."""
        text, asked = self.text, self.asked_keys
        if not asked or self.declines:
            return False
        passed = vocabulary("function", "kind")
        keys = enumerate(self.tokens.keys)
        extra = {text.sentences[i] for i, key in keys if key not in asked and text.words[i] not in passed}
        return any(len(self.asked_by_sentence[one]) >= _MOST * len(asked) for one in extra - text.asks)
