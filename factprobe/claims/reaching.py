"""Whether the words behind a wording's own lead to the second name."""

from __future__ import annotations

from collections.abc import Sequence

from factprobe.claims.clauses import leads_into_clause
from factprobe.claims.surroundings import Surroundings
from factprobe.claims.tokens import COPULA, Token
from factprobe.reading.language import vocabulary

_OF = vocabulary("of")
_AGENT = vocabulary("agent")
_PREPOSITIONS = vocabulary("preposition")
_PLACE = vocabulary("place_preposition")
_AND = vocabulary("link_and")
_KIND_OF = vocabulary("kind_of")


def reaches(here: Surroundings) -> bool:
    """Whether the words behind the wording's own lead to the second name."""
    tail = here.tail
    marks = [word.text for word in tail if word.text in "()"]
    if here.turns and marks[:1] == [")"]:
        return False  # (born in 1950) is a singer from
    if not here.turns:  # the wording's noun stands before the names or behind them: the capital of X is Y
        verb = next((i for i, word in enumerate(tail) if word.key == COPULA), -1)
        if any(map(here.says, tail[: verb + 1] if verb >= 0 else tail)) and not (tail and tail[0].text in ",("):
            return False
        if tail and tail[0].text == "," and verb >= 0 and _is_apposition(here):
            return False  # Paris, the capital of France, is in
        tail = tail[verb + 1 :]
    return runs(here, tail, 1) and not leads_into_clause(here, tail)


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
    while len(words) > 1 and words[-1].text in _OF and words[-2].text in _KIND_OF:
        words = words[:-2]
    last = max((i for i, word in enumerate(words) if word.text in _PREPOSITIONS), default=-1)
    if last < 0:
        return True
    preposition = words[last].text
    own = {word.text for word in here.parts[number]} & _PREPOSITIONS
    if preposition in _OF:
        is_and = any(word.text in _AND for word in words[:last])
        return preposition in own and (last == 0 or is_and or not here.says(words[last - 1]))
    if preposition in _PLACE:
        if not own:  # whose capital is in Paris, and none that is released in Japan
            is_said = here.told.wording.is_noun or here.told.wording.is_be
            return is_said and not any(map(here.says, words[:last]))  # is based in
        return not own.isdisjoint(_PLACE) or (last == 0 and own <= _OF)
    return preposition in own or (here.told.turned and preposition in _AGENT)
