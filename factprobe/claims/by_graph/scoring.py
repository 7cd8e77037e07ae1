"""Stages 5 and 6: score the pairs of a sentence by a logistic model, and select the most likely compatible ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from math import exp
from typing import NamedTuple

from factprobe.claims.by_graph.cues import BEFORE
from factprobe.claims.by_graph.fact_index import GraphFacts
from factprobe.claims.by_graph.pairs import MentionPair
from factprobe.claims.by_graph.sentence import Sentence

_MAX_COUNT = 3
"""Maximal count of words of one class; higher counts are cut off."""
FEATURES = {
    "bias": 2.3,
    "cue before": -0.5,
    "same link": 0.7,
    "pronoun": -0.8,
    "surname alone": -1.4,
    "misfit": -1.7,
    "own inner verb": -1.4,  # "own": of a cue of the graph; "inner", "outer": in which gap
    "own inner rival": -4.2,
    "own outer preposition": -0.2,
    "own outer name": -0.3,
    "learned": -0.9,
    "exact learned": -1.0,  # a learned cue that is all that is between both ends
    "learned inner preposition": -0.2,
    "learned inner rival": -1.2,
    "learned outer preposition": -0.2,
    "learned outer name": -0.3,
}
"""Features of a pair, with rounded weights, those in `relation_cues.json`; all values are at least 0."""


class ScoredPair(NamedTuple):
    """Pair with the probability that its words express the relation."""

    score: float
    pair: MentionPair


def features(sentence: Sentence, pair: MentionPair) -> dict[str, float]:
    """Return the features of a pair in its sentence; those that are missing are 0."""
    cue, subject = pair.cue, sentence.mentions[pair.subject]
    whose = "learned" if cue.is_learned else "own"
    kind, count = ("preposition", pair.inner.prepositions) if cue.is_learned else ("verb", pair.inner.verbs)
    counts = {
        f"{whose} inner {kind}": count,
        f"{whose} inner rival": pair.inner.rivals,
        f"{whose} outer preposition": pair.outer.prepositions,
        f"{whose} outer name": pair.outer.names,
    }
    return {
        **{name: min(count, _MAX_COUNT) for name, count in counts.items() if count},
        "bias": 1,
        "learned": cue.is_learned,
        "exact learned": cue.is_learned and pair.is_whole,
        "cue before": pair.zone == BEFORE,
        "same link": pair.agrees,
        "pronoun": subject.kind == "pronoun",
        "surname alone": subject.kind == "surname" and not subject.name,
        "misfit": pair.has_misfit,
    }


def score_pair(sentence: Sentence, pair: MentionPair, weights: Mapping[str, float]) -> ScoredPair:
    """Return a pair with its probability by a logistic model, in which features without a weight have the weight 0."""
    values = features(sentence, pair).items()
    return ScoredPair(1 / (1 + exp(-sum([weights.get(name, 0.0) * value for name, value in values if value]))), pair)


def select(facts: GraphFacts, sentence: Sentence, scored: Sequence[ScoredPair], threshold: float) -> list[ScoredPair]:
    """Return compatible pairs of a sentence that reach a threshold, in the order of the text.

    Whole wordings of the graph come first, then the most likely pairs; a whole wording below the threshold is left out,
    and so is what is incompatible with it. A word serves one pair of a relation, or the pairs of lists: "Bach and Liszt
    died in Paris" makes two claims.
    """
    likely = [candidate for candidate in scored if candidate.score >= threshold or _is_own_whole(candidate.pair)]
    selected: list[ScoredPair] = []
    taken: dict[tuple[object, ...], list[MentionPair]] = {}
    for candidate in sorted(likely, key=lambda candidate: (not _is_own_whole(candidate.pair), -candidate.score)):
        pair = candidate.pair
        keys = list(_exclusive_keys(facts, sentence, pair))
        rivals = (other for key in keys for other in taken.get(key, ()))
        is_alone = all(_are_parallel(sentence, pair, rival) for rival in rivals)
        if is_alone and not _is_crosswise(facts, sentence, pair):
            selected.append(candidate)
            for key in keys:
                taken.setdefault(key, []).append(pair)
    certain = (candidate for candidate in selected if candidate.score >= threshold)
    return sorted(certain, key=lambda candidate: (candidate.pair.subject, candidate.pair.object))


def _is_own_whole(pair: MentionPair) -> bool:
    """Return whether the words are a whole wording of the graph, which precedes parts of other wordings."""
    return pair.is_whole and not pair.cue.is_learned


def _is_crosswise(facts: GraphFacts, sentence: Sentence, pair: MentionPair) -> bool:
    """Return whether a pair joins different positions of two lists, and an end of its relation is unique.

    In "Rome and Paris are the capitals of Italy and France" Rome is the capital of Italy only.
    """
    subjects, objects = sentence.lists[pair.subject], sentence.lists[pair.object]
    are_paired = len(subjects) == len(objects) > 1 and facts.relations[pair.cue.relation].type != "N-M"
    return are_paired and pair.subject - subjects.start != pair.object - objects.start


def _exclusive_keys(facts: GraphFacts, sentence: Sentence, pair: MentionPair) -> Iterator[tuple[object, ...]]:
    """Yield keys that only one pair, or the pairs of its lists, may have.

    They are both mentions; the relation with each word of the cue, or of the whole wording, in the clause; and the
    subject if the relation has one object.
    """
    relation = pair.cue.relation
    start, end = sorted((pair.subject, pair.object))
    yield start, end
    if not pair.is_gapped:
        yield from ((relation, token) for token in range(pair.first, pair.last + 1))
        if _is_own_whole(pair) and pair.cue.whole:
            before, _, after, _ = pair.cue.whole
            start, end = sentence.positions[start], sentence.positions[end] + 1
            around = chain(range(start - len(before), start), range(end, end + len(after)))
            yield from ((relation, token) for token in around)
    uris = sentence.mentions[pair.subject].uris
    if uris and facts.relations[relation].type in ("1-1", "N-1"):
        yield relation, uris


def _are_parallel(sentence: Sentence, pair: MentionPair, selected: MentionPair) -> bool:
    """Return whether two pairs of a relation differ only in members of lists: France borders Spain and Italy.

    Words about a possessor do not apply to other members ("Spain and Portugal, whose capital is Lisbon"). A word cue
    inside an already selected whole wording may add members of its lists.
    """
    lists = sentence.lists
    if any(map(sentence.is_owner, {pair.subject, pair.object} ^ {selected.subject, selected.object})):
        return False
    are_listed = lists[pair.subject] == lists[selected.subject] and lists[pair.object] == lists[selected.object]
    return are_listed and {pair.subject, pair.object} != {selected.subject, selected.object}
