"""Stages 5 and 6: scores of pairs of mentions by a logistic model, and selection of the likely, compatible pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import exp
from typing import NamedTuple

from factprobe.claims.by_graph.cues import BEFORE
from factprobe.claims.by_graph.fact_index import GraphFacts
from factprobe.claims.by_graph.pairs import MentionPair
from factprobe.claims.by_graph.sentence import Sentence

_MAX_COUNT = 3
"""Maximum value of a feature that counts words."""
FEATURES = {
    "bias": 2.0,
    "cue before": -0.3,
    "same link": 1.0,
    "pronoun": -0.7,
    "surname alone": -1.5,
    "misfit": -1.7,
    "rivals": -4.2,
    "names": -0.3,
    "prepositions": -0.3,
    "learned": -0.7,
    "learned exact": -1.3,  # a learned cue that is all that is between both ends
    "learned rivals": -1.5,
}
"""Features of a pair, all at least 0, with their rounded weights; `relation_cues.json` has the exact ones."""


class ScoredPair(NamedTuple):
    """Pair of mentions with the probability that the sentence states that the relation holds between them."""

    score: float
    pair: MentionPair


def features(sentence: Sentence, pair: MentionPair) -> dict[str, float]:
    """Return the features of a pair in its sentence; missing ones are 0."""
    subject, is_learned = sentence.mentions[pair.subject], pair.cue.is_learned
    return {
        "bias": 1,
        "cue before": pair.zone == BEFORE,
        "same link": pair.agrees,
        "pronoun": subject.kind == "pronoun",
        "surname alone": subject.kind == "surname" and not subject.name,
        "misfit": pair.has_misfit,
        "names": min(pair.names, _MAX_COUNT),
        "prepositions": min(pair.prepositions, _MAX_COUNT),
        "learned rivals" if is_learned else "rivals": min(pair.rivals, _MAX_COUNT),
        "learned": is_learned,
        "learned exact": is_learned and pair.is_whole,
    }


def score_pair(sentence: Sentence, pair: MentionPair, weights: Mapping[str, float]) -> ScoredPair:
    """Return a pair with its probability by a logistic model; features without a weight are ignored."""
    values = features(sentence, pair).items()
    return ScoredPair(1 / (1 + exp(-sum([weights.get(name, 0.0) * value for name, value in values if value]))), pair)


def select(facts: GraphFacts, sentence: Sentence, scored: Sequence[ScoredPair], threshold: float) -> list[ScoredPair]:
    """Return the compatible pairs of a sentence that reach a threshold, in the order of the text.

    Pairs with a whole wording of the graph are taken first, then the others by probability, each if it is compatible
    with those taken before; at the end, pairs below the threshold are dropped. The words of a cue serve one pair, or
    several if their mentions form lists: "Bach and Liszt died in Paris" makes two claims.
    """
    eligible = [candidate for candidate in scored if candidate.score >= threshold or _has_whole_wording(candidate.pair)]
    selected: list[ScoredPair] = []
    occupied_by: dict[tuple[object, ...], list[MentionPair]] = {}
    for candidate in sorted(eligible, key=lambda candidate: (not _has_whole_wording(candidate.pair), -candidate.score)):
        pair = candidate.pair
        occupied = list(_occupied(facts, sentence, pair))
        rivals = (other for part in occupied for other in occupied_by.get(part, ()))
        is_compatible = all(_are_parallel(sentence, pair, rival) for rival in rivals)
        if is_compatible and not _joins_other_positions(facts, sentence, pair):
            selected.append(candidate)
            for part in occupied:
                occupied_by.setdefault(part, []).append(pair)
    above_threshold = (candidate for candidate in selected if candidate.score >= threshold)
    return sorted(above_threshold, key=lambda candidate: (candidate.pair.subject, candidate.pair.object))


def _has_whole_wording(pair: MentionPair) -> bool:
    """Return whether a pair has a whole wording of the graph, and not a part of one or a learned cue."""
    return pair.is_whole and not pair.cue.is_learned


def _joins_other_positions(facts: GraphFacts, sentence: Sentence, pair: MentionPair) -> bool:
    """Return whether a pair joins different positions of two lists that correspond one to one.

    In "Rome and Paris are the capitals of Italy and France", Rome and France are such a pair. False for N-M relations.
    """
    subjects, objects = sentence.lists[pair.subject], sentence.lists[pair.object]
    are_paired = len(subjects) == len(objects) > 1 and facts.relations[pair.cue.relation].type != "N-M"
    return are_paired and pair.subject - subjects.start != pair.object - objects.start


def _occupied(facts: GraphFacts, sentence: Sentence, pair: MentionPair) -> Iterator[tuple[object, ...]]:
    """Yield what only one pair may use, unless the mentions of several pairs form lists.

    This is both mentions together; each word of the cue or whole wording, for the relation; and the subject, if
    subjects of the relation have one object.
    """
    relation = pair.cue.relation
    start, end = sorted((pair.subject, pair.object))
    yield start, end
    first, last = pair.first, pair.last
    if _has_whole_wording(pair) and pair.cue.whole:
        first = sentence.positions[start] - len(pair.cue.whole.before)
        last = sentence.positions[end] + len(pair.cue.whole.after)
    yield from ((relation, token) for token in range(first, last + 1))
    uris = sentence.mentions[pair.subject].uris
    if uris and facts.relations[relation].type in ("1-1", "N-1"):
        yield relation, uris


def _are_parallel(sentence: Sentence, pair: MentionPair, selected: MentionPair) -> bool:
    """Return whether two pairs differ only in members of lists: "France borders Spain and Italy"."""
    lists = sentence.lists
    are_listed = lists[pair.subject] == lists[selected.subject] and lists[pair.object] == lists[selected.object]
    return are_listed and {pair.subject, pair.object} != {selected.subject, selected.object}
