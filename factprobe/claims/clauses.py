"""Whether words tell of another noun than the two names, in a clause or with a participle: a country that borders X."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from factprobe.claims.mentioned import is_attribute
from factprobe.claims.surroundings import Surroundings
from factprobe.claims.tokens import COPULA, MARKS, POSSESSIVE, Token
from factprobe.reading.language import in_order, vocabulary

_RELATIVE = vocabulary("relative", "asks_person", "that", "asks_place")
_OPENS = _RELATIVE | (vocabulary("subject_pronoun") - vocabulary("possessive"))
_PREPOSITIONS, _AGENT, _OF = vocabulary("preposition"), vocabulary("agent"), vocabulary("of")
_WHOSE = vocabulary("whose")
_JOINS, _PARTS = vocabulary("link_and", "but"), vocabulary("part_of")
_COMMON = vocabulary("function", "hedge")
_ARTICLES = vocabulary("article")
_A = _ARTICLES & vocabulary("article_one")
_DOING, _DONE = in_order("participle_ending"), in_order("past_participle_ending")
_ADVERBS = in_order("adverb_ending")


def leads_into_clause(here: Surroundings, tail: Sequence[Token]) -> bool:
    """Whether the second name ends what is told of a noun before it: in a city that rivals X, in a country bordering X.

    A clause that says no more than what the noun is, or how it is called, tells nothing of its own.

    Args:
        here: the words around the names.
        tail: those between the last of the wording's own and the second name.
    """
    first, last = here.places[1]
    if not tail and first >= last:
        return False
    said = [*here.between[first : last + 1], *tail]
    for number, word in enumerate(said):
        if word.text in _OPENS and word.key not in here.own:
            rest = said[number + 1 :]
            if not (rest and rest[0].key == COPULA) or any(word.says for word in rest):
                return True
    ends = [i for i, word in enumerate(tail) if word.text in _PREPOSITIONS]
    if _is_told_of(here, tail[ends[-1] + 1 if ends else 0 :]):
        return True
    if len(ends) < 2 or tail[ends[-1]].text not in _AGENT:
        return False
    inner = tail[ends[-2] + 1 : ends[-1]]
    return tail[ends[-2]].text in _AGENT or (_goes_on(inner) and inner[-1].text.endswith(_DONE))


def is_of_owned(behind: Sequence[Token]) -> bool:
    """Whether the words behind a name lead to that of what it has: Einstein's wife, Mileva, was; whose wife, Mileva,
    was."""
    is_whose = any(word.text in _WHOSE for word in behind) and not any(word.is_verb for word in behind)
    return is_whose or (bool(behind) and behind[0].text == POSSESSIVE)


def is_in_phrase(lead: Sequence[Token]) -> bool:
    """Whether words behind a name end with a noun that a preposition leads to, of which what follows is told: is in a
    country that; is in a country, which."""
    if all(word.text not in _PREPOSITIONS for word in lead):
        return False
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
    """Whether words before the second name are a noun and what is told of it with the name: a country bordering, a town
    the Romans called, the city X envies."""
    if not phrase:
        return False
    if _is_noun(phrase[-1]) and is_attribute(here.pair):
        return True
    if any(_is_noun(before) and article(here.text, before.span[1], word) for before, word in pairwise(phrase)):
        return True
    is_of_a = here.text[here.pair.second.start].isupper() and article(here.text, here.pair.first.end, phrase[0]) in _A
    return _goes_on(phrase) and (is_of_a or phrase[-1].text.endswith(_DOING))


def article(text: str, start: int, word: Token) -> str:
    """The article right before a word; empty where there is none."""
    before = text[start : word.span[0]].lower().split()[-1:]
    return before[0] if before and before[0] in _ARTICLES else ""


def _goes_on(phrase: Sequence[Token]) -> bool:
    """Whether something is said behind what may be a noun."""
    return bool(phrase) and phrase[-1].says and any(map(_is_noun, phrase[:-1]))


def _is_noun(word: Token) -> bool:
    """Whether a word may be a noun: it is no small word, no number and no adverb."""
    return word.text.isalpha() and word.text not in _COMMON and not (word.is_verb or word.text.endswith(_ADVERBS))
