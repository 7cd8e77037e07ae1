"""The larger phrase that the first of two names may be a part of: the mother of X, from X, who taught X."""

from __future__ import annotations

from factprobe.claims.surroundings import Surroundings
from factprobe.claims.tokens import MARKS
from factprobe.reading.language import vocabulary

_OF = vocabulary("of")
_PLACE = vocabulary("place_preposition", "from", "way_preposition")
_AS = vocabulary("as")
_PREPOSITIONS = vocabulary("preposition")
_RELATIVE = vocabulary("relative", "asks_person", "that")
_SIDE = vocabulary("relative", "asks_person")
_ANOTHER = vocabulary("link_and", "but", "begins_clause")
_JOINS = vocabulary("link_and", "link_or") | {","}
_KIND_OF = vocabulary("kind_of")
_KINDS = vocabulary("kind", "title")


def is_subject(here: Surroundings) -> bool:
    """Whether the first name is no part of a larger phrase, of which the words may tell: the mother of X was."""
    if _is_in_side_clause(here) or _is_in_place(here):
        return False
    place = preposition(here)
    if place < 0:
        return True
    link = [word.text for word in here.between[:2]]
    if link[:1] == ["("]:
        return True
    is_of = here.before[place].text in _OF
    head = here.before[place - 1] if place and here.before[place - 1].text not in MARKS else None
    if is_of and head is not None:
        return False
    is_relative = not _RELATIVE.isdisjoint(link[:1] if link[:1] != [","] else link[1:])
    if is_relative or not here.is_finite:
        return is_relative or link[:1] != [","] or head is None or is_apposition_of_place(here)
    return False


def is_apposition_of_place(here: Surroundings) -> bool:
    """Whether a noun is put behind the place where something is: was born in X, the capital of."""
    place = preposition(here)
    is_place = place >= 0 and here.before[place].text in _PLACE
    opens = [word.text for word in here.lead]
    return is_place and opens == [","] and here.told.wording.is_noun and not here.has_verb


def preposition(here: Surroundings) -> int:
    """Where the preposition stands that the first name belongs to, -1 where there is none."""
    has_kind = False
    for place in range(len(here.before) - 1, -1, -1):
        word = here.before[place]
        if word.text in _PREPOSITIONS:
            is_kind = word.text in _OF and place and here.before[place - 1].text in _KIND_OF
            if not is_kind:
                return place
        elif word.text in _KINDS:
            has_kind = True
        elif _is_joined(here, place):
            continue  # a rival of Sega and X, is
        elif not (word.says and (has_kind or here.text[word.span[0]].isupper())):
            return -1
    return -1


def _is_joined(here: Surroundings, place: int) -> bool:
    """Whether a word before the first name joins it to another in what is put in behind an earlier one."""
    if not (place and here.before[place].text in _JOINS and here.is_finite and here.pair.closes_aside):
        return False
    before = here.before[place - 1]
    return before.text in _PREPOSITIONS | _JOINS or here.text[before.span[0]].isupper()


def _is_in_place(here: Surroundings) -> bool:
    """Whether the words may tell of another in the place of the first name: Ankara replaced Istanbul as the capital
    of."""
    is_as = any(word.text in _AS for word in here.between[:1])
    return is_as and any(word.says for word in here.before[-1:])


def _is_in_side_clause(here: Surroundings) -> bool:
    """Whether the first name ends a side clause, behind which the main one goes on: X, who taught Y, died."""
    opens = next((word.text for word in here.between if word.text != ","), "")
    bracket = max((i for i, word in enumerate(here.before) if word.text == "("), default=len(here.before))
    if opens == ")" and any(map(here.says, here.before[bracket + 1 :])):
        return True
    if not here.is_finite or opens in _RELATIVE:
        return False
    comma = max((i for i, word in enumerate(here.before) if word.text == ","), default=-1)
    clause = here.before[comma + 1 :]
    if clause and clause[-1].text in _JOINS and here.pair.closes_aside:
        clause = clause[:-1]
    relative = next((i for i, word in enumerate(clause) if word.text in _SIDE), -1)
    if relative >= 0:
        return any(word.says or word.is_verb for word in clause[relative + 1 :])
    is_behind_name = comma == 0 or (comma > 0 and here.text[here.before[comma - 1].span[0]].isupper())
    is_aside = is_behind_name and bool(here.between) and here.between[0].text == ","
    if is_aside and not clause:  # Einstein, a German, was
        return bool(here.text[here.before[comma].span[1] : here.pair.first.start].strip())
    return is_aside and any(map(here.says, clause)) and _ANOTHER.isdisjoint(word.text for word in clause)
