"""What a denial among the words between two names is said of: of their relation or of something else."""

from __future__ import annotations

from collections.abc import Sequence

from factprobe.claims.stance import ClaimStance, said
from factprobe.claims.tokens import COPULA, Token
from factprobe.claims.told import Told
from factprobe.reading.language import phrases, vocabulary
from factprobe.reading.phrasing import Phrases
from factprobe.reading.stance.denial import denies
from factprobe.text import normalise

_CLOSES = {",": ",", "(": ")"}
_CUTS, _AND, _ALL = vocabulary("but", "begins_clause"), vocabulary("link_and"), vocabulary("all")
_SIDE = vocabulary("relative", "asks_person", "begins_clause")
_HARMLESS = vocabulary("harmless", "light_verb")
_ANOTHER = Phrases(phrases("denied_namesake"))


def governed(text: str, between: Sequence[Token], told: Told, own: frozenset[str]) -> ClaimStance:
    """What words between two names, one of which denies, say of the relation that they tell.

    A denial counts where it stands before the wording's own words, or before the second name, with nothing between that
    says something else: is not the capital of; not in "is not large and is the capital of". Of what is put in behind a
    name nothing is taken: X, not being small, is.

    Args:
        text: all of it.
        between: the words.
        told: the relation as its wording is met by them.
        own: the words of the relation's wordings.
    """
    first, last = told.places[1]
    is_told_here = first <= last
    lead = between[:first] if is_told_here else between
    clause, said_of_lead = _clause(text, lead)
    if said_of_lead == "open":
        return "open"
    says = "holds"
    for words in (clause, between[last + 1 :] if is_told_here else ()):
        at = _denial(text, words)
        if at < 0:
            continue
        if any(word.says and word.text not in own and word.text not in _HARMLESS for word in words[at + 1 :]):
            return "open"
        says = "denied"
    if says == "holds":
        inner = between[first : last + 1] if is_told_here else ()
        return "open" if _denial(text, inner) >= 0 else "holds"
    return said(_plain(text, [*clause, *between[first:]] if is_told_here else clause), own)


def _clause(text: str, lead: Sequence[Token]) -> tuple[Sequence[Token], ClaimStance]:
    """The words of the wording's own clause before it, and whether those before them leave it open."""
    while lead and (closing := _CLOSES.get(lead[0].text)):
        end = next((i for i, word in enumerate(lead) if i and word.text == closing), 0)
        if not end:
            break
        if _denial(text, lead[1:end]) >= 0 and not _is_by_the_way(text, lead[:end]):
            return lead, "open"
        lead = lead[end + 1 :]
    cut = max((i for i, word in enumerate(lead) if word.text in _CUTS or word.text in _AND), default=-1)
    if cut < 0 or _denial(text, lead[:cut]) < 0:
        return lead, "holds"
    rest = lead[cut + 1 :]
    goes_on = lead[cut].text in _CUTS and lead[cut - 1].text not in _ALL
    is_own = goes_on or (bool(rest) and rest[0].key == COPULA)  # does not rest and remain
    is_plain = said(_plain(text, lead[:cut]), frozenset()) == "denied"
    return rest, "holds" if is_own and is_plain else "open"


def _is_by_the_way(text: str, aside: Sequence[Token]) -> bool:
    """Whether a denial in what is put in behind a name is one of something else, and tells the name from no namesake:
    not being small, who was not rich; not "not the writer", "I do not think"."""
    opens = aside[1]
    is_own = opens.text in _SIDE or denies(normalise(opens.text))
    plain = _plain(text, aside[1:])
    return is_own and not _ANOTHER.match(plain) and said(plain, frozenset()) == "denied"


def _denial(text: str, words: Sequence[Token]) -> int:
    """Where the last denial among some words begins; -1 where there is none."""
    places = range(len(words) - 1, -1, -1)
    return next((i for i in places if denies(_plain(text, words[i:]))), -1)


def _plain(text: str, words: Sequence[Token]) -> str:
    plain = text[words[0].span[0] : words[-1].span[1]] if words else ""
    return normalise(plain) if plain else ""
