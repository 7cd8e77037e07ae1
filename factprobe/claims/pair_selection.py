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
    scored = [one for one in every if one.score >= threshold]
    if not scored:
        return []
    scored.sort(key=lambda one: (-one.score, *_rank(facts, sentence, one.pair)))
    taken = _Taken(sentence, facts)
    for one in scored:
        if taken.allows(one.pair):
            taken.add(one)
    return sorted(taken.every, key=lambda one: (one.pair.subject, one.pair.object))


def _rank(facts: GraphFacts, sentence: Sentence, pair: Pair) -> tuple[bool, int]:
    """Return the rank among equally likely pairs: relations that the subject has in the graph come first."""
    uris = sentence.mentions[pair.subject].uris
    return not any(facts.partners(pair.cue.relation, uri, "subject") for uri in uris), pair.subject


class _Taken:
    """Selected candidates of a sentence, which are compatible with each other.

    They are indexed by the keys that incompatible pairs share, so that the time per candidate does not depend on the
    length of the sentence.
    """

    def __init__(self, sentence: Sentence, facts: GraphFacts) -> None:
        self.every: list[ScoredPair] = []
        self._sentence, self._facts = sentence, facts
        self._by_key: dict[tuple[object, ...], list[ScoredPair]] = {}

    def add(self, one: ScoredPair) -> None:
        """Add a candidate to the selection."""
        self.every.append(one)
        for key in self._rivalries(one.pair):
            self._by_key.setdefault(key, []).append(one)

    def allows(self, one: Pair) -> bool:
        """Return whether a pair is compatible with all selected ones."""
        rivalries = self._rivalries(one)
        if next(rivalries) in self._by_key:
            return False
        others = (other.pair for key in rivalries for other in self._by_key.get(key, ()))
        return all(self._are_in_list(one, other) for other in others)

    def _rivalries(self, one: Pair) -> Iterator[tuple[object, ...]]:
        """Yield keys for which only one pair, or the pairs of one list, may be selected.

        They are both mentions, the cue, and the subject of a relation with one object.
        """
        relation = one.cue.relation
        yield min(one.subject, one.object), max(one.subject, one.object)
        yield relation, one.first, one.last
        uris = self._sentence.mentions[one.subject].uris
        if uris and self._facts.relations[relation].type in ("1-1", "N-1"):
            yield relation, uris

    def _are_in_list(self, one: Pair, other: Pair) -> bool:
        """Return whether two pairs of a relation differ only in members of one list."""
        if (one.first, one.last) != (other.first, other.last) and not other.is_exact:
            return False
        chains = self._sentence.chains
        if one.subject == other.subject:
            return one.object != other.object and chains[one.object] == chains[other.object]
        return one.object == other.object and chains[one.subject] == chains[other.subject]
