"""Evaluator of replies that are graded without a graph, against right answers in words."""

from __future__ import annotations

from typing import ClassVar, Literal

from factprobe.config import Probability
from factprobe.evaluators.base import Evaluator, EvaluatorSettings
from factprobe.evaluators.enumeration import lists_candidates
from factprobe.evaluators.reference import conflicts, identity, rules, value_conflicts, word_conflicts
from factprobe.evaluators.reference.features import FEATURES
from factprobe.evaluators.reference.reference_reading import ReferenceReading
from factprobe.evaluators.rules.base import Judgment, Rule, first_judgment
from factprobe.evaluators.rules.shared import only_declines
from factprobe.reading.names.index import EntityIndex
from factprobe.reading.reading_base import Reading
from factprobe.trees import Prediction, load_trees


class ReferenceSettings(EvaluatorSettings, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Settings of the evaluator of answers without a graph."""

    threshold: Probability | Literal["strict"] | None = None
    """Minimum predicted probability at which a reply is graded as correct.

    By default, the one with which the measured accuracies of systems are on average nearest to those by human verdicts,
    in cross-validation on the training half of Natural Questions. With `strict`, the precision there is 0.98.
    """


class ReferenceEvaluator(Evaluator):
    """Evaluator of replies without a graph: a grading model trained on human verdicts, and rules for clear cases."""

    settings_type: ClassVar[type[EvaluatorSettings]] = ReferenceSettings
    reading_type: ClassVar[type[Reading]] = ReferenceReading
    certain: ClassVar[tuple[Rule, ...]] = (
        rules.judge_formula,
        rules.judge_exact,
        only_declines,
        lists_candidates,
        rules.judge_initials,
    )
    """Rules for clear cases, in which the grading model is not asked."""
    against: ClassVar[tuple[Rule, ...]] = (
        conflicts.known_wrong,
        rules.gives_no_answer,
        identity.other_name,
        word_conflicts.other_word,
        value_conflicts.not_value,
        value_conflicts.less_exact,
        identity.other_person,
        conflicts.denied,
        conflicts.retracts,
        conflicts.lists_names,
        value_conflicts.other_value,
        conflicts.concludes,
    )
    """Rules against replies that the grading model considers correct."""
    without_answer: ClassVar[tuple[Rule, ...]] = (rules.declines, rules.gives_no_answer, rules.asks_back)
    """Rules for replies that the grading model does not consider correct."""
    rules: ClassVar[tuple[Rule, ...]] = tuple(dict.fromkeys((*certain, *against, *without_answer)))

    def __init__(self, index: EntityIndex, settings: EvaluatorSettings | None = None) -> None:
        super().__init__(index, settings)
        self.model = load_trees("factprobe.evaluators.reference", tuple(FEATURES))
        chosen = self.settings.threshold if isinstance(self.settings, ReferenceSettings) else None
        named = "balanced" if chosen is None else chosen
        self.threshold = self.model.thresholds[named] if isinstance(named, str) else named

    def decide(self, reading: Reading) -> Judgment:
        """Return the judgment by the rules for clear cases, else by the grading model and the rules that correct it."""
        assert isinstance(reading, ReferenceReading)
        if not reading.right_names:
            return Judgment("unparsed", "reference.no_answer", why="the question has no right name")
        judgment = first_judgment(self.certain, reading)
        if judgment is None and len(reading.reply_words):
            prediction = self.model.predict(reading.evidence.vector)
            is_right = prediction.probability >= self.threshold
            judgment = first_judgment(self.against if is_right else self.without_answer, reading)
            if judgment is None:
                return self._by_model(reading, prediction, is_right=is_right)
        return judgment or Judgment("unparsed", "reference.no_answer", wrong=1, why="has no words")

    def _by_model(self, reading: ReferenceReading, prediction: Prediction, *, is_right: bool) -> Judgment:
        """Return the judgment by the grading model; its reason names the features that contribute most."""
        evidence, probability = reading.evidence, prediction.probability
        reasons = self.model.explain(evidence.vector, FEATURES.values())
        why = f"probability {probability:.2f} for {evidence.name.text!r}: {reasons}"
        if not is_right:
            return Judgment("incorrect", rules.BY_GRADING_MODEL, (), 1, reading.excerpt, why, probability=probability)
        answer = reading.answer_text
        matched = tuple(dict.fromkeys(reading.right_names[name] for name in reading.verbatim_names)) or (
            reading.right_names[evidence.name],
        )
        return Judgment("correct", rules.BY_GRADING_MODEL, matched, 0, answer, why, probability=probability)
