"""Preparation: learn cues from sentences that state a relation's facts (distant supervision, Mintz et al. 2009)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import log

from factprobe.claims.by_graph.cues import AFTER, BEFORE, BETWEEN
from factprobe.claims.by_graph.fact_index import GraphFacts
from factprobe.claims.by_graph.pairs import MAX_TOKENS
from factprobe.claims.by_graph.sentence import CONTENT, MENTION, Sentence, word_of
from factprobe.claims.by_graph.wordings import LearnedCue, LearnedRelation, is_without_content
from factprobe.text import normalise

_MIN_ENDS, _MAX_CUES = 3, 100
"""Minimum number of different subjects, and of different objects, of a cue; maximum number of cues of a relation."""
_CONTEXT_TOKENS, _MAX_GAP = 4, 4
"""Number of tokens used before and after a pair; maximum number of tokens between a pair that are a cue together."""
_MIN_LOG_RATIO = 1.5
"""Minimum logarithm of how much more frequent a cue is around pairs of its relation than around other pairs."""
Gram = tuple[tuple[str, ...], int]
"""Keys of one word, of two adjacent words, or of all words between a pair, with their zone around the pair."""


def learn_cues(facts: GraphFacts, sentences: Iterable[Sentence]) -> list[LearnedRelation]:
    """Return the cues of each relation: words far more frequent around pairs of its entities than around other pairs.

    Two mentions in a sentence are a pair of a relation if the graph has the fact.
    """
    ends_of: defaultdict[str, defaultdict[LearnedCue, list[tuple[str, str]]]] = defaultdict(lambda: defaultdict(list))
    """Subject and object of each pair with a cue, by relation and cue."""
    pairs_of: Counter[str] = Counter()
    gram_counts: Counter[Gram] = Counter()
    pair_count = 0
    for sentence in sentences:
        linked = [i for i, mention in enumerate(sentence.mentions) if mention.uris]
        for left, right in combinations(linked, 2):
            if sentence.positions[right] - sentence.positions[left] > MAX_TOKENS:
                continue
            grams = set(_grams(sentence, left, right))
            pair_count += 2  # a relation may hold in either direction
            gram_counts.update(grams)
            for relation, subject, object_, is_subject_first in _relations(facts, sentence, left, right):
                pairs_of[relation] += 1
                for gram in grams:
                    ends_of[relation][LearnedCue(*gram, is_subject_first)].append((subject, object_))
    cues = {
        relation_id: _cues(ends_of[relation_id], count, gram_counts, pair_count)
        for relation_id, count in pairs_of.items()
    }
    return [LearnedRelation(key, normalise(facts.relations[key].label), value) for key, value in cues.items()]


def _relations(facts: GraphFacts, sentence: Sentence, left: int, right: int) -> Iterator[tuple[str, str, str, bool]]:
    """Yield (relation, subject, object, whether the subject is on the left) for each relation of two mentions.

    If ambiguous mentions have several pairs of entities in a relation, only the last pair counts.
    """
    uris = sentence.mentions[left].uris, sentence.mentions[right].uris
    for (subjects, objects), is_subject_first in ((uris, True), (uris[::-1], False)):
        ends = {relation: (s, o) for s in subjects for o in objects for relation in facts.between(s, o)}
        yield from ((relation, *pair, is_subject_first) for relation, pair in ends.items())


def _cues(
    ends_of: Mapping[LearnedCue, Sequence[tuple[str, str]]],
    own_pairs: int,
    gram_counts: Counter[Gram],
    pairs: int,
) -> tuple[LearnedCue, ...]:
    """Return the cues of a relation, ranked by count times log ratio of their frequency around its and other pairs."""
    ranked = []
    for cue, ends in ends_of.items():
        count = len(ends)
        log_ratio = log(count / own_pairs) - log((gram_counts[cue[:2]] - count + 1) / (pairs - own_pairs + 1))
        if log_ratio > _MIN_LOG_RATIO and all(len({*side}) >= _MIN_ENDS for side in zip(*ends, strict=True)):
            ranked.append((-count * log_ratio, cue))
    return tuple(cue for _, cue in sorted(ranked)[:_MAX_CUES])


def _grams(sentence: Sentence, left: int, right: int) -> Iterator[Gram]:
    """Yield unigrams and bigrams before, between and after two mentions, and all words between them if they are few."""
    start, end, keys = sentence.positions[left], sentence.positions[right], sentence.keys
    between = keys[start + 1 : end]
    if 0 < len(between) <= _MAX_GAP and is_without_content(between):
        yield tuple(between), BETWEEN
    before, after = keys[max(start - _CONTEXT_TOKENS, 0) : start], keys[end + 1 : end + 1 + _CONTEXT_TOKENS]
    for zone, zone_keys in ((BEFORE, before), (BETWEEN, between), (AFTER, after)):
        are_words = [key.isalpha() and word_of(key)[1] == CONTENT for key in zone_keys]
        for i, key in enumerate(zone_keys):
            if are_words[i]:
                yield (key,), zone
            if any(are_words[i : i + 2]) and len(zone_keys) > i + 1 and MENTION not in zone_keys[i : i + 2]:
                yield (key, zone_keys[i + 1]), zone
