"""Preparation: cues of a relation from its templates, its label and common wordings, and from sentences."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations
from math import log
from typing import NamedTuple

import msgspec

from factprobe.claims.by_graph.cues import AFTER, BEFORE, BETWEEN, RelationCue, WordingKeys
from factprobe.claims.by_graph.fact_index import GraphFacts
from factprobe.claims.by_graph.pairs import MAX_TOKENS
from factprobe.claims.by_graph.sentence import (
    CONTENT,
    LIGHT_WORDS,
    MARKS,
    MENTION,
    PREPOSITION,
    VALUE,
    Sentence,
    tokens,
    word_of,
)
from factprobe.question_types import End
from factprobe.reading.language import FOLDER, in_order, table, vocabulary
from factprobe.reading.values.value_parsing import value_in_template
from factprobe.records import Relation
from factprobe.templating import templates_of
from factprobe.text import normalise

_ADVERB_ENDINGS = in_order("adverb_ending")
_MIN_ENDS, _MAX_CUES = 3, 100
"""Minimum number of different subjects, and of different objects, of a cue; maximum number of cues of a relation."""
_CONTEXT_TOKENS, _MAX_GAP = 4, 4
"""Number of tokens used before and after a pair; maximum number of tokens between a pair that are a cue together."""
_MIN_LOG_RATIO = 1.5
"""Minimum logarithm of how much more frequent a cue is around pairs of its relation than around other pairs."""
Gram = tuple[tuple[str, ...], int]
"""Keys of one word, of two adjacent words, or of all words between a pair, with their zone around the pair."""


class LearnedCue(NamedTuple):
    """Learned cue, as `relation_cues.json` has it: keys and zone as in `RelationCue`, and the order of its ends."""

    keys: tuple[str, ...]
    zone: int
    is_subject_first: bool


class LearnedRelation(msgspec.Struct, frozen=True):
    """Learned cues of a relation of Wikidata or of the graph."""

    id: str
    label: str
    cues: tuple[LearnedCue, ...]

    def belongs_to(self, relation: Relation) -> bool:
        """Return whether the cues were learned for a relation of a graph, by its id or label."""
        return relation.relation == self.id or normalise(relation.label or relation.relation) == self.label


class LearnedModel(msgspec.Struct, frozen=True):
    """Cues and weights in `relation_cues.json`, as `benchmarks/train_claims.py` learns them."""

    weights: dict[str, float]
    """Weight of each feature of a pair of mentions, for the logistic model in `scoring.py`."""
    relations: tuple[LearnedRelation, ...]


@cache
def shipped_model() -> LearnedModel:
    """Return the learned cues and weights of the package."""
    return msgspec.json.decode((FOLDER / "en" / "relation_cues.json").read_bytes(), type=LearnedModel)


def cues_of(
    relation: Relation, learned: Iterable[LearnedRelation], of_values: Collection[str] = ()
) -> Iterator[RelationCue]:
    """Yield the cues of a relation: from its wordings, then the learned cues that these wordings do not contain.

    A learned cue of words alone is left out if one is from the common wordings of other relations: who was born in a
    place has often died there, but "died in" does not state it. `of_values` has the relations with values as objects.
    """
    cues = own_cues(relation, is_of_value=relation.relation in of_values)
    yield from cues
    words, cue_keys = keys_of_wordings(relation), {key for cue in cues for key in cue.keys}
    for keys, zone, is_subject_first in (
        cue for relation_cues in learned if relation_cues.belongs_to(relation) for cue in relation_cues.cues
    ):
        is_whole = is_without_content(keys)
        if words.issuperset(keys) and not cue_keys.isdisjoint(keys):
            continue  # a cue from a wording of the graph is more exact
        if MARKS.isdisjoint(keys) and not _common_cue_keys().difference(words).isdisjoint(keys):
            continue
        whole = WordingKeys((), keys, (), is_subject_first) if is_whole else None
        next_end = _next_end(zone, is_subject_first=is_subject_first)
        yield RelationCue(relation.relation, () if is_whole else keys, zone, next_end, "", True, whole)


@cache
def _common_cue_keys() -> frozenset[str]:
    """Return the keys of the cues from the common wordings of all relations."""
    wordings = (wording for of_label in table("relation_said").values() for wording in of_label)
    filled = (wording.format(subject="[X]", object="[Y]") for wording in wordings)
    return frozenset(key for template in filled for key in _own_cue("", template).keys if key.isalpha())


@lru_cache(maxsize=1 << 10)
def own_cues(relation: Relation, *, with_common: bool = True, is_of_value: bool = False) -> tuple[RelationCue, ...]:
    """Return the cues from the wordings of a relation.

    Its wordings are its templates, frames with its label ("the <label> of X is Y"), and common wordings for its label,
    which may say less than the relation: of a continent, "X is part of Y". Frames and common wordings are in
    `reading/language/en/relations.toml`. If the objects are values, their unit in a template is no word of the cue,
    since the mentions of values in texts have it.
    """
    name = relation.label.strip() or relation.relation.strip()
    frames = in_order("relation_frame") if name else ()
    if not vocabulary("function").isdisjoint(name.lower().split()[-1:]):
        frames = frames[-1:]  # no "the named after of X is Y"
    wordings = *frames, *(table("relation_said").get(name, ()) if with_common else ())
    filled = (wording.format(label=name, subject="[X]", object="[Y]") for wording in wordings)
    templates: Iterable[str] = (*templates_of(relation), *filled)
    if is_of_value:
        templates = [text.replace(value_in_template(text, "1").replace("1", "[Y]", 1), "[Y]") for text in templates]
    return tuple(_own_cue(relation.relation, template) for template in templates)


def _own_cue(relation: str, template: str) -> RelationCue:
    """Return the cue from a template, with its content words as keys; no keys if content words are in several zones."""
    subject, object_ = template.index("[X]"), template.index("[Y]")
    left, right = sorted((subject, object_))
    texts = template[:left], template[left + 3 : right], template[right + 3 :].strip(" .")
    before, between, after = (tuple([key for key, _, _ in tokens(text)]) for text in texts)
    whole = WordingKeys(before, between, after, subject < object_)
    content = [_content(text) for text in texts]
    zone = max((BETWEEN, BEFORE, AFTER), key=lambda zone: len(content[zone]))
    is_split = sum(map(bool, content)) > 1  # "[X] uses [Y] as official language": neither part tells it alone
    date = between[-2:] if VALUE in between else ()  # with a mark: "[X] (# - [Y]"
    keys = () if is_split else tuple(content[zone]) or date
    words = [key for key in (before, between, after)[zone] if key not in MARKS]
    preposition = words[-1] if keys and words and word_of(words[-1])[1] == PREPOSITION else ""
    next_end = _next_end(zone, is_subject_first=subject < object_)
    return RelationCue(relation, keys, zone, next_end, preposition, False, whole)


def _next_end(zone: int, *, is_subject_first: bool) -> End:
    """Return the end next to a cue: the right one if the cue is between both ends, else the left one."""
    return "subject" if is_subject_first != (zone == BETWEEN) else "object"


def _content(text: str) -> list[str]:
    """Return the keys of the content words of a text; light verbs and adverbs only if it has no other content words."""
    words = [(key, text[slice(*span)]) for key, word_class, span in tokens(text) if word_class == CONTENT]
    distinctive = [key for key, word in words if key not in LIGHT_WORDS and not word.endswith(_ADVERB_ENDINGS)]
    return distinctive or [key for key, _ in words]


def is_without_content(keys: Iterable[str]) -> bool:
    """Return whether keys have no content word, so that they are a cue only if nothing else is between both ends."""
    return all(key in MARKS or word_of(key)[1] != CONTENT for key in keys)


def keys_of_wordings(relation: Relation) -> frozenset[str]:
    """Return the keys of all words in the wordings of a relation."""
    wholes = (cue.whole for cue in own_cues(relation) if cue.whole)
    return frozenset(key for whole in wholes for part in whole[:3] for key in part)


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
