"""Fifth stage: of the scored pairs of a sentence those that go together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from factprobe.claims.facts import GraphFacts
from factprobe.claims.pairs import Pair, Sentence


class Candidate(NamedTuple):
    """A pair with the probability that its words express the relation."""

    score: float
    pair: Pair
    values: Sequence[float]
    """Features by which it is scored."""


def choose(facts: GraphFacts, sentence: Sentence, every: Sequence[Candidate], threshold: float) -> list[Candidate]:
    """Return the best candidates above a threshold that go together, in the order of the text.

    Args:
        facts: of the graph.
        sentence: of the candidates.
        every: all candidates.
        threshold: the least score.
    """
    scored = [one for one in every if one.score >= threshold]
    if not scored:
        return []
    scored.sort(key=lambda one: (-one.score, *_rank(facts, sentence, one.pair)))
    taken = _Taken(sentence, facts)
    for one in scored:
        if taken.allows(one.pair):
            taken.add(one)
    for one in every if sentence.has_lists else ():  # a member of a list is as likely as another one
        score = taken.score_of_mates(one.pair)
        if score and taken.allows(one.pair):
            taken.add(one._replace(score=score))
    return sorted(taken.every, key=lambda one: (one.pair.subject, one.pair.object))


def _rank(facts: GraphFacts, sentence: Sentence, pair: Pair) -> tuple[bool, int]:
    """Return the order of relations that are equally likely: first one that the subject has in the graph."""
    uris = sentence.mentions[pair.subject].uris
    return not any(facts.has(uri, pair.cue.relation, "subject") for uri in uris), pair.subject


class _Taken:
    """Candidates of a sentence that go together.

    They are kept by what two that bear on each other have in common, so that a long sentence takes no more time for
    each of them than a short one.
    """

    def __init__(self, sentence: Sentence, facts: GraphFacts) -> None:
        self.every: list[Candidate] = []
        self._sentence, self._facts = sentence, facts
        self._by_key: dict[tuple[object, ...], list[Candidate]] = {}

    def add(self, one: Candidate) -> None:
        """Take a candidate."""
        self.every.append(one)
        for key in (*self._rivalries(one.pair), *_ends(one.pair)):
            self._by_key.setdefault(key, []).append(one)

    def allows(self, one: Pair) -> bool:
        """Return whether a pair may be meant as well."""
        same, *rivalries = self._rivalries(one)
        others = (other.pair for key in rivalries for other in self._by_key.get(key, ()))
        return same not in self._by_key and all(self._are_in_list(one, other) for other in others)

    def score_of_mates(self, one: Pair) -> float:
        """Return the best score of those that differ from a pair in a member of a list alone; 0 if there are none."""
        others = (other for key in _ends(one) for other in self._by_key.get(key, ()))
        return max((other.score for other in others if self._are_in_list(one, other.pair)), default=0.0)

    def _rivalries(self, one: Pair) -> Iterator[tuple[object, ...]]:
        """Yield the two mentions, which have one relation, and what is for one pair of a relation, or one list."""
        relation = one.cue.relation
        yield min(one.subject, one.object), max(one.subject, one.object)
        yield relation, one.first, one.last
        uris = self._sentence.mentions[one.subject].uris
        if uris and self._facts.relations[relation].type in ("1-1", "N-1"):
            yield relation, uris

    def _are_in_list(self, one: Pair, other: Pair) -> bool:
        """Return whether two pairs of a relation differ in members of one list alone."""
        if (one.first, one.last) != (other.first, other.last) and not other.is_exact:
            return False
        chains = self._sentence.chains
        if one.subject == other.subject:
            return one.object != other.object and chains[one.object] == chains[other.object]
        return one.object == other.object and chains[one.subject] == chains[other.subject]


def _ends(one: Pair) -> tuple[tuple[object, ...], ...]:
    return (one.cue.relation, one.subject, "subject"), (one.cue.relation, one.object, "object")
