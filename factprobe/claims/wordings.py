"""Cues of a graph's relations, taken from templates and labels and learned from texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

import msgspec

from factprobe.reading.language import FOLDER, in_order, phrases, table, vocabulary
from factprobe.reading.tokenisation.tokens import key_of
from factprobe.records import Relation, Span
from factprobe.templating import templates_of
from factprobe.text import normalise, straighten_quotes

BEFORE, BETWEEN, AFTER = range(3)
"""Zones around a pair."""
_SPREAD = 3
"""Maximal number of tokens between two words of a cue."""
_OFTEN = 1 << 14
"""Maximal number of cached sentences without their names; sentences with the same words recur."""
_ADVERB_ENDINGS = in_order("adverb_ending")
POSSESSIVE = in_order("possessive_ending")[0]
_TOKEN = re.compile(rf"(?:{phrases('possessive_ending')})\b|[^\W_]+(?:['.][^\W_]+)*|[,;:()]|#|--|[–—]|(?<=\s)-(?=\s)")
MENTION, VALUE = "@", "#"
"""Keys of a name and of a date or number, in sentences and in wordings."""
_DASHES = frozenset(("--", "–", "—", "-"))
DASH = "-"
MARKS = frozenset((",", ";", ":", "(", ")", DASH))
COPULA = in_order("copula")[0]
CONTENT, AND, VERB, PREPOSITION, COMMA = range(5)
"""Classes of words; -1 for others."""
_COPULAS = vocabulary("copula", "copula_denied")
_CLASSED = {
    **dict.fromkeys(vocabulary("preposition"), PREPOSITION),
    **dict.fromkeys(vocabulary("auxiliary"), VERB),
    **dict.fromkeys(vocabulary("link_and", "link_or"), AND),
}
"""Classes of function words."""


@lru_cache(maxsize=1 << 16)
def word_of(text: str) -> tuple[str, int]:
    """Return the key of a lower-case word, and its class."""
    if text in _DASHES:
        return DASH, -1
    if text == VALUE or text in MARKS:
        return text, COMMA if text == "," else -1
    plain = normalise(text)
    if plain in _COPULAS:
        return COPULA, VERB
    if plain in _CLASSED:
        return plain, _CLASSED[plain]
    return key_of(text), -1 if not text[0].isalpha() or plain in vocabulary("function") else CONTENT


_LIGHT = frozenset(word_of(word)[0] for word in vocabulary("light_verb", "kind", "part_of"))
"""Keys of words that may be omitted from a wording."""


@lru_cache(maxsize=_OFTEN)
def tokens(text: str) -> tuple[tuple[str, int, Span], ...]:
    """Return the key, the class and the span of each word of a text, without articles."""
    words = ((match[0].lower(), match.span()) for match in _TOKEN.finditer(straighten_quotes(text)))
    return tuple([(*word_of(word), span) for word, span in words if word not in vocabulary("article", "circa")])


class RelationCue(NamedTuple):
    """Words that express a relation."""

    relation: str
    keys: tuple[str, ...]
    """Keys of the content words, in order."""
    zone: int
    """Zone of the words in their wording."""
    follows: bool
    """Whether the subject follows the words in their wording (else it precedes them)."""
    link: str
    """Preposition between the words and the end after them; empty if there is none."""
    is_learned: bool
    parts: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]] | None = None
    """All keys before, between and after both ends, for wordings compared as a whole."""
    subject_first: bool = False
    """Whether the subject comes first in them."""


class Found(NamedTuple):
    """Cues found in the keys of a sentence."""

    exact: tuple[tuple[RelationCue, int], ...]
    """Whole wordings, each with the index of the first of two adjacent mentions."""
    words: tuple[tuple[RelationCue, int, int], ...]
    """Other cues, with their first and last token."""
    relations: tuple[str, ...]
    """Relations of all cues."""


class LearnedCue(NamedTuple):
    """Learned cue in the shipped resource."""

    keys: tuple[str, ...]
    zone: int
    subject_first: bool


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


class Wordings:
    """Cues of a graph's relations.

    Args:
        relations: Relations of the graph.
        learned: Cues learned from texts.
    """

    def __init__(self, relations: Iterable[Relation], learned: Iterable[LearnedRelation] = ()) -> None:
        self._by_key: dict[str, dict[object, RelationCue]] = {}
        """Different cues by their first key."""
        self._exact: dict[tuple[str, ...], list[RelationCue]] = {}
        """Whole wordings by all keys between both ends."""
        self._labels: dict[str, list[str]] = {}
        self.words: dict[str, frozenset[str]] = {}
        """Keys of all words of each relation's own wordings."""
        self.find = lru_cache(maxsize=_OFTEN)(self._find)
        known = tuple(learned)
        for relation in relations:
            for name in filter(str.strip, (relation.relation, relation.label)):
                self._labels.setdefault(normalise(name), []).append(relation.relation)
            learned_cues = (cue for one in known if is_same(one, relation) for cue in _learned_cues(one, relation))
            cues = [*own_cues(relation), *learned_cues]
            own = [part for cue in cues if not cue.is_learned for part in cue.parts or ()]
            self.words[relation.relation] = frozenset(key for part in own for key in part)
            for cue in dict.fromkeys(cues):
                if cue.parts is not None:
                    self._exact.setdefault(cue.parts[BETWEEN], []).append(cue)
                if cue.keys:
                    self._by_key.setdefault(cue.keys[0], {}).setdefault(cue[:5], cue)

    def _find(self, keys: tuple[str, ...]) -> Found:
        """Return the cues in the keys of a sentence, cached by the keys."""
        words = []
        for at, key in enumerate(keys):
            for cue in self._by_key.get(key, {}).values():
                last = at if len(cue.keys) == 1 else _last_of(keys, cue.keys, at)
                if last >= 0:
                    words.append((cue, at, last))
        exact = []
        places = [i for i, key in enumerate(keys) if key in (MENTION, VALUE)]
        for number, (start, end) in enumerate(pairwise(places)):
            for cue in self._exact.get(keys[start + 1 : end], ()):
                before, _, after = cue.parts or ((), (), ())
                behind = keys[end + 1 : end + 1 + len(after)]
                if behind == after and keys[max(start - len(before), 0) : start] == before:
                    exact.append((cue, number))
        relations = dict.fromkeys((*(cue.relation for cue, _ in exact), *(cue.relation for cue, _, _ in words)))
        return Found(tuple(exact), tuple(words), tuple(relations))

    def called(self, name: str) -> list[str]:
        """Return the relations with an id or label."""
        return list(dict.fromkeys(self._labels.get(normalise(name), ())))


def _last_of(keys: Sequence[str], wanted: Sequence[str], at: int) -> int:
    """Return the last token of a cue that begins at a token; -1 if the cue does not match."""
    for key in wanted[1:]:
        following = next((i for i in range(at + 1, min(at + 2 + _SPREAD, len(keys))) if keys[i] == key), -1)
        if following < 0:
            return -1
        at = following
    return at


def is_same(learned: LearnedRelation, relation: Relation) -> bool:
    """Return whether learned cues belong to a relation, by its id or label."""
    return relation.relation == learned.id or normalise(relation.label or relation.relation) == learned.label


@lru_cache(maxsize=1 << 10)
def own_cues(relation: Relation) -> tuple[RelationCue, ...]:
    """Return the cues of a relation's own wordings."""
    name = relation.label.strip() or relation.relation.strip()
    frames = in_order("relation_frame") if name else ()
    if not vocabulary("function").isdisjoint(name.lower().split()[-1:]):
        frames = frames[-1:]
    formats = *frames, *table("relation_said").get(name, ())
    filled = (one.format(label=name, subject="[X]", object="[Y]") for one in formats)
    return tuple(_cue(relation.relation, template) for template in (*templates_of(relation), *filled))


def _cue(relation: str, template: str) -> RelationCue:
    """Return the cue of a wording: its content words in the zone that has most of them."""
    subject, object_ = template.index("[X]"), template.index("[Y]")
    first, second = sorted((subject, object_))
    texts = template[:first], template[first + 3 : second], template[second + 3 :].strip(" .")
    before, between, after = parts = tuple([tuple([key for key, _, _ in tokens(text)]) for text in texts])
    content = [_content(text) for text in texts]
    zone = max((BETWEEN, BEFORE, AFTER), key=lambda one: len(content[one]))
    own = content[zone] or [key for key in between[-2:] if VALUE in between]
    tail = parts[zone][-1:]
    link = tail[0] if own and tail[0] != own[-1] and word_of(tail[0])[1] == PREPOSITION else ""
    subject_first = subject < object_
    follows = subject_first != (zone == BETWEEN)
    if own and zone == BETWEEN and between[:1] == (POSSESSIVE,) and not link:
        link, follows = next(iter(vocabulary("of"))), subject_first  # as "the capital of X is Y"
    return RelationCue(relation, tuple(own), zone, follows, link, False, (before, between, after), subject_first)


def _content(text: str) -> list[str]:
    """Return the keys of the content words of a text, without light words and adverbs if there are others."""
    words = [(key, text[slice(*span)]) for key, kind, span in tokens(text) if kind == CONTENT]
    return [key for key, word in words if key not in _LIGHT and not word.endswith(_ADVERB_ENDINGS)] or [
        key for key, _ in words
    ]


def _learned_cues(learned: LearnedRelation, relation: Relation) -> Iterator[RelationCue]:
    for one in learned.cues:
        is_exact = all(key in MARKS or word_of(key)[1] != 0 for key in one.keys)
        keys, parts = ((), ((), one.keys, ())) if is_exact else (one.keys, None)
        follows = one.subject_first != (one.zone == BETWEEN)
        yield RelationCue(relation.relation, keys, one.zone, follows, "", True, parts, one.subject_first)
