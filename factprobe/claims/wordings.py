"""Which relation the words around two names tell, by the templates and labels of a graph's relations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from factprobe.claims.matching import ways
from factprobe.claims.tokens import COPULA, MARKS, POSSESSIVE, tokens, unplaced
from factprobe.claims.told import Around, RelationWording, Told
from factprobe.reading.language import in_order, table, vocabulary
from factprobe.records import Relation
from factprobe.templating import templates_of
from factprobe.text import normalise

_FITS = 0.5
"""What an end that fits is worth."""
_PLACE = vocabulary("place_preposition")
_AGENT, _OF = vocabulary("agent"), vocabulary("of")
_OFTEN = 1 << 12
"""Surroundings of names whose relations are remembered; texts about facts have the same ones again."""
_TIE = 0.15
"""Scores that are no nearer than this tell two relations apart."""


class Wordings:
    """The wordings of a graph's relations."""

    def __init__(self, relations: Iterable[Relation]) -> None:
        self._by_key: dict[tuple[int, str | int], list[RelationWording]] = {}
        """By a word that each turns on, and the number of the part that it is in."""
        self._by_kin: dict[tuple[int, str | int], list[RelationWording]] = {}
        """By what is akin to that word, or says the same."""
        self._plain: list[RelationWording] = []
        """Those of words that stand in any sentence."""
        self._labels: dict[str, list[str]] = {}
        self._told = lru_cache(maxsize=_OFTEN)(self._find_told)
        self._told_akin = lru_cache(maxsize=_OFTEN)(self._find_told_akin)
        self.of_places: list[str] = []
        """The relations with a wording of where something is and no more."""
        self.words: dict[str, frozenset[str]] = {}
        """In small letters, of all wordings of each relation."""
        for relation in relations:
            for name in filter(str.strip, (relation.relation, relation.label)):
                self._labels.setdefault(normalise(name), []).append(relation.relation)
            worded = {one.parts: one for one in reversed([*_wordings(relation)])}.values()
            self.words[relation.relation] = frozenset(w.text for one in worded for part in one.parts for w in part)
            if any(one.is_place and _ends_in_place(one) for one in worded):
                self.of_places.append(relation.relation)
            for wording in worded:
                self._add(wording)

    def _add(self, wording: RelationWording) -> None:
        turning = [(number, w) for number, part in enumerate(wording.parts) for w in part if w.key in wording.turns_on]
        if not turning:
            self._plain.append(wording)
            return
        number, word = max(turning, key=lambda one: len(one[1].text))
        self._by_key.setdefault((number, word.key), []).append(wording)
        self._by_kin.setdefault((number, word.akin), []).append(wording)
        if word.sense >= 0:
            self._by_kin.setdefault((number, word.sense), []).append(wording)

    def called(self, name: str) -> list[str]:
        """The relations of an id or label."""
        return list(dict.fromkeys(self._labels.get(normalise(name), ())))

    def best_told(self, around: Around, fitting: Callable[[Told], int], need: int = 2) -> list[Told]:
        """The relations that the words around two names tell best, the best first; of one relation the best wording.

        Args:
            around: the words.
            fitting: how many of the two names could stand at the ends of the relation, that way round.
            need: how many of them have to, where the words are not the wording itself.
        """
        words = _Words(*[tuple([word.text for word in part]) for part in around])
        told = self._told(words)
        found = _best(told, fitting, need)
        if not (found and found[0].one.firm):  # else words that are only akin tell nothing better
            found = _best((*told, *self._told_akin(words)), fitting, need)
        return [best.one for best in found]

    def _find_told(self, words: _Words) -> list[Told]:
        """What words tell by those that a wording turns on."""
        around = words.tokens()
        return [one for wording in (*self._exact(around).values(), *self._plain) for one in ways(wording, around)]

    def _find_told_akin(self, words: _Words) -> list[Told]:
        """What they tell besides by words that are akin to those."""
        around = words.tokens()
        exact = self._exact(around)
        akin = _tried(
            self._by_kin, ((n, kin) for n, part in enumerate(around) for w in part for kin in (w.akin, w.sense))
        )
        return [one for number, wording in akin.items() if number not in exact for one in ways(wording, around)]

    def _exact(self, around: Around) -> dict[int, RelationWording]:
        return _tried(self._by_key, ((n, word.key) for n, part in enumerate(around) for word in part))


class _Words(NamedTuple):
    """The words around two names, in small letters: they come again where the names are others."""

    before: tuple[str, ...]
    between: tuple[str, ...]
    after: tuple[str, ...]

    def tokens(self) -> Around:
        return unplaced(self.before), unplaced(self.between), unplaced(self.after)


def _tried(
    known: dict[tuple[int, str | int], list[RelationWording]], keys: Iterable[tuple[int, str | int]]
) -> dict[int, RelationWording]:
    """The wordings of some words, by their identity."""
    return {id(wording): wording for key in keys if key in known for wording in known[key]}


class _Best(NamedTuple):
    """A relation as it is told best."""

    score: float
    """With how its ends fit."""
    ends: int
    """How many of them do."""
    one: Told


def _best(told: Iterable[Told], fitting: Callable[[Told], int], need: int) -> list[_Best]:
    found: dict[tuple[str, bool], _Best] = {}
    highest = 0.0
    for one in sorted(told, key=lambda one: -one.score):
        if one.score + 2 * _FITS <= highest - _TIE:
            break
        if (one.relation, one.subject_first) in found:
            continue
        ends = fitting(one)
        if ends < (0 if one.firm else 2 if one.turned else need):
            continue
        score = one.score + _FITS * ends
        highest = max(highest, score)
        found[one.relation, one.subject_first] = _Best(score, ends, one)
    ranked = sorted(found.values(), key=lambda best: -best.score)
    return [best for best in ranked if best.score > highest - _TIE]


def _ends_in_place(wording: RelationWording) -> bool:
    """Whether the object is where the subject is: [X] lies in [Y]."""
    before, between, after = wording.parts
    return wording.subject_first and between[-1:] != () and between[-1].text in _PLACE and not (before or after)


def _wordings(relation: Relation) -> Iterator[RelationWording]:
    yield from _worded(relation)
    for template in table("relation_said").get(relation.label.strip(), ()):
        yield _framed(relation, template)


def _worded(relation: Relation) -> Iterator[RelationWording]:
    """The wordings of a relation's own templates and of its label, or its id where it has none."""
    for template in templates_of(relation):
        yield _wording(relation.relation, template, framed=False)
    label = _name(relation)
    if label:
        ends_open = normalise(label).split()[-1] in vocabulary("function")  # capital of, named after
        frames = in_order("relation_frame")
        for frame in frames[-1:] if ends_open else frames:
            yield _framed(relation, frame, is_label=frame == frames[-1] and not ends_open)


def _framed(relation: Relation, frame: str, *, is_label: bool = False) -> RelationWording:
    text = frame.format(label=_name(relation), subject="[X]", object="[Y]")
    return _wording(relation.relation, text, framed=True, is_label=is_label)


def _name(relation: Relation) -> str:
    return relation.label.strip() or relation.relation.strip()


def roles(relation: Relation) -> Iterator[tuple[tuple[str, ...], bool]]:
    """The nouns that the templates and the label of a relation have for one of its ends, each with whether that is the
    subject: X is the capital of Y."""
    for wording in _worded(relation):
        before, between, after = wording.parts
        if wording.is_noun and between and between[-1].text in _OF and not (before or after):
            yield wording.nouns, wording.subject_first


def _wording(relation: str, template: str, *, framed: bool, is_label: bool = False) -> RelationWording:
    subject, object_ = template.index("[X]"), template.index("[Y]")
    first, second = sorted((subject, object_))
    bounds = (0, first), (first + 3, second), (second + 3, len(template))
    before, between, after = (
        tuple(unplaced(word.text for word in tokens(template, *bound) if word.text not in MARKS)) for bound in bounds
    )
    words = [*before, *between, *after]
    common, kinds = vocabulary("function", "copula"), vocabulary("kind", "light_verb")
    own = [word for word in words if word.text[0].isalpha() and word.text not in common]
    adverbs = {w for w in (*before, *between) if w.text.endswith(in_order("adverb_ending"))}  # not speaks Y natively
    turning = [w for w in own if w.text not in kinds and w not in adverbs] or own
    keys = frozenset(word.key for word in turning)
    texts = [word.text for word in between]
    place = next((i for i, word in enumerate(between) if word.key in keys), len(between))
    is_noun = is_label or not _OF.isdisjoint(texts[place + 1 : place + 2]) or texts[:1] == [POSSESSIVE]
    every = frozenset(word.key for word in words)
    return RelationWording(
        relation,
        subject < object_,
        (before, between, after),
        keys,
        framed,
        is_noun,
        is_passive=not _AGENT.isdisjoint(texts),
        keys=every,
        nouns=tuple(word.text for word in between if word.key in keys),
        has_of=not _OF.isdisjoint(texts),
        is_be=any(word.key == COPULA for word in between),
        is_place=all(word.text in vocabulary("says_where") for word in turning),
        size=len(words),
    )
