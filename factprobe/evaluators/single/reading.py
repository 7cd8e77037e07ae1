"""Reading of a reply to a question that has one answer."""

from __future__ import annotations

from factprobe.evaluators.entities.features import FEATURES
from factprobe.evaluators.entities.reading import EntityReading
from factprobe.reading.names.tables import Mention
from factprobe.reading.once import once
from factprobe.trees import Prediction, TreeEnsemble, load_trees

_PHRASES = tuple(FEATURES.values())


class SingleReading(EntityReading, frozen=True):
    """A reply to a question that has one answer."""

    @once
    def others(self) -> list[Mention]:
        """Affirmed mentions of other entities than the right one and the place where it lies."""
        affirmed = {one.start for one in self.affirmed}
        return [one for one in self.other_mentions if one.start in affirmed]

    @property
    def matched(self) -> tuple[str, ...]:
        """URIs of the right answers that are named."""
        return tuple(sorted(self.right.intersection([uri for one in self.right_mentions for uri in one.uris])))

    @property
    def wrong(self) -> int:
        """Number of wrong answers that are affirmed, at least 1."""
        return max(len({one.uris or self.span(one.start, one.end) for one in self.others}), 1)

    @property
    def is_bare(self) -> bool:
        """Whether the reply names right answers with no other name, cue, or word that the question lacks."""
        return not self.new and not self.cues and 0 < len(self.mentions) == len(self.right_mentions)

    @once
    def commits(self) -> bool:
        """Whether the reply commits to the right answer and to no other."""
        if not self.right_mentions or self.is_bare:
            return bool(self.right_mentions)
        return self.prediction.probability >= _model().thresholds["balanced"]

    @once
    def prediction(self) -> Prediction:
        """Prediction of the model for a reply that names a right answer."""
        return _model().predict(self.vector)

    @property
    def reasons(self) -> str:
        """Probability with the features that contribute most to it."""
        found = [f"{_PHRASES[i]} {self.vector[i]:.3g} ({odds:+.1f})" for i, odds in _model().reasons(self.prediction)]
        return f"probability {self.prediction.probability:.2f}: {'; '.join(found)}"


def _model() -> TreeEnsemble:
    return load_trees("factprobe.evaluators.single", tuple(FEATURES))
