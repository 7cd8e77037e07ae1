"""Fourth stage: the probability that the words around a pair express a relation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import exp

import msgspec

from factprobe.claims.coreference import POSSESSIVE_PRONOUNS
from factprobe.claims.pairs import Pair, Sentence
from factprobe.claims.wordings import AFTER, BEFORE, CLASSES, POSSESSIVE
from factprobe.reading.language import FOLDER

_WEIGHTS = FOLDER / "en" / "relation_weights.json"
_GAP = (*CLASSES[1:], "unknown name", "other name", "rival")
_MOST = 3
"""Maximal count of words of one class; higher counts are cut off."""
FEATURES = (
    *("bias", "label", "said", "learned", "log-odds", "exact", "exact learned"),
    *("cue before", "cue behind", "moved", "same link", "flipped", "several keys", "spread"),
    *(f"{kind} {place} {name}" for kind in ("own", "learned") for place in ("inner", "outer") for name in _GAP),
    *("pronoun", "surname named before", "surname alone", "object no name", "misfit"),
    *("into brackets", "out of brackets", "of what it has", "marks alone", "ambiguous"),
)
"""Names of the features of a pair; all values are at least 0."""


@cache
def shipped_weights() -> dict[str, float]:
    """Return the weight of each feature, as learned by `benchmarks/train_claims.py`."""
    return msgspec.json.decode(_WEIGHTS.read_bytes(), type=dict[str, float])


def features(sentence: Sentence, pair: Pair, misfits: int = 0) -> list[float]:
    """Return the features of a pair.

    Args:
        sentence: Sentence of the pair.
        pair: Two mentions and a cue.
        misfits: Number of its mentions that do not fit the relation by their facts or types.
    """
    cue, subject, object_ = pair.cue, sentence.mentions[pair.subject], sentence.mentions[pair.object]
    places = sentence.places[pair.subject], sentence.places[pair.object]
    depth = sentence.depths[places[1]] - sentence.depths[places[0]]
    is_learned = cue.source == "learned"
    gaps = [min(count, _MOST) for count in (*pair.inner, *pair.outer)]
    nothing = [0] * len(gaps)
    spread = pair.last - pair.first + 1 - len(cue.keys) if cue.keys and not pair.is_exact else 0
    return [
        *(1.0, cue.source == "label", cue.source == "said", is_learned, cue.weight),
        *(pair.is_exact and not is_learned, pair.is_exact and is_learned),
        *(pair.zone == BEFORE, pair.zone == AFTER, pair.zone != cue.zone),
        *(pair.link == "same", pair.is_flipped, min(max(len(cue.keys) - 1, 0), 2), min(spread, 3)),
        *(nothing + gaps if is_learned else gaps + nothing),
        *(subject.kind == "pronoun", subject.kind == "surname" and subject.name != ""),
        subject.kind == "surname" and not subject.name,
        *(object_.kind in ("pronoun", "surname", "noun"), misfits),
        *(depth > 0, depth < 0, _has(sentence, pair), not any(map(str.isalpha, "".join(cue.keys)))),
        len(subject.uris) > 1,
    ]


def _has(sentence: Sentence, pair: Pair) -> bool:
    """Return whether the relation may be that of something the subject possesses (his wife was born in)."""
    subject, place = sentence.mentions[pair.subject], sentence.places[pair.subject]
    is_owner = sentence.keys[place + 1 : place + 2] == [POSSESSIVE] or (
        subject.kind == "pronoun" and sentence.text[subject.start : subject.end].lower() in POSSESSIVE_PRONOUNS
    )
    return is_owner and pair.first - place > 1 + (sentence.keys[place + 1 : place + 2] == [POSSESSIVE])


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
