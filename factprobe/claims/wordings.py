"""Which relation the words around two names tell, by the templates and labels of a graph's relations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from factprobe.claims.tokens import MARKS, SAME, Token, level, tokens
from factprobe.reading.language import in_order, vocabulary
from factprobe.records import Relation, Span
from factprobe.templating import templates_of
from factprobe.text import normalise

_MOST = 6
"""Words that say something of their own and may stand between those of a wording."""
_BESIDE = 2
"""Those of them where the wording's own words stand before the first name or behind the second."""
_TURNED, _FRAMED, _EXTRA, _MINOR, _FITS = 0.5, 0.1, 0.05, 0.3, 0.5
TIE = 0.15
"""Scores that are no nearer than this tell two relations apart."""


class Told(NamedTuple):
    """A relation that words tell."""

    relation: str
    subject_first: bool
    score: float
    needs: int
    """How many of the two names have to be such as stand at the relation's ends: none where the words are the wording
    itself, one where they are what it turns on, with nothing that says something else."""
    turned: bool
    """Whether the names stand the other way round than the wording has them: developed, was developed by."""
    span: Span
    """Where the words are that tell it; empty where there are none."""


class Wording(NamedTuple):
    """A sentence of a relation, taken apart at its ends."""

    relation: str
    subject_first: bool
    parts: tuple[tuple[Token, ...], tuple[Token, ...], tuple[Token, ...]]
    """The words before, between and behind the ends, without articles."""
    turns_on: frozenset[str]
    """The keys of the words without which it is not told."""
    framed: bool
    """Whether it is made of the label."""


class Wordings:
    """The wordings of a graph's relations."""

    def __init__(self, relations: Iterable[Relation]) -> None:
        self._by_word: dict[tuple[int, str | int], list[Wording]] = {}
        """By a word that each turns on, or what says the same as it, and the number of the part that it is in."""
        self._plain: list[Wording] = []
        """Those of words that stand in any sentence."""
        self._labels: dict[str, list[str]] = {}
        for relation in relations:
            for name in (relation.relation, relation.label):
                self._labels.setdefault(normalise(name), []).append(relation.relation)
            for wording in dict.fromkeys(_wordings(relation)):
                self._add(wording)

    def _add(self, wording: Wording) -> None:
        turning = [(number, w) for number, part in enumerate(wording.parts) for w in part if w.key in wording.turns_on]
        if not turning:
            self._plain.append(wording)
            return
        number, word = max(turning, key=lambda one: len(one[1].text))
        same: set[str | int] = {word.key, word.akin, word.sense}
        for found in same - {-1}:
            self._by_word.setdefault((number, found), []).append(wording)

    def called(self, name: str) -> list[str]:
        """The relations of an id or label."""
        return list(dict.fromkeys(self._labels.get(normalise(name), ())))

    def told(self, before: Sequence[Token], between: Sequence[Token], after: Sequence[Token]) -> Iterator[Told]:
        """The relations that the words around two names may tell.

        Args:
            before: what stands before the first of them.
            between: what stands between them.
            after: what stands behind the second.
        """
        by_word = self._by_word
        tried: dict[int, Wording] = {}
        for number, part in enumerate((before, between, after)):
            for word in part:
                for found in (word.key, word.akin, word.sense):
                    for wording in by_word.get((number, found), ()):
                        tried[id(wording)] = wording
        for wording in (*tried.values(), *self._plain):
            told = _told(wording, before, between, after)
            if told is not None:
                yield told
                if told.needs and not (wording.parts[0] or wording.parts[2]):
                    yield Told(told.relation, not told.subject_first, told.score - _TURNED, 2, True, told.span)


def best(told: Iterable[Told], fitting: Callable[[Told], int], need: int = 2) -> list[Told]:
    """Those that are told best, the best first; of several wordings of a relation one.

    Args:
        told: what the words may tell.
        fitting: how many of the two names could stand at the ends of the relation, that way round.
        need: how many of them have to at most, but for names that stand the other way round.
    """
    found: dict[tuple[str, bool], tuple[float, Told]] = {}
    highest = 0.0
    for one in sorted(told, key=lambda one: -one.score):
        if one.score + 2 * _FITS <= highest - TIE:
            break
        ends = fitting(one)
        if ends < (one.needs if one.turned else min(one.needs, need)):
            continue
        score = one.score + _FITS * ends
        highest = max(highest, score)
        found.setdefault((one.relation, one.subject_first), (score, one))
    ranked = sorted(found.values(), key=lambda one: -one[0])
    return [one for score, one in ranked if score > highest - TIE]


def _wordings(relation: Relation) -> Iterator[Wording]:
    for template in templates_of(relation):
        yield _wording(relation.relation, template, framed=False)
    label = relation.label.strip()
    if label:
        ends_open = normalise(label).split()[-1:] and normalise(label).split()[-1] in vocabulary("function")
        frames = in_order("relation_frame")
        for frame in frames[-1:] if ends_open else frames:
            yield _wording(relation.relation, frame.replace("{label}", label), framed=True)


def _wording(relation: str, template: str, *, framed: bool) -> Wording:
    subject, object_ = template.index("[X]"), template.index("[Y]")
    first, second = sorted((subject, object_))
    bounds = (0, first), (first + 3, second), (second + 3, len(template))
    before, between, after = (
        tuple(word._replace(span=(0, 0)) for word in tokens(template, *bound) if word.text not in MARKS)
        for bound in bounds
    )
    words = [*before, *between, *after]
    common, kinds = vocabulary("function", "copula"), vocabulary("kind", "light_verb")
    own = [word for word in words if word.text[0].isalpha() and word.text not in common]
    turning = [w for w in own if w.text not in kinds and not w.text.endswith(in_order("adverb_ending"))] or own
    keys = frozenset(word.key for word in turning)
    return Wording(relation, subject < object_, (before, between, after), keys, framed)


class _Met(NamedTuple):
    """How far the words of one part of a wording are met."""

    levels: list[float]
    """Of those that it turns on."""
    minor: int
    """Others of them that are met."""
    extra: int
    """Words of the text between them that say something of their own."""
    span: Span | None


def _told(wording: Wording, before: Sequence[Token], between: Sequence[Token], after: Sequence[Token]) -> Told | None:
    met = []
    for number, (part, words) in enumerate(zip(wording.parts, (before, between, after), strict=True)):
        if number == 1 or part:
            found = _met(part, words, wording.turns_on, number)
            if found is None:
                return None
            met.append(found)
    levels = [level for one in met for level in one.levels]
    total = sum(map(len, wording.parts)) - len(levels)
    minor, extra = sum(one.minor for one in met), sum(one.extra for one in met)
    is_whole = minor == total and not extra
    if not (levels or is_whole):
        return None
    score = sum(levels) / len(levels) if levels else 0.5
    score += _MINOR * (minor / total if total else 1) - _EXTRA * extra - _FRAMED * wording.framed
    span = next((one.span for one in met if one.levels and one.span), None) or _around(between)
    plain = bool(levels) and min(levels) == SAME and not extra
    needs = 2 if not plain else 0 if is_whole else 1
    return Told(wording.relation, wording.subject_first, score, needs, False, span)


def _met(part: Sequence[Token], words: Sequence[Token], turns_on: frozenset[str], number: int) -> _Met | None:
    """Finds the words of a part in those of a text, in order; None where one that it turns on is missing.

    Args:
        part: of a wording.
        words: of the text.
        turns_on: the keys of the words without which it is not told.
        number: 0 for what stands before the names, 1 for what is between them, 2 for what stands behind them.
    """
    if number == 0:  # read from the name outwards
        found = _met(part[::-1], words[::-1], turns_on, 2)
        return found and found._replace(span=found.span and (found.span[0], found.span[1]))
    places: list[int] = []
    levels: list[float] = []
    minor = at = 0
    open_: list[Token] = []
    for word in part:
        if word.key not in turns_on:
            open_.append(word)
            continue
        place = next((i for i in range(at, len(words)) if level(word, words[i])), None)
        if place is None:
            return None
        levels.append(level(word, words[place]))
        minor += _in_order(open_, words[at:place], places, at)
        open_ = []
        places.append(place)
        at = place + 1
    rest = words[at:] if number == 1 else words[at : at + len(open_)]
    minor += _in_order(open_, rest, places, at)
    own = set(places)
    last = len(words) if number == 1 else max(places, default=-1) + 1
    extra = sum(word.says for i, word in enumerate(words[:last]) if i not in own)
    bare = number == 1 and not levels
    if bare and not (minor == len(part) or not any(word.text[0].isalnum() for word in words)):
        return None
    if extra > (_MOST if number == 1 and levels else _BESIDE) or any(word.text == ";" for word in words[:last]):
        return None
    spans = [words[i].span for i in places]
    return _Met(levels, minor, extra, (min(spans)[0], max(spans)[1]) if spans else None)


def _in_order(wanted: Sequence[Token], words: Sequence[Token], places: list[int], start: int) -> int:
    """How many of some words stand in others, in order; their places are noted."""
    at = found = 0
    for word in wanted:
        place = next((i for i in range(at, len(words)) if words[i].key == word.key), None)
        if place is not None:
            places.append(start + place)
            at, found = place + 1, found + 1
    return found


def _around(words: Sequence[Token]) -> Span:
    return (words[0].span[0], words[-1].span[1]) if words else (0, 0)
