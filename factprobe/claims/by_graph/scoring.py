"""Stages 6 and 7: scores of pairs of mentions by a logistic model, and selection of the likely, compatible pairs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import exp

from msgspec.structs import replace

from factprobe.claims.by_graph.fact_index import GraphFacts
from factprobe.claims.by_graph.pairs import MentionPair
from factprobe.claims.by_graph.sentence import Sentence

_MAX_COUNT = 4
"""Maximum value of a feature that is a number of tokens."""
_WORD_OR_MARK, _PREPOSITION = re.compile("[wlxr,(.&]"), re.compile("[po]")


def features(sentence: Sentence, pair: MentionPair) -> dict[str, float]:
    """Return the features of a pair in its sentence, all at least 0; `relation_cues.json` has their weights."""
    subject = sentence.mentions[pair.subject]
    near_words = len(_WORD_OR_MARK.findall(sentence.shape[pair.near_gap]))
    far_prepositions = len(_PREPOSITION.findall(sentence.shape[pair.far_gap]))
    return {
        "bias": 1,
        "same link": pair.has_same_link,
        "pronoun": subject.kind == "pronoun",
        "surname alone": subject.kind == "surname" and not subject.name,
        "misfit": pair.has_misfit,
        "other zone": pair.zone != pair.cue.zone,
        "near words": min(near_words, _MAX_COUNT),
        "far prepositions": min(far_prepositions, _MAX_COUNT),
    }


def score_pair(sentence: Sentence, pair: MentionPair, weights: Mapping[str, float]) -> MentionPair:
    """Return a pair with its score, by a logistic model; features without a weight are ignored."""
    values = features(sentence, pair).items()
    logit = sum([weights.get(name, 0.0) * value for name, value in values if value])
    return replace(pair, score=1 / (1 + exp(-logit)))


def select(facts: GraphFacts, sentence: Sentence, scored: Sequence[MentionPair], threshold: float) -> list[MentionPair]:
    """Return the compatible pairs of a sentence that reach a threshold, in the order of the text.

    Whole wordings that are not learned are taken first, then the others by probability, each if it is compatible with
    those taken before. It is not with one that has the same two mentions, a word of its cue for the same relation, or
    the same subject, if that has only one object, unless they are members of lists: "Bach and Liszt died in Paris".
    """
    likely = (pair for pair in scored if pair.score >= threshold)
    selected: list[MentionPair] = []
    occupied_by: dict[tuple[object, ...], list[MentionPair]] = {}
    for pair in sorted(likely, key=lambda pair: (not pair.cue.is_given_wording, -pair.score)):
        occupied = list(_occupied(facts, sentence, pair))
        rivals = (other for part in occupied for other in occupied_by.get(part, ()))
        is_compatible = all(_are_parallel(sentence, pair, rival) for rival in rivals)
        if is_compatible and not _joins_other_positions(facts, sentence, pair):
            selected.append(pair)
            for part in occupied:
                occupied_by.setdefault(part, []).append(pair)
    return sorted(selected, key=lambda pair: (pair.subject, pair.object))


def _joins_other_positions(facts: GraphFacts, sentence: Sentence, pair: MentionPair) -> bool:
    """Return whether a pair of a relation other than N-M joins different positions of two equally long lists.

    Rome and France are such a pair in "Rome and Paris are the capitals of Italy and France".
    """
    subjects, objects = sentence.lists[pair.subject], sentence.lists[pair.object]
    are_paired = len(subjects) == len(objects) > 1 and facts.relations[pair.cue.relation].type != "N-M"
    return are_paired and pair.subject - subjects.start != pair.object - objects.start


def _occupied(facts: GraphFacts, sentence: Sentence, pair: MentionPair) -> Iterator[tuple[object, ...]]:
    """Yield what only one pair may use (see `select`), unless the mentions of several pairs form lists."""
    relation, uris = pair.cue.relation, sentence.mentions[pair.subject].uris
    yield tuple(sorted((pair.subject, pair.object)))
    yield from ((relation, token) for token in range(pair.first, pair.last + 1))
    if uris and facts.relations[relation].type in ("1-1", "N-1"):
        yield relation, uris


def _are_parallel(sentence: Sentence, pair: MentionPair, selected: MentionPair) -> bool:
    """Return whether two pairs differ only in members of lists: "France borders Spain and Italy"."""
    lists = sentence.lists
    are_listed = lists[pair.subject] == lists[selected.subject] and lists[pair.object] == lists[selected.object]
    return are_listed and {pair.subject, pair.object} != {selected.subject, selected.object}
