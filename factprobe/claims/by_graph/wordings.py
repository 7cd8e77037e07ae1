"""Preparation: cues of a relation from its templates, its label and common wordings, and from sentences."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from itertools import chain, permutations, product
from math import log
from typing import NamedTuple

import msgspec

from factprobe.claims.by_graph.fact_index import GraphFacts
from factprobe.claims.by_graph.pairs import AFTER, BEFORE, BETWEEN, MAX_TOKENS, RelationCue
from factprobe.claims.by_graph.sentence import CONTENT, MARKS, MENTION, VALUE, Sentence, tokens, word_of
from factprobe.reading.language import FOLDER, in_order, table, vocabulary
from factprobe.reading.tokenisation.tokens import key_of
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
    """Yield the cues of a relation: from its wordings, then the learned ones.

    A learned cue is left out if its words are those of wordings, and one is a cue there with its zone and order, which
    is more exact: learned, "born" has no preposition, so that it would also be found in "born near".
    So is one without marks that has a word from the common wordings of other relations: who was born in a place has
    often died there, but "died in" does not state it. `of_values` has the relations with values as objects.
    """
    own: set[tuple[str, int, bool]] = set()
    """Content words of the wordings, each with the zone and order of its cue."""
    for template in wordings_of(relation):
        # "[Y] km" becomes "[Y]", since the mention of a value has the unit; 1 stands for any value
        value = value_in_template(template, "1").replace("1", "[Y]", 1) if relation.relation in of_values else "[Y]"
        for cue in cues_in_wording(relation.relation, template.replace(value, "[Y]")):
            yield cue
            own.update((key, cue.zone, cue.is_subject_first) for key in cue.keys if word_of(key)[1] == "w")
    words = keys_of_wordings(relation)
    words_of_others = _common_words() - words
    learned_cues = chain.from_iterable(one.cues for one in learned if one.belongs_to(relation))
    for keys, zone, is_subject_first in learned_cues:
        is_repeated = words.issuperset(keys) and any((key, zone, is_subject_first) in own for key in keys)
        if not (is_repeated or (MARKS.isdisjoint(keys) and not words_of_others.isdisjoint(keys))):
            wording = None if any(word_of(key)[1] in CONTENT for key in keys) else ((), keys, ())
            yield RelationCue(relation.relation, keys, zone, is_subject_first, "", True, wording=wording)


@cache
def _common_words() -> frozenset[str]:
    """Return the keys of the content words in the common wordings of all relations."""
    wordings = (text.format(subject="[X]", object="[Y]") for texts in table("relation_said").values() for text in texts)
    cues = (cue for wording in wordings for cue in cues_in_wording("", wording) if cue.wording is None)
    return frozenset(key for cue in cues for key in cue.keys if word_of(key)[1] in CONTENT)


def wordings_of(relation: Relation, *, with_common: bool = True) -> Iterator[str]:
    """Yield the wordings of a relation, with [X] and [Y] for its ends.

    These are its templates, frames with its label ("the <label> of X is Y"), and common wordings for its label, which
    may say less than the relation: of a continent, "X is part of Y". Frames and common wordings are in
    `reading/language/en/relations.toml`.
    """
    yield from templates_of(relation)
    name = relation.label.strip() or relation.relation.strip()
    frames = in_order("relation_frame") if name else ()
    if not vocabulary("function").isdisjoint(name.lower().split()[-1:]):
        frames = frames[-1:]  # no "the named after of X is Y"
    for wording in (*frames, *(table("relation_said").get(normalise(name), ()) if with_common else ())):
        yield wording.format(label=name, subject="[X]", object="[Y]")


def cues_in_wording(relation: str, template: str) -> Iterator[RelationCue]:
    """Yield a whole wording as a cue, then its content words, if they are all in one zone."""
    subject, object_ = template.index("[X]"), template.index("[Y]")
    left, right = sorted((subject, object_))
    texts = template[:left], template[left + 3 : right], f" {template[right + 3 :].strip(' .')} "
    wording = _keys(texts[0]), _keys(texts[1]), _keys(texts[2])
    content = [_content(text) for text in texts]
    zone = max((BETWEEN, BEFORE, AFTER), key=lambda zone: (len(content[zone]), len(wording[zone])))
    keys = content[zone] if sum(map(bool, content)) == 1 else ()  # no part of "[X] uses [Y] as official language"
    if not any(content) and VALUE in wording[BETWEEN]:
        keys = wording[BETWEEN][-2:]  # a date with a mark: "[X] (# - [Y]"
    last = next((key for key in reversed(wording[zone]) if key not in MARKS), "")
    preposition = last if last and word_of(last)[1] in ("p", "o") else ""
    is_subject_first, takes_misfit = subject < object_, keys not in ((), wording[BETWEEN])
    if wording[zone]:
        yield RelationCue(relation, wording[zone], zone, is_subject_first, "", False, takes_misfit, wording)
    if keys:
        yield RelationCue(relation, keys, zone, is_subject_first, preposition, False, takes_misfit)


def _keys(text: str) -> tuple[str, ...]:
    return tuple([key for key, _, _ in tokens(text)])


def _content(text: str) -> tuple[str, ...]:
    """Return the keys of a text from its first to its last content word.

    Light verbs and adverbs at either end are left out if it has other content words.
    """
    words = tokens(text)
    content = [i for i, (_, word_class, _) in enumerate(words) if word_class in CONTENT]
    distinctive = [i for i in content if words[i][1] != "l" and not text[slice(*words[i][2])].endswith(_ADVERB_ENDINGS)]
    places = distinctive or content
    return tuple([key for key, _, _ in words[places[0] : places[-1] + 1]]) if places else ()


def keys_of_wordings(relation: Relation) -> frozenset[str]:
    """Return the keys of all words in the wordings of a relation; forms of "to be" also have their own stem (was)."""
    stems = (key_of(word) for template in wordings_of(relation) for word in template.lower().split())
    return frozenset(key for template in wordings_of(relation) for key in _keys(template)).union(stems)


def learn_cues(facts: GraphFacts, sentences: Iterable[Sentence], relations: Collection[str]) -> list[LearnedRelation]:
    """Return the cues of some relations: words far more frequent around their pairs than around all other pairs.

    Two mentions in a sentence are a pair of a relation if the graph has the fact.
    """
    ends_of: defaultdict[str, defaultdict[LearnedCue, list[tuple[str, str]]]] = defaultdict(lambda: defaultdict(list))
    """Subject and object of each pair with a cue, by relation and cue."""
    own_counts, counts = Counter[str](), Counter[LearnedCue]()
    pair_count = 0
    for sentence in sentences:
        linked = [i for i, mention in enumerate(sentence.mentions) if mention.uris]
        for subject, object_ in permutations(linked, 2):
            if abs(sentence.positions[object_] - sentence.positions[subject]) > MAX_TOKENS:
                continue
            around = set(_cues_around(sentence, subject, object_))
            pair_count += 1
            counts.update(around)
            pairs = product(sentence.mentions[subject].uris, sentence.mentions[object_].uris)
            stated = {relation: pair for pair in pairs for relation in facts.between(*pair) if relation in relations}
            for relation, pair in stated.items():
                own_counts[relation] += 1
                for cue in around:
                    ends_of[relation][cue].append(pair)
    learned = []
    for relation, own_count in own_counts.items():
        ranked = []
        for cue, ends in ends_of[relation].items():
            count = len(ends)
            log_ratio = log(count / own_count) - log((counts[cue] - count + 1) / (pair_count - own_count + 1))
            if log_ratio > _MIN_LOG_RATIO and all(len({*side}) >= _MIN_ENDS for side in zip(*ends, strict=True)):
                ranked.append((-count * log_ratio, cue))
        cues = tuple(cue for _, cue in sorted(ranked)[:_MAX_CUES])
        learned.append(LearnedRelation(relation, normalise(facts.relations[relation].label), cues))
    return learned


def _cues_around(sentence: Sentence, subject: int, object_: int) -> Iterator[LearnedCue]:
    """Yield unigrams and bigrams before, between and after two mentions, and all words between them if they are few."""
    start, end = sorted((sentence.positions[subject], sentence.positions[object_]))
    keys, is_subject_first = sentence.keys, subject < object_
    if 1 < end - start <= _MAX_GAP + 1 and {*CONTENT}.isdisjoint(sentence.shape[start + 1 : end]):
        yield LearnedCue(keys[start + 1 : end], BETWEEN, is_subject_first)
    after = end + 1, min(end + 1 + _CONTEXT_TOKENS, len(keys))
    for zone, (first, last) in enumerate(((max(start - _CONTEXT_TOKENS, 0), start), (start + 1, end), after)):
        for size in (1, 2):
            for i in range(first, last + 1 - size):
                if not {*CONTENT}.isdisjoint(sentence.shape[i : i + size]) and MENTION not in keys[i : i + size]:
                    yield LearnedCue(keys[i : i + size], zone, is_subject_first)
