"""The evaluator of answers of which only the right ones are known."""

from __future__ import annotations

from typing import ClassVar, Literal

from factprobe.config import Probability
from factprobe.evaluators.base import Evaluator, EvaluatorSettings
from factprobe.evaluators.reference.features import FEATURES
from factprobe.evaluators.reference.model import Prediction, model
from factprobe.evaluators.reference.reading import ReferenceReading
from factprobe.evaluators.rules import reference as rules
from factprobe.evaluators.rules.base import Judgment, Rule, first
from factprobe.reading.names.index import EntityIndex
from factprobe.reading.reading import Reading

_PHRASES = tuple(FEATURES.values())


class ReferenceSettings(EvaluatorSettings, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The settings of answers without a graph."""

    threshold: Probability | Literal["strict"] = 0.5
    """The least probability, from 0 to 1, with which a reply is called correct. `strict` is the least one that had a
    precision of 0.98 in cross-validation on the replies to Natural Questions that the model was trained on."""


class ReferenceEvaluator(Evaluator):
    """What people take for a right answer counts, as a model learnt from their verdicts; clear cases have rules."""

    settings_type: ClassVar[type[EvaluatorSettings]] = ReferenceSettings
    reading_type: ClassVar[type[Reading]] = ReferenceReading
    certain: ClassVar[tuple[Rule, ...]] = (
        rules.only_declines,
        rules.same_text,
        rules.formula,
        rules.exact,
        rules.initials,
        rules.quantity,
        rules.quantity,
        rules.value,
    )
    """The rules on clear cases."""
    against: ClassVar[tuple[Rule, ...]] = (
        rules.other_name,
        rules.other_word,
        rules.not_value,
        rules.less_exact,
        rules.other_person,
        rules.denied,
        rules.turns_away,
        rules.beyond,
        rules.several,
        rules.other_value,
        rules.concludes,
    )
    """The rules on replies that the model would call correct."""
    without_answer: ClassVar[tuple[Rule, ...]] = (rules.declines, rules.gives_no_answer)
    """The rules on replies that the model would not call correct."""
    rules: ClassVar[tuple[Rule, ...]] = (*certain, *against, *without_answer)

    def __init__(self, index: EntityIndex, settings: EvaluatorSettings | None = None) -> None:
        super().__init__(index, settings)
        self.model = model()
        chosen = self.settings.threshold if isinstance(self.settings, ReferenceSettings) else 0.5
        self.threshold = self.model.strict if chosen == "strict" else float(chosen)

    def decide(self, reading: Reading) -> Judgment:
        """See the base class."""
        assert isinstance(reading, ReferenceReading)
        found = first(self.certain, reading)
        if found is None and len(reading.said):
            prediction = self.model.predict(reading.found.vector)
            is_right = prediction.probability >= self.threshold
            found = first(self.against if is_right else self.without_answer, reading)
            if found is None:
                return _by_model(reading, prediction, is_right=is_right)
        return found or Judgment("unparsed", "reference.no_answer", wrong=1, why="has no words")


def _by_model(reading: ReferenceReading, prediction: Prediction, *, is_right: bool) -> Judgment:
    """The judgment of the model, with the features that moved it most."""
    found, probability = reading.found, prediction.probability
    reasons = "; ".join(f"{_PHRASES[i]} {found.vector[i]:.3g} ({odds:+.1f})" for i, odds in prediction.reasons())
    why = f"{probability:.2f} for {found.name.text!r}: {reasons}"
    if not is_right:
        return Judgment("incorrect", rules.MODEL, (), 1, reading.excerpt, why, probability=probability)
    answer = reading.words_of_answer
    matched = tuple(dict.fromkeys(reading.right_names[name] for name in reading.said_names)) or (
        reading.right_names[found.name],
    )
    return Judgment("correct", rules.MODEL, matched, 0, answer, why, probability=probability)
