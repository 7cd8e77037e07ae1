"""Whether words tell of another noun than the two names, in a clause or with a participle: a country that borders X."""

from __future__ import annotations

from collections.abc import Sequence

from factprobe.claims.surroundings import Surroundings
from factprobe.claims.tokens import MARKS, Token
from factprobe.reading.language import in_order, vocabulary

_RELATIVE = vocabulary("relative", "asks_person", "that", "asks_place")
_OPENS = _RELATIVE | (vocabulary("subject_pronoun") - vocabulary("possessive"))
_PREPOSITIONS, _AGENT, _OF = vocabulary("preposition"), vocabulary("agent"), vocabulary("of")
_JOINS, _PARTS = vocabulary("link_and", "but"), vocabulary("part_of")
_COMMON = vocabulary("function", "hedge")
_A = vocabulary("article") & vocabulary("article_one")
_PARTICIPLES, _ADVERBS = in_order("participle_ending"), in_order("adverb_ending")


def leads_into_clause(here: Surroundings, tail: Sequence[Token]) -> bool:
    """Whether the second name ends what is told of a noun before it: in a city that rivals X, in a country bordering X.

    A clause that says no more than what the noun is, or how it is called, tells nothing of its own.

    Args:
        here: the words around the names.
        tail: those between the last of the wording's own and the second name.
    """
    first, last = here.places[1]
    said = [*here.between[first : last + 1], *tail]
    for number, word in enumerate(said):
        if word.text in _OPENS and word.key not in here.own:
            rest = said[number + 1 :]
            if not (rest and rest[0].is_verb) or any(map(here.says, rest)):
                return True
    ends = [-1, *(i for i, word in enumerate(tail) if word.text in _PREPOSITIONS)]
    if _is_told_of(here, tail[ends[-1] + 1 :]):
        return True
    if len(ends) < 3 or tail[ends[-1]].text not in _AGENT:
        return False
    inner = tail[ends[-2] + 1 : ends[-1]]
    return tail[ends[-2]].text in _AGENT or (_goes_on(here, inner) and _opens_with_a(here, inner))


def is_in_phrase(lead: Sequence[Token]) -> bool:
    """Whether words behind a name end with a noun that a preposition leads to, of which what follows is told: is in a
    country that; is in a country, which."""
    clause = lead
    for number, word in enumerate(lead):
        is_cut = word.text in MARKS and not (lead[number + 1 :] and lead[number + 1].text in _RELATIVE)
        if is_cut or word.text in _JOINS:
            clause = lead[number + 1 :]
    is_relative = any(word.text in _RELATIVE for word in clause)
    for number, word in enumerate(clause):
        if word.text in _PREPOSITIONS and (number or is_relative):
            is_part = number > 0 and word.text in _OF and clause[number - 1].text in _PARTS
            if not is_part and any(map(_is_noun, clause[number + 1 :])):
                return True
    return False


def _is_told_of(here: Surroundings, phrase: Sequence[Token]) -> bool:
    """Whether words before the second name are a noun and what is told of it with the name."""
    return _goes_on(here, phrase) and (phrase[-1].text.endswith(_PARTICIPLES) or _opens_with_a(here, phrase))


def _goes_on(here: Surroundings, phrase: Sequence[Token]) -> bool:
    """Whether something is said behind what may be a noun."""
    return bool(phrase) and here.says(phrase[-1]) and any(map(_is_noun, phrase[:-1]))


def _opens_with_a(here: Surroundings, phrase: Sequence[Token]) -> bool:
    """Whether words have an "a" before them, with which no name is told of a noun: a maker X."""
    is_name = here.text[here.pair.second.start].isupper()
    before = here.text[here.pair.first.end : phrase[0].span[0]].lower().split()
    return is_name and before[-1:] != [] and before[-1] in _A


def _is_noun(word: Token) -> bool:
    """Whether a word may be a noun: it is no small word, no number and no adverb."""
    return word.text.isalpha() and word.text not in _COMMON and not (word.is_verb or word.text.endswith(_ADVERBS))
