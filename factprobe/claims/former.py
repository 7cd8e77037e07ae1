"""Whether words tell of a state that may be over: was the capital of, then based in, the capital of Y from 1901 to."""

from __future__ import annotations

from collections.abc import Sequence

from factprobe.claims.direction import is_noun
from factprobe.claims.surroundings import Surroundings
from factprobe.claims.tokens import COPULA, Token
from factprobe.reading.language import phrases, vocabulary
from factprobe.reading.phrasing import Phrases
from factprobe.text import normalise

_PAST_STATE = vocabulary("past_state")
_STATES, _HAS = vocabulary("state_participle"), vocabulary("has")
_OF_OLD = vocabulary("of_old")
_PERIOD, _PERIOD_ASIDE = Phrases(phrases("period_over")), Phrases(phrases("period_aside"))
_NEAR = 80
"""Letters beside a name that may say when it was so."""


def is_former_state(here: Surroundings) -> bool:
    """Whether the words around two names tell how something was or in what days, and not what happened: not was named
    after."""
    place = here.places[1][0] if here.turns else -1
    if is_past(here.between, place, is_noun=here.told.wording.is_noun):
        return True
    own = {word.text for part in here.parts for word in part}
    first, last = here.places[0]
    outer = here.before[: len(here.before) - 1 - last] if first <= last else here.lead
    return _is_state(here, place) and (
        any(word.text in _OF_OLD and word.text not in own for word in outer[-1:]) or _has_period(here)
    )


def is_former(words: Sequence[Token], own: frozenset[str]) -> bool:
    """Whether the words of a relation alone tell how something was.

    Args:
        words: of it.
        own: the words of the relation's wordings.
    """
    place = next((i for i, word in enumerate(words) if word.says and word.text in own), -1)
    return is_past(words, place, is_noun=place >= 0 and is_noun(words, place))


def is_past(words: Sequence[Token], place: int, *, is_noun: bool) -> bool:
    """Whether words tell how something was.

    Args:
        words: between two names, or of a relation alone.
        place: of the first that tells the relation, -1 where there is none.
        is_noun: whether that is a noun.
    """
    past = next((i for i, word in enumerate(words) if word.text in _PAST_STATE), -1)
    if past < 0 or any(word.key == COPULA and word.text not in _PAST_STATE for word in words[:past][-1:]):
        return False  # is bordered by
    if place <= past or is_noun or words[past].key != COPULA:
        return True
    is_thing = any(word.says for word in words[past + 1 : place])  # was a company based in
    return words[place].text in _STATES and not is_thing


def _is_state(here: Surroundings, place: int) -> bool:
    """Whether the words tell how something is, and not what happened."""
    is_had = any(word.text in _HAS for word in here.between[: place + 1])
    return place < 0 or is_had or here.told.wording.is_noun or here.between[place].text in _STATES


def _has_period(here: Surroundings) -> bool:
    """Whether what stands behind the second name, or is put in behind the first, says how long it was so."""
    behind, aside = _plain(here, here.after), _plain(here, here.lead)
    return bool(_PERIOD.match(behind) or _PERIOD.match(aside) or (not here.has_verb and _PERIOD_ASIDE.match(behind)))


def _plain(here: Surroundings, words: Sequence[Token]) -> str:
    begin = words[0].span[0] if words else 0
    plain = here.text[begin : min(words[-1].span[1], begin + _NEAR)] if words else ""
    return normalise(plain) if plain else ""
