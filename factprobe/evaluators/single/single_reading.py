"""Analysis of a reply to a question with one answer."""

from __future__ import annotations

from factprobe.evaluators.entities.entity_reading import EntityReading
from factprobe.evaluators.entities.features import FEATURES
from factprobe.lazy import lazy
from factprobe.reading.assertion import Status, cues_in, is_bound
from factprobe.reading.names.name_tables import NameMention
from factprobe.reading.values.value_parsing import has_other_unit
from factprobe.records import Answer
from factprobe.trees import Prediction, TreeEnsemble, load_trees

_ESTIMATE = 1000
"""Divisor of round numbers; a bound on such a number is an estimate ("over 5,000")."""


class SingleReading(EntityReading, frozen=True):
    """Analysis of a reply to a question with one answer."""

    @lazy
    def statuses(self) -> list[Status]:
        """Assertion status of each mention; limits of a date or exact number (`before 1900`) count as denied."""
        usual, rights = super().statuses, [value for values in self.values.values() for value in values]
        if not any(value.year is not None or (value.number or 0) % _ESTIMATE for value in rights):
            return usual
        cues = cues_in(self.tokens, self.asked_keys, of_relation=True)
        bounds = [is_bound(self.tokens, (name.start, name.end), cues) for name in self.mentions]
        return ["denied" if is_limit else status for is_limit, status in zip(bounds, usual, strict=True)]

    def agrees_in_unit_and_case(self, answer: Answer, name: str) -> bool:
        """Return whether a reply that equals a name of an answer after normalisation may mean this answer.

        It cannot if its unit differs, or if another entity has this exact spelling.
        """
        bearers = self.side.names.bearers(self.flat)
        is_other = len(bearers) > 1 and answer.uri not in self.side.with_exact_spelling(bearers, self.reply)
        return not (is_other or has_other_unit(self.reply, name))

    @lazy
    def others(self) -> list[NameMention]:
        """Affirmed mentions of entities that are neither right answers nor their state or country."""
        affirmed = {mention.start for mention in self.affirmed}
        return [mention for mention in self.other_mentions if mention.start in affirmed]

    @property
    def matched(self) -> tuple[str, ...]:
        """URIs of the right answers that the reply names."""
        return tuple(sorted(self.right.intersection([uri for mention in self.right_mentions for uri in mention.uris])))

    @property
    def wrong(self) -> int:
        """Number of affirmed wrong answers, at least 1."""
        return max(len({mention.uris or self.span(mention.start, mention.end) for mention in self.others}), 1)

    @property
    def is_bare(self) -> bool:
        """True if the reply has only names of right answers, words of the question, and words without content."""
        return not self.new and not self.cues and 0 < len(self.mentions) == len(self.right_mentions)

    @lazy
    def commits(self) -> bool:
        """True if the reply commits to the right answer and no other; the grading model decides unless it `is_bare`."""
        if not self.right_mentions or self.is_bare:
            return bool(self.right_mentions)
        return self.prediction.probability >= _model().thresholds["balanced"]

    @lazy
    def prediction(self) -> Prediction:
        """Prediction of the grading model; the reply has to name a right answer."""
        return _model().predict(self.vector)

    @property
    def reasons(self) -> str:
        """Text with the predicted probability and the features that contribute most to it."""
        reasons = _model().explain(self.vector, FEATURES.values())
        return f"probability {self.prediction.probability:.2f}: {reasons}"


def _model() -> TreeEnsemble:
    return load_trees("factprobe.evaluators.single", tuple(FEATURES))
