"""Whether the words between a name and a wording's own leave the wording to that name."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from factprobe.claims.clauses import is_in_phrase, is_of_owned
from factprobe.claims.surroundings import Surroundings
from factprobe.claims.tokens import COPULA, POSSESSIVE, Token, unplaced
from factprobe.reading.language import vocabulary

_OF = vocabulary("of")
_AS = vocabulary("as")
_WHOSE = vocabulary("whose")
_PREPOSITIONS = vocabulary("preposition")
_JOINS = vocabulary("link_and", "but")
_RELATIVE = vocabulary("relative", "asks_person", "that")
_BE = vocabulary("becomes")
_SERVES = vocabulary("serves")
_HARMLESS = vocabulary("harmless", "light_verb")
_HIS = vocabulary("possessive")
_PARTS = vocabulary("part_of")
_NONE = unplaced(",")[0]
_KINDS = vocabulary("kind", "title")


def leads(here: Surroundings, lead: Sequence[Token]) -> bool:  # noqa: PLR0911  # a list of cases
    """Whether the words before the wording's own leave it to the first name."""
    if lead and lead[-1].text in _PREPOSITIONS:
        turning = next(i for i, word in enumerate(here.parts[1]) if word.key in here.told.wording.turns_on)
        if lead[-1].text not in {word.text for word in here.parts[1][:turning]}:
            return False
    if not any(map(here.says, lead)):
        return _WHOSE.isdisjoint(word.text for word in lead[:-1]) and not is_in_phrase(lead)
    while lead[0].text in _KINDS:  # Ltd was a company
        lead = lead[1:]
    opens, rest = lead[0], lead[1:]
    if opens.text == "(":
        close = next((i for i, word in enumerate(lead) if word.text == ")"), None)
        return leads(here, lead[close + 1 :]) if close is not None else _is_beside(here, rest)
    if opens.text == "," and not here.pair.carried:
        last = max((i for i, word in enumerate(lead) if word.text == ","), default=0)
        if last:
            is_of_name = _ends_in_name(here, lead[:last]) and _is_told_of_name(here, lead[last + 1 :])
            return not (is_of_name or is_of_owned(lead[:last]) or any(map(here.says, lead[last + 1 :])))
        if rest[0].text in _RELATIVE:
            return _is_predicate(here, rest[1:])
        return not here.is_finite and _is_phrase(rest)
    if opens.text in _RELATIVE:
        return _is_predicate(here, rest)
    if opens.is_verb or opens.text in _SERVES:
        return _is_predicate(here, lead)
    return _is_coordinated(here, lead)


def _ends_in_name(here: Surroundings, aside: Sequence[Token]) -> bool:
    """Whether what is put in behind the first name ends with another: X, a colleague of Leo Szilard, born in."""
    is_name = any(map(str.isupper, here.text[slice(*aside[-1].span)]))
    return is_name and any(word.text in _PREPOSITIONS or word.is_verb for word in aside)


def _is_told_of_name(here: Surroundings, lead: Sequence[Token]) -> bool:
    """Whether words behind a comma belong to the name before it: a relative clause, or a participle."""
    is_finite = here.is_active or any(word.is_verb for word in lead)
    return not is_finite or any(word.text in _RELATIVE for word in lead[:1])


def _is_beside(here: Surroundings, words: Sequence[Token]) -> bool:
    """Whether the wording stands in a bracket behind a name, alone or behind a comma."""
    marks = [i for i, word in enumerate(words) if word.text in ",;"]
    if marks[-1:] > [0] and words[marks[-1]].text == "," and _ends_in_name(here, words[: marks[-1]]):
        return False
    return _is_phrase(words[marks[-1] + 1 :] if marks else words)


def _is_predicate(here: Surroundings, words: Sequence[Token]) -> bool:
    """Whether words that begin with a verb say what the first name is, of which the wording says more."""
    at = next((i for i, word in enumerate(words) if not word.is_verb and word.text not in _SERVES), len(words))
    verbs, rest = words[:at], words[at:]
    if verbs and verbs[-1].text in _SERVES and rest[:1] and rest[0].text in _AS:
        rest = rest[1:]
    if not any(map(here.says, rest)):
        return True
    if _is_coordinated(here, rest):
        return True
    relative = max((i for i, word in enumerate(rest) if word.text in _RELATIVE), default=-1)
    if relative >= 0:
        if any(map(here.says, rest[relative + 1 :])):
            return False
        rest = rest[:relative]
    if not any(word.key == COPULA or word.text in _BE or word.text in _SERVES for word in verbs):
        return False
    comma = max((i for i, word in enumerate(rest) if word.text == ","), default=-1)
    if comma >= 0 and not _has_verb_in(rest):  # a toolbar for the browser, developed by
        is_name = comma > 0 and here.text[rest[comma - 1].span[0]].isupper()  # of Niels Bohr, born in
        return not is_name and not any(map(here.says, rest[comma + 1 :]))
    return _is_phrase(rest)


def _has_verb_in(words: Sequence[Token]) -> bool:
    return any(word.is_verb or word.text in _HIS for word in words)


def _is_phrase(words: Sequence[Token]) -> bool:
    """Whether words are a noun with its adjectives and no more."""
    others = _PREPOSITIONS | _HIS | _RELATIVE | _AS
    return not any(
        (word.text in others and not (word.text in _OF and before.text in _PARTS))
        or word.is_verb
        or word.text == POSSESSIVE
        for before, word in pairwise((_NONE, *words))
    )


def _is_coordinated(here: Surroundings, words: Sequence[Token]) -> bool:
    """Whether a statement about the first name is over, and the wording is one more of it: studied law and died."""
    join = max((i for i, word in enumerate(words) if word.text in _JOINS), default=-1)
    if join < 0 or not here.is_finite or any(word.text in _RELATIVE for word in words[:join]):
        return False
    return all(word.is_verb or word.text in _HARMLESS for word in words[join + 1 :])
