"""Whether the words around two names tell a relation of just these two, and not of something beside them.

Of the sentence's grammar only that is read which a list of small words shows. What cannot be told by it is no claim.
"""

from __future__ import annotations

from factprobe.claims.clauses import is_of_owned
from factprobe.claims.direction import is_noun
from factprobe.claims.leading import leads
from factprobe.claims.phrases import is_subject
from factprobe.claims.reaching import reaches, runs
from factprobe.claims.surroundings import Surroundings
from factprobe.claims.tokens import COPULA, POSSESSIVE, Token
from factprobe.reading.language import vocabulary

_OF = vocabulary("of")
_PREFIXES = vocabulary("word_prefix")
_KINDS = vocabulary("kind", "title")


def is_of_both(here: Surroundings) -> bool:
    """Whether the relation is told of the very names."""
    return (
        _is_whole(here)
        and _is_unmodified(here)
        and _is_carried(here)
        and (bool(here.parts[0]) or is_subject(here))
        and (not here.turns or leads(here, here.lead))
        and reaches(here)
    )


def is_loose(here: Surroundings) -> bool:
    """Whether the words are put behind another name with a comma alone, of which they may be said: a band from X,
    formed in."""
    return bool(here.pair.carried) and not (here.has_verb or here.is_joined or _is_behind_aside(here))


def is_put_before(here: Surroundings) -> bool:
    """Whether the first name stands right before the wording's noun, as an adjective does: the Italian capital."""
    place = here.places[1][0]
    return here.turns and not place and here.told.wording.is_noun and here.between[0].span[0] == here.pair.first.end + 1


def _is_whole(here: Surroundings) -> bool:
    """Whether no name goes on, nor owns what the wording does not know: Einstein's wife, Peter the Great."""
    if is_of_owned(here.pair.carried):
        return False
    for words, part in ((here.between, here.parts[1]), (here.after, here.parts[2])):
        if words[:1] and words[0].text == POSSESSIVE and not (part and part[0].text == POSSESSIVE):
            return False
    if not here.after:
        return True
    behind, place = here.after[0], here.after[0].span[0]
    name = here.text[here.pair.second.start : here.pair.second.end]
    if behind.text in _OF and name[0].isupper() and name.lower() not in _KINDS:
        return len(here.after) < 2 or not here.text[here.after[1].span[0]].isupper()
    article = here.text[here.pair.second.end : place].strip().lower()
    return not (article in vocabulary("article") and here.text[place].isupper())


def _is_carried(here: Surroundings) -> bool:
    """Whether what stands behind another name may be said of the first: is old and the capital of."""
    first = here.pair.carried
    if not first or here.has_verb:
        return True
    return first[0].key == COPULA or (here.is_finite and here.is_joined) or _is_behind_aside(here)


def _is_behind_aside(here: Surroundings) -> bool:
    """Whether the verb follows what is put in behind the first name: X, born in Y, died in; X (in Y) died in."""
    marks = [word.text for word in (*here.pair.carried[:1], *here.between[:1])]
    return here.is_finite and not here.is_joined and marks in ([",", ","], ["(", ")"])


def _is_unmodified(here: Surroundings) -> bool:
    """Whether no noun or adjective makes another thing of the wording's noun: the beer capital of."""
    before, between, after = here.places
    if before[0] <= before[1]:
        inner = here.before[len(here.before) - 1 - before[1] :]
        outer = here.before[: len(here.before) - 1 - before[1]]
        if not runs(here, inner[1:], 0) or (outer and _modifies(here, outer[-1], inner[0])):
            return False
    first = between[0]
    if here.lead and here.lead[-1].text in _PREFIXES and here.text[here.between[first].span[0] - 1] == "-":
        return False  # re-born, co-capital
    if here.lead and is_noun(here.between, first) and _modifies(here, here.lead[-1], here.between[first]):
        return False
    return not any(map(here.says, here.after[: after[1] + 1]))


def _modifies(here: Surroundings, word: Token, noun: Token) -> bool:
    return here.says(word) and noun.span[0] == word.span[1] + 1
