"""Analysis of a reply to a question with one answer."""

from __future__ import annotations

from factprobe.evaluators.entities.attempt import AttemptReading
from factprobe.evaluators.entities.features import FEATURES
from factprobe.lazy import lazy
from factprobe.reading.assertion import AssertionCue, Status, cues_in
from factprobe.reading.names.name_tables import NameMention
from factprobe.reading.tokenisation.tokens import common_keys
from factprobe.reading.values.value_parsing import has_other_unit
from factprobe.records import Answer
from factprobe.trees import Prediction, TreeEnsemble, load_trees


class SingleReading(AttemptReading, frozen=True):
    """Lazily computed analysis of a reply to a question with one answer."""

    @lazy
    def statuses(self) -> list[Status]:
        """Status of each mention; former names, bounds and names outside an announced answer are denied."""
        found, text, keys = super().statuses, self.text, self.tokens.keys
        if self.is_bare or not self.mentions:
            return found
        cues = cues_in(self.tokens, self.asked_keys, of_relation=True)
        last = max((cue.end for cue in cues if cue.kind == "answers"), default=len(text))
        starts = (one.start for one, status in zip(self.mentions, found, strict=True) if status == "affirmed")
        told = {i for i in (*starts, *self.capitals) if i >= last and text.sentences[i] == text.sentences[last]}
        is_open = not told or any(cue.start > last and cue.kind in ("corrects", "contrast") for cue in cues)
        dated = any(value.year is not None for values in self.values.values() for value in values)

        def qualifies(cue: AssertionCue, i: int) -> bool:
            is_former = cue.kind == "past" and text.depth[i] > 0 and text.items[cue.start] == text.items[i]
            return is_former or (cue.kind == "bounds" and dated and common_keys().issuperset(keys[cue.end : i]))

        denied = {i for one in self.mentions for cue in cues if cue.end <= (i := one.start) and qualifies(cue, i)}
        denied |= set() if is_open else {one.start for one in self.mentions} - told
        return ["denied" if one.start in denied else status for one, status in zip(self.mentions, found, strict=True)]

    def may_be(self, answer: Answer, name: str) -> bool:
        """Return whether the reply, which is a name of an answer but for its form, has no other unit or owner."""
        bearers = self.side.names.bearers(self.flat)
        is_other = len(bearers) > 1 and answer.uri not in self.side.with_exact_spelling(bearers, self.reply)
        return not (is_other or has_other_unit(self.reply, name))

    @lazy
    def others(self) -> list[NameMention]:
        """Affirmed mentions of entities that are neither right answers nor the places that contain them."""
        affirmed = {one.start for one in self.affirmed}
        return [one for one in self.other_mentions if one.start in affirmed]

    @property
    def matched(self) -> tuple[str, ...]:
        """URIs of the right answers that the reply names."""
        return tuple(sorted(self.right.intersection([uri for one in self.right_mentions for uri in one.uris])))

    @property
    def wrong(self) -> int:
        """Number of affirmed wrong answers, at least 1."""
        return max(len({one.uris or self.span(one.start, one.end) for one in self.others}), 1)

    @property
    def is_bare(self) -> bool:
        """True if the reply has names of right answers, and no other names, cues, or new content words."""
        return not self.new and not self.cues and 0 < len(self.mentions) == len(self.right_mentions)

    @lazy
    def commits(self) -> bool:
        """True if the reply commits to the right answer and to no other."""
        if not self.right_mentions or self.is_bare:
            return bool(self.right_mentions)
        return self.prediction.probability >= _model().thresholds["balanced"]

    @lazy
    def prediction(self) -> Prediction:
        """Prediction of the model for a reply that names a right answer."""
        return _model().predict(self.vector)

    @property
    def reasons(self) -> str:
        """Predicted probability, with the features that contribute most to it."""
        reasons = _model().explain(self.prediction, self.vector, FEATURES.values())
        return f"probability {self.prediction.probability:.2f}: {reasons}"


def _model() -> TreeEnsemble:
    return load_trees("factprobe.evaluators.single", tuple(FEATURES))
