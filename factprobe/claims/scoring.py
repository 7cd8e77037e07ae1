"""Fourth stage: the probability that the words around a pair express a relation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import exp

import msgspec

from factprobe.claims.pairs import Gap, Pair, Sentence
from factprobe.claims.wordings import BEFORE
from factprobe.reading.language import FOLDER

_WEIGHTS = FOLDER / "en" / "relation_weights.json"
_MOST = 3
"""Maximal count of words of one class; higher counts are cut off."""
FEATURES = (
    *("bias", "label", "said", "learned", "log-odds", "exact learned", "cue before", "same link", "spread"),
    *("own inner verb", "own inner rival", "own outer preposition", "own outer name"),
    *("learned inner preposition", "learned inner rival", "learned outer preposition", "learned outer name"),
    *("pronoun", "surname alone", "misfit"),
)
"""Names of the features of a pair; all values are at least 0."""


@cache
def shipped_weights() -> dict[str, float]:
    """Return the weight of each feature, as learned by `benchmarks/train_claims.py`."""
    return msgspec.json.decode(_WEIGHTS.read_bytes(), type=dict[str, float])


def features(sentence: Sentence, pair: Pair) -> list[float]:
    """Return the features of a pair in its sentence."""
    cue, subject = pair.cue, sentence.mentions[pair.subject]
    is_learned = cue.source == "learned"
    spread = pair.last - pair.first + 1 - len(cue.keys) if cue.keys and not pair.is_exact else 0
    inner, outer = (Gap(*[min(count, _MOST) for count in gap]) for gap in (pair.inner, pair.outer))
    own = inner.verbs, inner.rivals, outer.prepositions, outer.names
    learned = inner.prepositions, inner.rivals, outer.prepositions, outer.names
    return [
        *(1.0, cue.source == "label", cue.source == "said", is_learned, cue.weight),
        *(pair.is_exact and is_learned, pair.zone == BEFORE, pair.link == "same", min(spread, _MOST)),
        *((0, 0, 0, 0, *learned) if is_learned else (*own, 0, 0, 0, 0)),
        *(subject.kind == "pronoun", subject.kind == "surname" and not subject.name, pair.misfits),
    ]


class RelationScorer:
    """Logistic model over the features of a pair.

    Args:
        weights: Weight of each feature; by default the shipped ones.
    """

    def __init__(self, weights: dict[str, float] | None = None) -> None:
        known = shipped_weights() if weights is None else weights
        self._weights = [known.get(name, 0.0) for name in FEATURES]

    def score(self, values: Sequence[float]) -> float:
        """Return the probability that the words express the relation, from 0 to 1."""
        total = sum(weight * value for weight, value in zip(self._weights, values, strict=True) if value)
        return 1 / (1 + exp(-max(min(total, 30.0), -30.0)))
