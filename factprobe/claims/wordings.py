"""Preparation: cues of a graph's relations, from its templates and labels, common wordings and learned cues."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

import msgspec

from factprobe.claims.sentence import CONTENT, MARKS, MENTION, POSSESSIVE, PREPOSITION, VALUE, tokens, word_of
from factprobe.reading.language import FOLDER, in_order, table, vocabulary
from factprobe.records import Relation
from factprobe.templating import templates_of
from factprobe.text import normalise

BEFORE, BETWEEN, AFTER = range(3)
"""Zones around the two ends of a relation."""
_MAX_SKIPPED = 3
"""Maximal number of other tokens between two words of a cue."""
_LIGHT = frozenset(word_of(word)[0] for word in vocabulary("light_verb", "kind", "part_of"))
"""Keys of words that may be omitted from a wording."""
_ADVERB_ENDINGS = in_order("adverb_ending")


class RelationCue(NamedTuple):
    """Words that express a relation.

    "[X] was born in [Y]." has the cue "born", with the zone `BETWEEN`, the preposition "in" and the object next.
    """

    relation: str
    keys: tuple[str, ...]
    """Keys of the words to find: content words (born), or marks and a date; of learned cues also a next word (born in).

    They are empty for wordings of function words only (is in), which only match as a whole.
    """
    zone: int
    """Zone of the words in their wording."""
    is_subject_next: bool
    """Whether the subject is the next end after the words, in a pair their neighbour.

    That is the right end if the words are between both, and the left one if they are before both. Of words after both
    the flag is about the left end too, though their neighbour is the right one.
    """
    preposition: str
    """Preposition between the words and the next end; empty if there is none."""
    is_learned: bool
    whole: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]] | None = None
    """All keys before, between and after both ends, for wordings compared as a whole."""
    is_subject_first: bool = False
    """Whether the subject comes first in the whole wording."""
    reversing: frozenset[str] = frozenset()
    """Prepositions that lead to the other end in another wording of the relation with the same words.

    "[X]'s capital is [Y]" and "the capital of [X] is [Y]" have the cue "capital"; "of" leads to the subject.
    """


class FoundCues(NamedTuple):
    """Cues found in the keys of a sentence."""

    wholes: tuple[tuple[RelationCue, int], ...]
    """Whole wordings, each with the index of the first of two adjacent mentions."""
    words: tuple[tuple[RelationCue, int, int], ...]
    """Cues found by their words, with first and last token; a wording in `wholes` may be here too."""
    relations: tuple[str, ...]
    """Relations of all cues."""


class LearnedCue(NamedTuple):
    """Learned cue in the shipped resource."""

    keys: tuple[str, ...]
    zone: int
    is_subject_first: bool


class LearnedRelation(msgspec.Struct, frozen=True):
    """Learned cues of a Wikidata relation."""

    id: str
    label: str
    cues: tuple[LearnedCue, ...]


class LearnedModel(msgspec.Struct, frozen=True):
    """Shipped resource, as learned by `benchmarks/train_claims.py`."""

    weights: dict[str, float]
    """Weight of each feature of a pair."""
    relations: tuple[LearnedRelation, ...]


@cache
def shipped_model() -> LearnedModel:
    """Return the shipped cues and weights."""
    return msgspec.json.decode((FOLDER / "en" / "relation_cues.json").read_bytes(), type=LearnedModel)


class RelationCues:
    """Cues of a graph's relations.

    Args:
        relations: Relations of the graph.
        learned: Cues learned from texts.
    """

    def __init__(self, relations: Iterable[Relation], learned: Iterable[LearnedRelation] = ()) -> None:
        self._by_first_key: dict[str, dict[object, RelationCue]] = {}
        """Cues by their first key; of cues with the same words the first counts, own ones before learned ones."""
        self._wholes: dict[tuple[str, ...], list[RelationCue]] = {}
        """Whole wordings by all keys between both ends."""
        self._named: dict[str, list[str]] = {}
        """Relations by id and label."""
        self.words: dict[str, frozenset[str]] = {}
        """Keys of all words of each relation's own wordings."""
        self.find = lru_cache(maxsize=1 << 14)(self._find)
        known = tuple(learned)
        for relation in relations:
            for name in filter(str.strip, (relation.relation, relation.label)):
                self._named.setdefault(normalise(name), []).append(relation.relation)
            own = own_cues(relation)
            self.words[relation.relation] = frozenset(key for cue in own for part in cue.whole or () for key in part)
            learned_cues = (cue for some in known if is_same(some, relation) for cue in _learned_cues(some, relation))
            for cue in dict.fromkeys((*own, *learned_cues)):
                if cue.whole is not None:
                    self._wholes.setdefault(cue.whole[BETWEEN], []).append(cue)
                if cue.keys:
                    words = cue._replace(is_learned=False, whole=None, is_subject_first=False)
                    self._by_first_key.setdefault(cue.keys[0], {}).setdefault(words, cue)

    def _find(self, keys: tuple[str, ...]) -> FoundCues:
        """Return the cues in the keys of a sentence, cached by the keys."""
        words = []
        for first, key in enumerate(keys):
            for cue in self._by_first_key.get(key, {}).values():
                last = first if len(cue.keys) == 1 else _last_token(keys, cue.keys, first)
                if last >= 0:
                    words.append((cue, first, last))
        wholes = []
        positions = [i for i, key in enumerate(keys) if key in (MENTION, VALUE)]
        for mention, (start, end) in enumerate(pairwise(positions)):
            for cue in self._wholes.get(keys[start + 1 : end], ()):
                before, _, after = cue.whole or ((), (), ())
                is_after = keys[end + 1 : end + 1 + len(after)] == after
                if is_after and keys[max(start - len(before), 0) : start] == before:
                    wholes.append((cue, mention))
        relations = dict.fromkeys((*(cue.relation for cue, _ in wholes), *(cue.relation for cue, _, _ in words)))
        return FoundCues(tuple(wholes), tuple(words), tuple(relations))

    def called(self, name: str) -> list[str]:
        """Return the relations with an id or label."""
        return list(dict.fromkeys(self._named.get(normalise(name), ())))


def _last_token(keys: Sequence[str], wanted: Sequence[str], first: int) -> int:
    """Return the last token of a cue that begins at a token; -1 if the cue does not match."""
    last = first
    for key in wanted[1:]:
        reachable = range(last + 1, min(last + 2 + _MAX_SKIPPED, len(keys)))
        last = next((i for i in reachable if keys[i] == key), -1)
        if last < 0:
            return -1
    return last


def is_same(learned: LearnedRelation, relation: Relation) -> bool:
    """Return whether learned cues belong to a relation, by its id or label."""
    return relation.relation == learned.id or normalise(relation.label or relation.relation) == learned.label


@lru_cache(maxsize=1 << 10)
def own_cues(relation: Relation) -> tuple[RelationCue, ...]:
    """Return the cues of a relation's own wordings: its templates, frames with its label, and common wordings.

    Frames and common wordings are in `reading/language/en/relations.toml`.
    """
    name = relation.label.strip() or relation.relation.strip()
    frames = in_order("relation_frame") if name else ()
    if not vocabulary("function").isdisjoint(name.lower().split()[-1:]):
        frames = frames[-1:]  # no "the named after of X is Y"
    wordings = *frames, *table("relation_said").get(name, ())
    filled = (wording.format(label=name, subject="[X]", object="[Y]") for wording in wordings)
    cues = [_own_cue(relation.relation, template) for template in (*templates_of(relation), *filled)]
    return tuple(cue._replace(reversing=frozenset(_reversing(cue, cues))) for cue in cues)


def _reversing(cue: RelationCue, cues: Iterable[RelationCue]) -> Iterator[str]:
    """Yield the prepositions that lead from the words of a cue to the other end in another cue."""
    for other in cues:
        if other.keys == cue.keys and other.is_subject_next != cue.is_subject_next and other.preposition:
            yield other.preposition


def _own_cue(relation: str, template: str) -> RelationCue:
    """Return the cue of a wording: its content words in the zone that has most of them."""
    subject, object_ = template.index("[X]"), template.index("[Y]")
    left, right = sorted((subject, object_))
    is_subject_first = subject < object_
    texts = template[:left], template[left + 3 : right], template[right + 3 :].strip(" .")
    before, between, after = (tuple([key for key, _, _ in tokens(text)]) for text in texts)
    whole = before, between, after
    content = [_content(text) for text in texts]
    zone = max((BETWEEN, BEFORE, AFTER), key=lambda zone: len(content[zone]))
    keys = content[zone] or [key for key in between[-2:] if VALUE in between]  # marks and a date: "[X] (# - [Y]"
    last = whole[zone][-1] if keys else ""
    preposition = last if keys and last != keys[-1] and word_of(last)[1] == PREPOSITION else ""
    is_subject_next = is_subject_first != (zone == BETWEEN)
    if keys and zone == BETWEEN and between[0] == POSSESSIVE and not preposition:
        # "[X]'s capital is [Y]" as "the capital of [X] is [Y]"
        preposition, is_subject_next = next(iter(vocabulary("of"))), is_subject_first
    return RelationCue(relation, tuple(keys), zone, is_subject_next, preposition, False, whole, is_subject_first)


def _content(text: str) -> list[str]:
    """Return the keys of the content words of a text, without light words and adverbs if there are others."""
    words = [(key, text[slice(*span)]) for key, word_class, span in tokens(text) if word_class == CONTENT]
    telling = [key for key, word in words if key not in _LIGHT and not word.endswith(_ADVERB_ENDINGS)]
    return telling or [key for key, _ in words]


def _learned_cues(learned: LearnedRelation, relation: Relation) -> Iterator[RelationCue]:
    for keys, zone, is_subject_first in learned.cues:
        words, whole = ((), ((), keys, ())) if is_without_content(keys) else (keys, None)
        is_subject_next = is_subject_first != (zone == BETWEEN)
        yield RelationCue(relation.relation, words, zone, is_subject_next, "", True, whole, is_subject_first)


def is_without_content(keys: Iterable[str]) -> bool:
    """Return whether keys have no content word, so that they are a cue only as all that is between both ends."""
    return all(key in MARKS or word_of(key)[1] != CONTENT for key in keys)
