"""Cues of relations, learned from sentences that state their facts (distant supervision, Mintz et al. 2009)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import log

from factprobe.claims.fact_index import GraphFacts
from factprobe.claims.pairs import REACH, Sentence
from factprobe.claims.wordings import AFTER, BEFORE, BETWEEN, MARKS, MENTION, LearnedCue, LearnedRelation, word_of
from factprobe.text import normalise

_LEAST, _MOST = 3, 100
"""Minimal number of different subjects and objects of a cue, and maximal number of cues of a relation."""
_AROUND, _EXACT = 4, 4
"""Number of tokens considered before and after a pair, and maximal length of a gap that is a cue as a whole."""
_WEIGHT = 1.5
"""Minimal log-odds of a cue."""
Gram = tuple[tuple[str, ...], int]
"""One key, two adjacent keys or all keys of a gap, with their zone around a pair."""


def learn_cues(facts: GraphFacts, sentences: Iterable[Sentence]) -> list[LearnedRelation]:
    """Return the cues of each relation: words that are far more frequent around its pairs than around other pairs.

    Args:
        facts: Facts of the graph, which label the pairs.
        sentences: Sentences that state facts.
    """
    own: defaultdict[str, defaultdict[LearnedCue, list[tuple[str, str]]]] = defaultdict(lambda: defaultdict(list))
    own_pairs: Counter[str] = Counter()
    total: Counter[Gram] = Counter()
    pairs = 0
    for sentence in sentences:
        named = [i for i, one in enumerate(sentence.mentions) if one.uris]
        for left, right in combinations(named, 2):
            if sentence.places[right] - sentence.places[left] > REACH:
                continue
            grams = set(_grams(sentence, left, right))
            pairs += 1
            total.update(grams)
            for relation, subject, object_, is_first in _relations(facts, sentence, left, right):
                own_pairs[relation] += 1
                for gram in grams:
                    own[relation][LearnedCue(*gram, is_first)].append((subject, object_))
    return [
        LearnedRelation(one, normalise(facts.relations[one].label), _cues(own[one], count, total, 2 * pairs))
        for one, count in own_pairs.items()
    ]


def _relations(facts: GraphFacts, sentence: Sentence, left: int, right: int) -> Iterator[tuple[str, str, str, bool]]:
    """Yield the relations of two mentions with subject, object, and whether the subject is on the left."""
    one, other = sentence.mentions[left].uris, sentence.mentions[right].uris
    for subjects, objects, is_first in ((one, other, True), (other, one, False)):
        found = {relation: (s, o) for s in subjects for o in objects for relation in facts.between(s, o)}
        yield from ((relation, *ends, is_first) for relation, ends in found.items())


def _cues(
    found: Mapping[LearnedCue, Sequence[tuple[str, str]]], own: int, total: Counter[Gram], pairs: int
) -> tuple[LearnedCue, ...]:
    """Return the cues of a relation, ranked by frequency times log-odds against all other pairs."""
    cues = []
    for cue, ends in found.items():
        count = len(ends)
        weight = log(count / own) - log((total[cue[:2]] - count + 1) / (pairs - own + 1))
        if weight > _WEIGHT and all(len({*side}) >= _LEAST for side in zip(*ends, strict=True)):
            cues.append((-count * weight, cue))
    return tuple(cue for _, cue in sorted(cues)[:_MOST])


def _grams(sentence: Sentence, left: int, right: int) -> Iterator[Gram]:
    """Yield unigrams and bigrams before, between and after two mentions, and the gap between them if it is short."""
    start, end = sentence.places[left], sentence.places[right]
    keys = sentence.keys
    between = keys[start + 1 : end]
    if len(between) <= _EXACT and all(key in MARKS or word_of(key)[1] != 0 for key in between):
        yield tuple(between), BETWEEN
    before, after = keys[max(start - _AROUND, 0) : start], keys[end + 1 : end + 1 + _AROUND]
    for zone, some in ((BEFORE, before), (BETWEEN, between), (AFTER, after)):
        words = [key.isalpha() and word_of(key)[1] == 0 for key in some]
        for i, key in enumerate(some):
            if words[i]:
                yield (key,), zone
            if i + 1 < len(some) and (words[i] or words[i + 1]) and MENTION not in some[i : i + 2]:
                yield (key, some[i + 1]), zone
