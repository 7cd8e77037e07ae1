"""Fourth stage: score the pairs of a sentence, and select the compatible ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import exp
from typing import NamedTuple

from factprobe.claims.fact_index import GraphFacts
from factprobe.claims.pairs import Gap, Pair, Sentence
from factprobe.claims.wordings import BEFORE

_MOST = 3
"""Maximal count of words of one class; higher counts are cut off."""
FEATURES = (
    *("bias", "learned", "exact learned", "cue before", "same link", "spread"),
    *("own inner verb", "own inner rival", "own outer preposition", "own outer name"),
    *("learned inner preposition", "learned inner rival", "learned outer preposition", "learned outer name"),
    *("pronoun", "surname alone", "misfit"),
)
"""Names of the features of a pair; all values are at least 0."""


class ScoredPair(NamedTuple):
    """Pair with the probability that its words express the relation."""

    score: float
    pair: Pair


def features(sentence: Sentence, pair: Pair) -> list[float]:
    """Return the features of a pair in its sentence."""
    cue, subject = pair.cue, sentence.mentions[pair.subject]
    is_learned = cue.is_learned
    spread = pair.last - pair.first + 1 - len(cue.keys) if cue.keys and not pair.is_exact else 0
    inner, outer = (Gap(*[min(count, _MOST) for count in gap]) for gap in (pair.inner, pair.outer))
    own = inner.verbs, inner.rivals, outer.prepositions, outer.names
    learned = inner.prepositions, inner.rivals, outer.prepositions, outer.names
    return [
        *(1.0, is_learned, pair.is_exact and is_learned, pair.zone == BEFORE, pair.link == "same", min(spread, _MOST)),
        *((0, 0, 0, 0, *learned) if is_learned else (*own, 0, 0, 0, 0)),
        *(subject.kind == "pronoun", subject.kind == "surname" and not subject.name, not pair.is_fitting),
    ]


def score(sentence: Sentence, pair: Pair, weights: Mapping[str, float]) -> ScoredPair:
    """Return a pair with the probability, by a logistic model, that its words express the relation.

    Args:
        sentence: Sentence of the pair.
        pair: Pair.
        weights: Weight of each feature; 0 if it is missing.
    """
    values = zip(FEATURES, features(sentence, pair), strict=True)
    return ScoredPair(1 / (1 + exp(-sum(weights.get(name, 0.0) * value for name, value in values if value))), pair)


def choose(facts: GraphFacts, sentence: Sentence, every: Sequence[ScoredPair], threshold: float) -> list[ScoredPair]:
    """Return the best compatible candidates above a threshold, in the order of the text.

    Args:
        facts: Facts of the graph.
        sentence: Sentence of the candidates.
        every: All candidates.
        threshold: Minimal score.
    """
    chosen: list[ScoredPair] = []
    taken: dict[tuple[object, ...], list[Pair]] = {}
    for one in sorted((one for one in every if one.score >= threshold), key=lambda one: -one.score):
        keys = list(_rivalries(facts, sentence, one.pair))
        rivals = (other for key in keys for other in taken.get(key, ()))
        if all(_are_in_list(sentence.chains, one.pair, other) for other in rivals):
            chosen.append(one)
            for key in keys:
                taken.setdefault(key, []).append(one.pair)
    return sorted(chosen, key=lambda one: (one.pair.subject, one.pair.object))


def _rivalries(facts: GraphFacts, sentence: Sentence, one: Pair) -> Iterator[tuple[object, ...]]:
    """Yield keys for which only one pair, or the pairs of one list, may be selected.

    They are both mentions, the cue, and the subject of a relation with one object.
    """
    relation = one.cue.relation
    yield min(one.subject, one.object), max(one.subject, one.object)
    yield relation, one.first, one.last
    uris = sentence.mentions[one.subject].uris
    if uris and facts.relations[relation].type in ("1-1", "N-1"):
        yield relation, uris


def _are_in_list(chains: Sequence[int], one: Pair, other: Pair) -> bool:
    """Return whether two pairs of a relation differ only in members of one list."""
    if (one.first, one.last) != (other.first, other.last) and not other.is_exact:
        return False
    if one.subject == other.subject:
        return one.object != other.object and chains[one.object] == chains[other.object]
    return one.object == other.object and chains[one.subject] == chains[other.subject]
