"""Analysis of a reply to a question with one answer."""

from __future__ import annotations

from factprobe.evaluators.entities.attempt import AttemptReading
from factprobe.evaluators.entities.features import FEATURES
from factprobe.lazy import lazy
from factprobe.reading.assertion import Status, cues_in, is_bound, rarest_stems
from factprobe.reading.names.name_tables import NameMention
from factprobe.trees import Prediction, TreeEnsemble, load_trees

_ESTIMATE = 1000
"""Divisor of round numbers; a bound on such a number is an estimate ("over 5,000")."""


class SingleReading(AttemptReading, frozen=True):
    """Analysis of a reply to a question with one answer."""

    @lazy
    def statuses(self) -> list[Status]:
        """Assertion status of each mention.

        Limits of a date or exact number (`before 1900`) count as denied. If a phrase such as `the answer is` introduces
        a name, so do all names that do not follow the phrase in its sentence.
        """
        usual, text = super().statuses, self.text
        if self.is_bare or not self.mentions or rarest_stems("answers", "bounds").isdisjoint(self.tokens.keys):
            return usual
        cues = cues_in(self.tokens, self.asked_keys, of_relation=True)
        last = max((cue.end for cue in cues if cue.kind == "answers"), default=len(text))
        starts = (one.start for one, status in zip(self.mentions, usual, strict=True) if status == "affirmed")
        announced = {i for i in (*starts, *self.capitals) if i >= last and text.sentences[i] == text.sentences[last]}
        is_taken_back = any(cue.start > last and cue.kind in ("corrects", "contrast") for cue in cues)
        denied = {one.start for one in self.mentions if announced and not is_taken_back} - announced
        rights = [value for values in self.values.values() for value in values]
        if any(value.year is not None or (value.number or 0) % _ESTIMATE for value in rights):
            denied |= {one.start for one in self.mentions if is_bound(self.tokens, (one.start, one.end), cues)}
        return ["denied" if one.start in denied else status for one, status in zip(self.mentions, usual, strict=True)]

    @lazy
    def exact_bearers(self) -> frozenset[str]:
        """URIs of the entities that the whole reply may name, those with its exact spelling if there are any."""
        return self.side.with_exact_spelling(self.side.names.bearers(self.flat) | self.right, self.reply)

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
