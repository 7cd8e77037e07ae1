"""Which relation the words around two names tell, by the templates and labels of a graph's relations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from factprobe.claims.direction import is_of_its_kind, is_straight
from factprobe.claims.tokens import AKIN, MARKS, POSSESSIVE, SAME, Token, level, tokens
from factprobe.claims.told import Around, Told, Wording
from factprobe.reading.language import in_order, table, vocabulary
from factprobe.records import Relation, Span
from factprobe.templating import templates_of
from factprobe.text import normalise

_MOST = 6
"""Words that say something of their own and may stand between those of a wording."""
_BESIDE = 2
"""Those of them where the wording's own words stand before the first name or behind the second."""
_LOOSE = 1
"""Those of them where a word only says the same as one of the wording."""
_TURNED, _FRAMED, _EXTRA, _MINOR, _FITS = 0.5, 0.1, 0.05, 0.3, 0.5
_AGENT, _OF = vocabulary("agent"), vocabulary("of")
_TIE = 0.15
"""Scores that are no nearer than this tell two relations apart."""


class Wordings:
    """The wordings of a graph's relations."""

    def __init__(self, relations: Iterable[Relation]) -> None:
        self._by_key: dict[tuple[int, str | int], list[Wording]] = {}
        """By a word that each turns on, and the number of the part that it is in."""
        self._by_kin: dict[tuple[int, str | int], list[Wording]] = {}
        """By what is akin to that word, or says the same."""
        self._plain: list[Wording] = []
        """Those of words that stand in any sentence."""
        self._labels: dict[str, list[str]] = {}
        self.words: dict[str, frozenset[str]] = {}
        """In small letters, of all wordings of each relation."""
        for relation in relations:
            for name in filter(str.strip, (relation.relation, relation.label)):
                self._labels.setdefault(normalise(name), []).append(relation.relation)
            worded = {one.parts: one for one in reversed([*_wordings(relation)])}.values()
            self.words[relation.relation] = frozenset(w.text for one in worded for part in one.parts for w in part)
            for wording in worded:
                self._add(wording)

    def _add(self, wording: Wording) -> None:
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

    def told(self, around: Around, fitting: Callable[[Told], int], need: int = 2) -> list[Told]:
        """The relations that the words around two names tell best, the best first; of one relation the best wording.

        Args:
            around: the words.
            fitting: how many of the two names could stand at the ends of the relation, that way round.
            need: how many of them have to, where the words are not the wording itself.
        """
        plain = _tried(self._by_key, ((n, word.key) for n, part in enumerate(around) for word in part))
        told = [one for wording in (*plain.values(), *self._plain) for one in _ways(wording, around)]
        found = _best(told, fitting, need)
        if found and found[0].firm and fitting(found[0]) == 2:
            return found  # words that are only akin tell nothing better
        akin = _tried(
            self._by_kin, ((n, kin) for n, part in enumerate(around) for w in part for kin in (w.akin, w.sense))
        )
        told += [one for number, wording in akin.items() if number not in plain for one in _ways(wording, around)]
        return _best(told, fitting, need)


def _tried(
    known: dict[tuple[int, str | int], list[Wording]], keys: Iterable[tuple[int, str | int]]
) -> dict[int, Wording]:
    """The wordings of some words, by their identity."""
    return {id(wording): wording for key in keys if key in known for wording in known[key]}


def _ways(wording: Wording, around: Around) -> Iterator[Told]:
    """A relation as the words tell it, straight or the other way round: developed, was developed by."""
    told = _told(wording, around)
    if told is None or not is_of_its_kind(wording, told, around[1]):
        return
    if is_straight(wording, told, around[1]):
        yield told
    elif not (wording.parts[0] or wording.parts[2]):
        yield told._replace(subject_first=not told.subject_first, score=told.score - _TURNED, firm=False, turned=True)


def _best(told: Iterable[Told], fitting: Callable[[Told], int], need: int) -> list[Told]:
    found: dict[tuple[str, bool], tuple[float, Told]] = {}
    highest = 0.0
    for one in sorted(told, key=lambda one: -one.score):
        if one.score + 2 * _FITS <= highest - _TIE:
            break
        ends = fitting(one)
        if ends < (0 if one.firm else 2 if one.turned else need):
            continue
        score = one.score + _FITS * ends
        highest = max(highest, score)
        found.setdefault((one.relation, one.subject_first), (score, one))
    ranked = sorted(found.values(), key=lambda one: -one[0])
    return [one for score, one in ranked if score > highest - _TIE]


def _wordings(relation: Relation) -> Iterator[Wording]:
    for template in templates_of(relation):
        yield _wording(relation.relation, template, framed=False)
    label = relation.label.strip()
    if label:
        ends_open = normalise(label).split()[-1] in vocabulary("function")  # capital of, named after
        frames = in_order("relation_frame")
        said = table("relation_said").get(label, ())
        for frame in (*(frames[-1:] if ends_open else frames), *said):
            text = frame.format(label=label, subject="[X]", object="[Y]")
            is_label = frame == frames[-1] and not ends_open
            yield _wording(relation.relation, text, framed=True, is_label=is_label)


def _wording(relation: str, template: str, *, framed: bool, is_label: bool = False) -> Wording:
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
    texts = [word.text for word in between]
    place = next((i for i, word in enumerate(between) if word.key in keys), len(between))
    is_noun = is_label or not _OF.isdisjoint(texts[place + 1 : place + 2]) or texts[:1] == [POSSESSIVE]
    every = frozenset(word.key for word in words)
    is_passive = not _AGENT.isdisjoint(texts)
    return Wording(relation, subject < object_, (before, between, after), keys, framed, is_noun, is_passive, every)


class _Met(NamedTuple):
    """How far the words of one part of a wording are met."""

    levels: list[float]
    """Of those that it turns on."""
    minor: int
    """Others of them that are met."""
    extra: int
    """Words of the text between them that say something of their own."""
    span: Span | None
    turning: Span
    """The places of the first and the last word that it turns on; (0, -1) where there is none."""


def _told(wording: Wording, around: Around) -> Told | None:
    met = []
    places = [(0, -1)] * 3
    for number, part in enumerate(wording.parts):
        if number == 1 or part:
            found = _met(part, around[number], wording.turns_on, number)
            if found is None:
                return None
            met.append(found)
            places[number] = found.turning
    levels = [level for one in met for level in one.levels]
    total = sum(map(len, wording.parts)) - len(levels)
    minor, extra = sum(one.minor for one in met), sum(one.extra for one in met)
    is_whole = minor == total and not extra
    if not (levels or is_whole) or (levels and min(levels) < AKIN and extra > _LOOSE):
        return None
    score = sum(levels) / len(levels) if levels else 0.5
    score += _MINOR * (minor / total if total else 1) - _EXTRA * extra - _FRAMED * wording.framed
    span = next((one.span for one in met if one.levels and one.span), None) or _extent(around[1])
    firm = is_whole and bool(levels) and min(levels) == SAME
    before, between, after = places
    return Told(wording.relation, wording.subject_first, score, firm, False, span, wording, (before, between, after))


def _met(part: Sequence[Token], words: Sequence[Token], turns_on: frozenset[str], number: int) -> _Met | None:
    """Finds the words of a part in those of a text, in order; None where one that it turns on is missing.

    Args:
        part: of a wording.
        words: of the text.
        turns_on: the keys of the words without which it is not told.
        number: 0 for what stands before the names, 1 for what is between them, 2 for what stands behind them.
    """
    if number == 0:  # read from the name outwards
        return _met(part[::-1], words[::-1], turns_on, 2)
    places: list[int] = []
    levels: list[float] = []
    turning = (0, -1)
    minor = at = 0
    open_: list[Token] = []
    for word in part:
        if word.key not in turns_on:
            open_.append(word)
            continue
        place = next((i for i in range(at, len(words)) if level(word, words[i])), None)
        if place is None:
            return None
        turning = (turning[0] if levels else place, place)
        levels.append(level(word, words[place]))
        met = _in_order(open_, words[at:place], places, at)
        if number != 1 and not at and open_ and not met:
            return None  # the capital of, not the capital and
        minor += met
        open_ = []
        places.append(place)
        at = place + 1
    rest = words[at:] if number == 1 else words[at : at + len(open_)]
    minor += _in_order(open_, rest, places, at)
    last = len(words) if number == 1 else max(places, default=-1) + 1
    extra = sum([word.says for word in words[:last]]) - sum([words[i].says for i in places])
    is_bare = number == 1 and not levels
    if is_bare and minor < len(part) and any(word.text[0].isalnum() for word in words):
        return None
    if extra > (_MOST if levels and number == 1 else _BESIDE):
        return None
    spans = [words[i].span for i in places]
    return _Met(levels, minor, extra, (min(spans)[0], max(spans)[1]) if spans else None, turning)


def _in_order(wanted: Sequence[Token], words: Sequence[Token], places: list[int], start: int) -> int:
    """How many of some words stand in others, in order; their places are noted."""
    at = found = 0
    for word in wanted:
        place = next((i for i in range(at, len(words)) if words[i].key == word.key), None)
        if place is not None:
            places.append(start + place)
            at, found = place + 1, found + 1
    return found


def _extent(words: Sequence[Token]) -> Span:
    return (words[0].span[0], words[-1].span[1]) if words else (0, 0)
