"""Fifth stage: select the compatible pairs of a sentence by score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from factprobe.claims.fact_index import GraphFacts
from factprobe.claims.pairs import Pair, Sentence


class ScoredPair(NamedTuple):
    """Pair with the probability that its words express the relation."""

    score: float
    pair: Pair
    values: Sequence[float]
    """Features of the pair."""


def choose(facts: GraphFacts, sentence: Sentence, every: Sequence[ScoredPair], threshold: float) -> list[ScoredPair]:
    """Return the best compatible candidates above a threshold, in the order of the text.

    Args:
        facts: Facts of the graph.
        sentence: Sentence of the candidates.
        every: All candidates.
        threshold: Minimal score.
    """
    likely = sorted((one for one in every if one.score >= threshold), key=lambda one: -one.score)
    chosen: list[ScoredPair] = []
    taken: dict[tuple[object, ...], list[Pair]] = {}
    for one in likely:
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
