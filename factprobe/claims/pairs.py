"""The pairs of names in a sentence of which its words may tell a relation, and which words these are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, takewhile
from typing import NamedTuple

from factprobe.claims.facts import EntityMention
from factprobe.claims.pronouns import is_possessive
from factprobe.claims.tokens import COPULA, MARKS, POSSESSIVE, Token, tokens, unplaced
from factprobe.claims.told import Around
from factprobe.reading.language import in_order, vocabulary

_FAR = 20
"""Names of one sentence that may stand between the two of a claim: a list of objects."""
_NEAR = 60
"""Words between two names, or on one side of them, that may be said of both."""
_AND, _OR = vocabulary("link_and"), vocabulary("link_or")
_JOINS = _AND | _OR
_CLOSES = _JOINS | vocabulary("in_turn")
_BUT = vocabulary("but", "begins_clause")
_GOES_ON = _JOINS | _BUT
_JOINED = vocabulary("link_and", "but")
_RELATIVE = vocabulary("relative", "asks_person")
_CLAUSE = vocabulary("begins_clause")
_STANDS_FOR = vocabulary("stands_for")
_VERBS, _PREPOSITIONS = vocabulary("auxiliary"), vocabulary("place_preposition")
_OWNS, _IN = unplaced((POSSESSIVE,))[0], unplaced(in_order("place_preposition")[:1])
_EXPLETIVE, _COPULA, _WHERE = vocabulary("expletive"), vocabulary("copula"), vocabulary("asks_place")
_THAT = vocabulary("that", "asks_place")
_NO_NOUN = frozenset(MARKS) | vocabulary("preposition", "link_and", "link_or")
_NOUN = 2
"""Words between the parts of a participle and its name, which are that and a noun: Dublin-born writer Oscar Wilde."""
_TWO_NAMES = 3
"""Parts of a sentence without its names, where it has but two."""


class Pair(NamedTuple):
    """Two names of a sentence, and the words that may tell a relation of them."""

    first: EntityMention
    second: EntityMention
    around: Around
    carried: Sequence[Token] = ()
    """The words behind the first name, where a statement about another one stands between the two."""
    passed: Sequence[EntityMention] = ()
    """The names between the two."""

    @property
    def closes_aside(self) -> bool:
        """Whether the first name may end what is put in between commas."""
        before, between, _ = self.around
        return [word.text for word in between if word.text == ","] == [","] == [word.text for word in between[:1]] and (
            any(word.text == "," for word in before)
        )


class _List(NamedTuple):
    """Names of which the same is said: the first and the last; a single name is both."""

    begin: int
    last: int


def pairs(text: str, start: int, end: int, mentions: Sequence[EntityMention]) -> Iterator[Pair]:
    """The names that a relation may be told of: beside each other, or with a list or another statement in between."""
    bounds = [start, *(place for one in mentions for place in (one.start, one.end)), end]
    gaps: list[Sequence[Token]] = [tokens(text, bounds[i], bounds[i + 1]) for i in range(0, len(bounds), 2)]
    if mentions and is_possessive(text, mentions[0]):
        gaps[1] = [_OWNS._replace(span=(mentions[0].end, mentions[0].end)), *gaps[1]]
    if len(gaps) == _TWO_NAMES and (plain := _put_first(gaps)):
        yield Pair(mentions[1], mentions[0], plain)
    sentence, has_compounds = _Sentence(text, gaps), "-" in text[start:end]
    for second in range(1, len(mentions)):
        if has_compounds:
            yield from _compound(text, mentions[second - 1 : second + 1], gaps[second - 1 : second + 2])
        for first in range(max(second - _FAR, 0), second):
            ends, around = (mentions[first], mentions[second]), sentence.around(first, second)
            if around is not None:
                yield Pair(*ends, around, sentence.behind(first, second), mentions[first + 1 : second])


def _compound(text: str, names: Sequence[EntityMention], gaps: Sequence[Sequence[Token]]) -> Iterator[Pair]:
    """Two names of which one is part of a participle of the other: the Dublin-born writer Oscar Wilde; Oscar Wilde, the
    Dublin-born writer.

    Args:
        text: all of it.
        names: the two.
        gaps: the words before, between and behind them.
    """
    before, between, after = gaps
    lead = [word for word in before[-1:] if word.text not in _NO_NOUN]  # allegedly
    if _is_compound(text, between):
        is_plain = len(between) <= _NOUN and between[-1].text not in _NO_NOUN
        if is_plain and not (after and after[0].text == POSSESSIVE):
            yield Pair(names[1], names[0], (lead, _plain_order(between[0]), ()))
    elif _is_compound(text, after):
        aside = text[names[0].end : names[1].start].strip(" ").lower().partition(", ")
        if not aside[0] and aside[2] in vocabulary("article"):
            yield Pair(names[0], names[1], ((), _plain_order(after[0]), ()))


def _plain_order(participle: Token) -> list[Token]:
    """Born in, of what is Dublin-born."""
    return [participle, _IN[0]._replace(span=participle.span)]


def _is_compound(text: str, gap: Sequence[Token]) -> bool:
    """Whether the name before is part of a word."""
    return bool(gap) and text[gap[0].span[0] - 1] == "-"


def _put_first(gaps: Sequence[Sequence[Token]]) -> Around | None:
    """The words around the two names of a sentence that puts the later one of their plain order first, in that order.

    It was in Ulm that Einstein was born; it was Ulm where he died.
    """
    opens, between, after = gaps
    place = opens[2:]
    is_put = opens[:1] and opens[0].text in _EXPLETIVE and len(opens) > 1 and opens[1].text in _COPULA
    if not is_put or len(place) > 1 or [word.text in _THAT for word in between] != [True]:
        return None
    said = list(takewhile(lambda word: word.text not in MARKS, after))
    if between[0].text in _WHERE:
        place = place or _IN
    if not (said and place and place[0].text in _PREPOSITIONS):
        return None
    return (), [*said, place[0]._replace(span=said[-1].span)], after[len(said) :]


class _Sentence:
    """The words between the names of a sentence.

    Args:
        text: all of it.
        gaps: gap `i` stands before name `i`, the last one behind the last name.
    """

    def __init__(self, text: str, gaps: Sequence[Sequence[Token]]) -> None:
        self._text, self._gaps = text, gaps
        ors = (_is_glue(gap) and any(word.text in _OR for word in gap) for gap in gaps)
        self._ors = list(accumulate(ors, initial=0))
        """How many gaps before each part names with an "or"."""
        self._joins = [False, *map(_is_glue, gaps[1:-1]), False]
        self._lists: list[_List] = []
        while (begin := len(self._lists)) < len(gaps) - 1:
            last = next(i for i in range(begin, len(gaps)) if not self._joins[i + 1])
            whole = last > begin and self._is_list(begin, last)
            self._lists += [_List(begin, last) if whole else _List(i, i) for i in range(begin, last + 1)]

    def _is_list(self, begin: int, last: int) -> bool:
        """Whether names that commas and an "and" part are a list; commas alone may part a place from its country.

        Behind a statement only what then ends is one: in "borders Spain and Germany Poland" Germany is the subject of
        what follows.
        """
        is_joined = any(word.text in _JOINS for word in self._gaps[last])  # not Atlanta and Chicago, Illinois
        before = self._gaps[begin] if begin else ()
        return is_joined and (not before or before[-1].text in MARKS or self._ends(last))

    def _ends(self, last: int) -> bool:
        """Whether nothing more is said of the last name of a list: and Rome, of Italy."""
        after = self._gaps[last + 1]
        is_last = last + 2 == len(self._gaps)
        return _is_closed(after) and (is_last or not {word.text for word in after[:2]}.isdisjoint(_JOINS))

    def around(self, first: int, second: int) -> Around | None:
        """The words before, between and behind two names that are said of both; None where there are none such."""
        one, other = self._lists[first], self._lists[second]
        if any(word.text == ";" for gap in self._gaps[first + 1 : second + 1] for word in gap):
            return None
        if one == other:
            return self._words(first, second, second) if second == first + 1 else None
        if one.last + 1 == other.begin:
            places = first - one.begin, second - other.begin
            if one.last - one.begin == other.last - other.begin and places[0] != places[1]:
                return None  # Paris and Rome are the capitals of France and Italy
            if other.begin == other.last:
                is_more = one.last > one.begin and self._may_go_on(other.last)  # of France and of Italy
            else:
                is_more = self._is_joined_to_unknown(one.begin)  # Mileva and Albert were born in Titel and Ulm
            if is_more:
                return None
            return self._gapped(first) or self._words(one.begin, other.begin, other.last)
        carries = one.begin == 0 and self._goes_on(one.last, other.begin)
        return self._words(one.begin, other.begin, other.last) if carries else None

    def behind(self, first: int, second: int) -> Sequence[Token]:
        """The words behind a name, where a statement about another one stands between it and a later one."""
        last = self._lists[first].last
        return self._gaps[last + 1] if last + 1 < self._lists[second].begin else ()

    def _words(self, begin: int, second: int, last: int) -> Around | None:
        """The words around two names or lists, if they may be said of both of them."""
        between = self._gaps[second]
        before, after = self._before(begin)[-_NEAR:], self._gaps[last + 1][:_NEAR]
        alternatives = (*before[-1:], *between[:1], *between[-1:], *after[:1])
        if (
            len(between) > _NEAR
            or _is_compound(self._text, between)
            or _is_compound(self._text, after)
            or self._ors[begin + 1] < self._ors[last + 1]
            or any(word.text in _OR for word in alternatives)
        ):
            return None
        is_list_told = begin + 1 < second and before and before[-1].text not in MARKS
        is_contrast = not _BUT.isdisjoint(
            word.text for word in between[:2]
        )  # of the subject, whether it is a name or not
        if (_is_joined_to(between) and (begin or is_contrast)) or (
            begin and (is_list_told or _is_left_behind(between))
        ):
            return None  # is said of an earlier name
        said = [word for word in between if word.text not in MARKS]
        if not said:  # an apposition, if no more is said before: Paris is the capital of France, Rome of Italy
            says_more = _says_something(before) if begin else _has_copula(before)
            return None if says_more or any(word.text == ")" for word in between) else (before, between, after)
        if between[0].text in MARKS and _has_copula(after[:1]):
            return None  # the capital of France is Paris, the capital of Italy is Rome
        ends = between[-1]
        if ends.text in _CLAUSE or (len(said) > 1 and _is_closed((ends,)) and not _is_closed(after)):
            return None  # the second name begins a statement of its own
        return before, between, after

    def _before(self, begin: int) -> Sequence[Token]:
        """The words before a name, with those before the names that it is joined to."""
        if not self._joins[begin]:
            return self._gaps[begin]
        first = begin
        while self._joins[first]:
            first -= 1
        return [word for gap in self._gaps[first : begin + 1] for word in gap]

    def _gapped(self, first: int) -> Around | None:
        """The words that a statement leaves out since they stand in the one before: and Rome that of Italy."""
        if not self._joins[first]:
            return None
        left = [word.key for word in self._gaps[first + 1] if word.text not in _STANDS_FOR]
        for at in range(first - 1, max(first - _FAR, 0), -1):
            gap = self._gaps[at]
            if _begins_statement(gap):
                whole = [word.key for word in gap]
                is_end = left and len(left) < len(whole) and whole[-len(left) :] == left
                return (self._gaps[at - 1], gap, self._gaps[first + 2]) if is_end else None
        return None

    def _goes_on(self, last: int, second: int) -> bool:
        """Whether what stands before a name is said of the first one of the sentence: was born in Ulm and died in."""
        gap = self._gaps[second]
        gap = gap[_adjunct(gap) :]
        is_closed = gap[:1] and gap[0].text == ")" and self._gaps[last + 1][:1] and self._gaps[last + 1][0].text == "("
        opening = 1 if is_closed else _opening(gap)
        rest = gap[opening:]
        if not (opening and rest) or rest[0].text in MARKS or rest[0].text in _RELATIVE:
            return False
        if gap[opening - 1].text == "," and self._text[gap[opening - 1].span[1] : rest[0].span[0]].strip():
            return False  # an article: an apposition of the name before
        is_joined = not {word.text for word in gap[:opening]}.isdisjoint(_JOINS)
        if not _says_something(rest[: 1 + is_joined]):
            return False
        return not any(self._is_subject(name) for name in range(last + 1, second))

    def _may_go_on(self, name: int) -> bool:
        """Whether a list may go on behind a name: of France and of Italy."""
        after = self._gaps[name + 1]
        is_joined = not {word.text for word in after[:2]}.isdisjoint(_JOINS)
        return name + 2 < len(self._gaps) and is_joined and not _is_joined_to(after)

    def _is_joined_to_unknown(self, name: int) -> bool:
        """Whether a name that is not known is joined to one."""
        before = self._gaps[name][-2:]
        is_joined = len(before) > 1 and before[1].text in _AND
        return is_joined and self._text[before[0].span[0]].isupper()

    def _is_subject(self, name: int) -> bool:
        """Whether a name behind the first one begins a statement of its own."""
        before, after = self._gaps[name], self._gaps[name + 1]
        opens = bool(before) and (_is_closed(before[-1:]) or before[-1].text in _CLAUSE)
        return opens and not _is_closed(after)


def _opening(gap: Sequence[Token]) -> int:
    """How many commas and words that join open the words behind a name."""
    return next((i for i, word in enumerate(gap) if word.text != "," and word.text not in _JOINS), len(gap))


def _adjunct(gap: Sequence[Token]) -> int:
    """How many words behind a name say when or where, before a statement is joined: in 1770 and died in."""
    joined = next((i for i, word in enumerate(gap) if word.text in _JOINED), 0)
    adjunct = gap[: joined - 1] if joined and gap[joined - 1].text == "," else gap[:joined]
    return len(adjunct) if not any(word.says or word.is_verb or word.text in MARKS for word in adjunct) else 0


def _begins_statement(gap: Sequence[Token]) -> bool:
    """Whether the words behind a name say something of it: its verb, or what is its own."""
    return bool(gap) and (gap[0].says or gap[0].key == COPULA or gap[0].text in _VERBS or gap[0].text[0] == "'")


def _says_something(gap: Sequence[Token]) -> bool:
    return any(_begins_statement((word,)) for word in gap)


def _is_joined_to(gap: Sequence[Token]) -> bool:
    """Whether the words behind a name go on with a statement about an earlier one: and died in, but died in."""
    rest = gap[1:] if gap[:1] and gap[0].text == "," else gap
    return bool(rest) and rest[0].text in _GOES_ON and _says_something(rest[1:3])


def _is_left_behind(gap: Sequence[Token]) -> bool:
    """Whether what is said behind a name ends before something else: Paris as its capital, borders."""
    return gap[0].text not in MARKS and any(word.text == "," for word in gap[1:-1]) if gap else False


def _has_copula(gap: Sequence[Token]) -> bool:
    return any(word.key == COPULA for word in gap)


def _is_closed(gap: Sequence[Token]) -> bool:
    """Whether the words behind a name say nothing more of it: there are none, or they begin something else."""
    return not gap or gap[0].text in MARKS or gap[0].text in _CLOSES


def _is_glue(gap: Sequence[Token]) -> bool:
    return bool(gap) and all(word.text == "," or word.text in _JOINS for word in gap)
