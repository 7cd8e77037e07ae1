"""Preparation: learn cues from sentences that state a relation's facts (distant supervision, Mintz et al. 2009)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import log

from factprobe.claims.by_graph.cues import AFTER, BEFORE, BETWEEN
from factprobe.claims.by_graph.fact_index import GraphFacts
from factprobe.claims.by_graph.pairs import REACH
from factprobe.claims.by_graph.sentence import CONTENT, MENTION, Sentence, word_of
from factprobe.claims.by_graph.wordings import LearnedCue, LearnedRelation, is_without_content
from factprobe.text import normalise

_MIN_ENDS, _MAX_CUES = 3, 100
"""Minimal number of different subjects and objects of a cue, and maximal number of cues of a relation."""
_AROUND, _MAX_GAP = 4, 4
"""Number of tokens considered before and after a pair, and maximal length of a gap that is a cue as a whole."""
_MIN_LOG_RATIO = 1.5
Gram = tuple[tuple[str, ...], int]
"""One key, two adjacent keys or all keys of a gap that is not empty, with their zone around a pair."""


def learn_cues(facts: GraphFacts, sentences: Iterable[Sentence]) -> list[LearnedRelation]:
    """Return the cues of each relation: words that are far more frequent around its pairs than around other pairs.

    The graph's facts label the pairs of mentions in the sentences.
    """
    ends_of: defaultdict[str, defaultdict[LearnedCue, list[tuple[str, str]]]] = defaultdict(lambda: defaultdict(list))
    """Subjects and objects of each cue of each relation, one for each pair."""
    pairs_of: Counter[str] = Counter()
    gram_counts: Counter[Gram] = Counter()
    pair_count = 0
    for sentence in sentences:
        linked = [i for i, mention in enumerate(sentence.mentions) if mention.uris]
        for left, right in combinations(linked, 2):
            if sentence.positions[right] - sentence.positions[left] > REACH:
                continue
            grams = set(_grams(sentence, left, right))
            pair_count += 2  # a relation may hold in either direction
            gram_counts.update(grams)
            for relation, subject, object_, is_subject_first in _relations(facts, sentence, left, right):
                pairs_of[relation] += 1
                for gram in grams:
                    ends_of[relation][LearnedCue(*gram, is_subject_first)].append((subject, object_))
    cues = {one: _cues(ends_of[one], count, gram_counts, pair_count) for one, count in pairs_of.items()}
    return [LearnedRelation(key, normalise(facts.relations[key].label), value) for key, value in cues.items()]


def _relations(facts: GraphFacts, sentence: Sentence, left: int, right: int) -> Iterator[tuple[str, str, str, bool]]:
    """Yield the relations of two mentions with subject, object, and whether the subject is on the left.

    Of ambiguous mentions only the last entities with a relation count.
    """
    uris = sentence.mentions[left].uris, sentence.mentions[right].uris
    for (subjects, objects), is_subject_first in ((uris, True), (uris[::-1], False)):
        ends = {relation: (s, o) for s in subjects for o in objects for relation in facts.between(s, o)}
        yield from ((relation, *pair, is_subject_first) for relation, pair in ends.items())


def _cues(
    ends_of: Mapping[LearnedCue, Sequence[tuple[str, str]]], own_pairs: int, gram_counts: Counter[Gram], pairs: int
) -> tuple[LearnedCue, ...]:
    """Return the cues of a relation, ranked by count times log ratio of their frequency to that around other pairs."""
    ranked = []
    for cue, ends in ends_of.items():
        count = len(ends)
        log_ratio = log(count / own_pairs) - log((gram_counts[cue[:2]] - count + 1) / (pairs - own_pairs + 1))
        if log_ratio > _MIN_LOG_RATIO and all(len({*side}) >= _MIN_ENDS for side in zip(*ends, strict=True)):
            ranked.append((-count * log_ratio, cue))
    return tuple(cue for _, cue in sorted(ranked)[:_MAX_CUES])


def _grams(sentence: Sentence, left: int, right: int) -> Iterator[Gram]:
    """Yield unigrams and bigrams before, between and after two mentions, and the gap between them if it is short."""
    start, end, keys = sentence.positions[left], sentence.positions[right], sentence.keys
    between = keys[start + 1 : end]
    if 0 < len(between) <= _MAX_GAP and is_without_content(between):
        yield tuple(between), BETWEEN
    before, after = keys[max(start - _AROUND, 0) : start], keys[end + 1 : end + 1 + _AROUND]
    for zone, zone_keys in ((BEFORE, before), (BETWEEN, between), (AFTER, after)):
        are_words = [key.isalpha() and word_of(key)[1] == CONTENT for key in zone_keys]
        for i, key in enumerate(zone_keys):
            if are_words[i]:
                yield (key,), zone
            if any(are_words[i : i + 2]) and len(zone_keys) > i + 1 and MENTION not in zone_keys[i : i + 2]:
                yield (key, zone_keys[i + 1]), zone
