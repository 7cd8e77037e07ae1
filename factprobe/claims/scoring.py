"""Stages 5 and 6: score the pairs of a sentence, and select the most likely compatible ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from math import exp
from typing import NamedTuple

from factprobe.claims.fact_index import GraphFacts
from factprobe.claims.pairs import MentionPair, WordGap
from factprobe.claims.sentence import Sentence
from factprobe.claims.wordings import BEFORE

_MAX_COUNT = 3
"""Maximal count of words of one class; higher counts are cut off."""
FEATURES = (
    *("bias", "learned", "exact learned", "cue before", "same link", "spread"),
    *("own inner verb", "own inner rival", "own outer preposition", "own outer name"),
    *("learned inner preposition", "learned inner rival", "learned outer preposition", "learned outer name"),
    *("pronoun", "surname alone", "misfit"),
)
"""Names of the features of a pair; all values are at least 0, and the weights are in `relation_cues.json`.

"own" and "learned" say whose cue it is, "inner" and "outer" which gap; "exact": the cue is all that is between both
ends; "spread": number of other words within the cue. "same link" raises the probability most, an inner rival, an inner
verb and a misfit lower it most.
"""


class ScoredPair(NamedTuple):
    """Pair with the probability that its words express the relation."""

    score: float
    pair: MentionPair


def features(sentence: Sentence, pair: MentionPair) -> list[float]:
    """Return the features of a pair in its sentence."""
    cue, subject = pair.cue, sentence.mentions[pair.subject]
    is_learned = cue.is_learned
    skipped = pair.last - pair.first + 1 - len(cue.keys) if cue.keys and not pair.is_whole else 0
    inner, outer = (WordGap(*[min(count, _MAX_COUNT) for count in gap]) for gap in (pair.inner, pair.outer))
    own = inner.verbs, inner.rivals, outer.prepositions, outer.names
    learned = inner.prepositions, inner.rivals, outer.prepositions, outer.names
    return [
        *(1.0, is_learned, pair.is_whole and is_learned),
        *(pair.zone == BEFORE, pair.link == "same", min(skipped, _MAX_COUNT)),
        *((0, 0, 0, 0, *learned) if is_learned else (*own, 0, 0, 0, 0)),
        *(subject.kind == "pronoun", subject.kind == "surname" and not subject.name, pair.has_misfit),
    ]


def score_pair(sentence: Sentence, pair: MentionPair, weights: Mapping[str, float]) -> ScoredPair:
    """Return a pair with its probability by a logistic model, in which features without a weight have the weight 0."""
    values = zip(FEATURES, features(sentence, pair), strict=True)
    return ScoredPair(1 / (1 + exp(-sum(weights.get(name, 0.0) * value for name, value in values if value))), pair)


def choose(facts: GraphFacts, sentence: Sentence, scored: Sequence[ScoredPair], threshold: float) -> list[ScoredPair]:
    """Return compatible pairs of a sentence that reach a threshold, in the order of the text.

    Whole wordings of the graph come first, then the most likely pairs; a whole wording below the threshold is left out,
    and so is what is incompatible with it.
    """
    chosen: list[ScoredPair] = []
    taken: dict[tuple[object, ...], list[MentionPair]] = {}
    likely = [candidate for candidate in scored if candidate.score >= threshold or _is_own_whole(candidate.pair)]
    for candidate in sorted(likely, key=lambda candidate: (not _is_own_whole(candidate.pair), -candidate.score)):
        pair = candidate.pair
        keys = list(_exclusive_keys(facts, sentence, pair))
        rivals = (other for key in keys for other in taken.get(key, ()))
        if all(_are_in_list(sentence.list_starts, pair, rival) for rival in rivals):
            chosen.append(candidate)
            for key in keys:
                taken.setdefault(key, []).append(pair)
    certain = (candidate for candidate in chosen if candidate.score >= threshold)
    return sorted(certain, key=lambda candidate: (candidate.pair.subject, candidate.pair.object))


def _is_own_whole(pair: MentionPair) -> bool:
    """Return whether the words are a whole wording of the graph, which precedes parts of other wordings."""
    return pair.is_whole and not pair.cue.is_learned


def _exclusive_keys(facts: GraphFacts, sentence: Sentence, pair: MentionPair) -> Iterator[tuple[object, ...]]:
    """Yield what only one pair, or the pairs of one list, may have.

    It is both mentions, each word of the cue or whole wording in this relation, and the subject if the relation has one
    object.
    """
    relation = pair.cue.relation
    yield min(pair.subject, pair.object), max(pair.subject, pair.object)
    for token in range(pair.first, pair.last + 1):
        yield relation, token
    if _is_own_whole(pair) and pair.cue.whole:
        before, _, after = pair.cue.whole
        start, end = sorted((sentence.positions[pair.subject], sentence.positions[pair.object]))
        for token in chain(range(start - len(before), start), range(end + 1, end + 1 + len(after))):
            yield relation, token
    uris = sentence.mentions[pair.subject].uris
    if uris and facts.relations[relation].type in ("1-1", "N-1"):
        yield relation, uris


def _are_in_list(list_starts: Sequence[int], pair: MentionPair, selected: MentionPair) -> bool:
    """Return whether two pairs of a relation differ only in members of one list: France borders Spain and Italy."""
    # a whole wording has more words than its cue: a cue in it joins further members of a list of the wording
    if (pair.first, pair.last) != (selected.first, selected.last) and not selected.is_whole:
        return False
    if pair.subject == selected.subject:
        return pair.object != selected.object and list_starts[pair.object] == list_starts[selected.object]
    return pair.object == selected.object and list_starts[pair.subject] == list_starts[selected.subject]
