"""Whether the words behind a wording's own lead to the second name."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, takewhile

from factprobe.claims.clauses import article, leads_into_clause
from factprobe.claims.surroundings import Surroundings
from factprobe.claims.tokens import COPULA, Token
from factprobe.reading.language import vocabulary

_OF = vocabulary("of")
_AGENT = vocabulary("agent")
_PREPOSITIONS = vocabulary("preposition")
_PLACE = vocabulary("place_preposition")
_AND = vocabulary("link_and")
_JOINS = vocabulary("link_and", "link_or", "but", "begins_clause") | {","}
_HIS = vocabulary("possessive")
_SINCE = vocabulary("counted_from", "begins_time")
_WAY = vocabulary("way_preposition")
_A = vocabulary("article") & vocabulary("article_one")
_PARTS = vocabulary("part_before", "of_old")
_KIND_OF = vocabulary("kind_of")


def reaches(here: Surroundings) -> bool:
    """Whether the words behind the wording's own lead to the second name."""
    tail = here.tail
    marks = [word.text for word in tail if word.text in "()"]
    if here.turns and marks[:1] == [")"]:
        return False  # (born in 1950) is a singer from
    is_aside = [word.text for word in (*here.between[:1], *tail[-1:])] == [",", ","]
    if here.turns and is_aside and here.told.wording.is_noun and not here.has_verb:
        return False  # Berlin, the capital, Hamburg
    if not here.turns:  # the wording's noun stands before the names or behind them: the capital of X is Y
        verb = next((i for i, word in enumerate(tail) if word.key == COPULA), -1)
        is_aside = bool(tail) and tail[0].text in ",(" and not here.pair.carried
        if any(map(here.says, tail[: verb + 1] if verb >= 0 else tail)) and not is_aside:
            return False
        if tail and tail[0].text == "," and verb >= 0 and _is_apposition(here):
            return False  # Paris, the capital of France, is in
        tail = tail[verb + 1 :]
    if here.turns and _is_of_another(here, tail):
        return False
    return runs(here, tail, 1) and not leads_into_clause(here, tail)


def _is_of_another(here: Surroundings, tail: Sequence[Token]) -> bool:
    """Whether the second name belongs to a statement that follows the wording's own, or to another noun: born in 1867
    and raised in, died a year after the siege of, born to a singer in."""
    if any(word.key in here.told.wording.turns_on for word in tail):
        return True  # born to parents born in
    own = {word.text for word in here.parts[1]}
    for number, word in enumerate(tail[:-1]):
        rest = tail[number + 1 :]
        if word.text in _SINCE - own and any(map(here.says, rest)):
            return True
        if word.text in _WAY - own and len(rest) > 1 and article(here.text, word.span[1], rest[0]) in _A:
            return True
        opens = word.text in _JOINS or (word.text == "(" and all(other.text != ")" for other in rest))
        if opens and _is_statement(here, rest) and not _is_shared(here, tail):
            return True
    return False


def _is_shared(here: Surroundings, tail: Sequence[Token]) -> bool:
    """Whether the name is the end of all that is joined: was developed, tested and published by."""
    if not tail or tail[0].text not in _JOINS:
        return False
    said = tail[:-1] if tail[-1].text in _PREPOSITIONS else tail
    if any(word.text in _PREPOSITIONS or word.text in _HIS for word in said):
        return False
    return here.told.wording.is_noun or not any(here.says(one) and here.says(other) for one, other in pairwise(said))


def _is_statement(here: Surroundings, words: Sequence[Token]) -> bool:
    """Whether words up to the next that join say something of their own, and not when or where."""
    said = [word for word in takewhile(lambda word: word.text not in _JOINS, words) if word.text[0].isalpha()]
    if said and said[0].text in _PREPOSITIONS:
        return any(word.text in _HIS for word in said)
    return any(word.text not in _PREPOSITIONS and here.text[word.span[0]].islower() for word in said)


def is_whereabouts(here: Surroundings) -> bool:
    """Whether the second name stands behind a preposition of places that the wording does not have, so that it may be
    where the object is: the capital of X is in Y."""
    leads = [word.text for word in here.tail if word.text in _PREPOSITIONS]
    return bool(leads) and leads[-1] in _PLACE and leads[-1] not in {word.text for word in here.parts[1]}


def _is_apposition(here: Surroundings) -> bool:
    """Whether the wording's noun stands behind a comma, so that what comes behind its name is not told of it."""
    return any(word.text == "," for word in here.pair.around[0])


def runs(here: Surroundings, words: Sequence[Token], number: int) -> bool:
    """Whether words lead to a name by the preposition of a part of the wording, or say no more than its kind."""
    is_part = any(word.text in _PARTS for word in words[-1:])  # of southern X
    while len(words) > 1 and words[-1].text in _OF and words[-2].text in _KIND_OF:
        kind, words = words[-2], words[:-2]
        before = here.text[words[-1].span[0]] if words and kind.span[0] == words[-1].span[1] + 1 else ""
        is_part = is_part or (before.isupper() and here.text[kind.span[0]].islower())  # of the Campania region of X
    last = max((i for i, word in enumerate(words) if word.text in _PREPOSITIONS), default=-1)
    if last < 0:
        return True
    preposition = words[last].text
    own = {word.text for word in here.parts[number]} & _PREPOSITIONS
    if preposition in _OF:
        is_and = any(word.text in _AND for word in words[:last])
        return not is_part and preposition in own and (last == 0 or is_and or not here.says(words[last - 1]))
    if preposition in _PLACE:
        if not own:  # whose capital is in Paris, and none that is released in Japan
            is_said = here.told.wording.is_noun or here.told.wording.is_be
            return is_said and not any(map(here.says, words[:last]))  # is based in
        return not own.isdisjoint(_PLACE) or (last == 0 and own <= _OF)
    return preposition in own or (here.told.turned and preposition in _AGENT)
