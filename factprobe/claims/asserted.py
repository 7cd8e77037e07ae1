"""Whether a sentence asserts, of today, what its words tell of two names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from factprobe.claims.pairs import Pair
from factprobe.claims.tokens import Token
from factprobe.reading.language import phrases, vocabulary
from factprobe.reading.phrasing import Phrases
from factprobe.reading.stance.denial import denies
from factprobe.text import normalise

_LEAD = 300
"""Letters before a name that may say of what is told behind it that it is not so."""
_ANDS = "|".join(sorted(vocabulary("link_and", "link_or")))
_CLAUSE_ENDS = re.compile(rf".*(?:[;:]|,(?!\s+(?:{_ANDS})\b)|\b(?:{'|'.join(vocabulary('but'))})\b)", re.DOTALL)
_WRONG = Phrases(phrases("stance_wrong"))
_TELLS, _DOUBT = Phrases(phrases("stance_tells")), Phrases(phrases("stance_doubt"))
_OPENS, _ONLY_OPENS = Phrases(phrases("unasserted_before")), Phrases(phrases("unasserted_aside"))
_WITHIN, _BEHIND = Phrases(phrases("unasserted_within")), Phrases(phrases("unasserted_behind"))
_OTHER_TIME = Phrases(phrases("other_time"))


def is_asserted(text: str, start: int, pair: Pair, own: frozenset[str]) -> bool:
    """Whether the words around two names neither deny what they tell, nor leave it open, nor tell it of another time.

    Args:
        text: all of it.
        start: where the sentence begins.
        pair: the names and the words.
        own: the words of the relation's wordings: a drug that may treat something is said to do so with a "may".
    """
    before, between, after = (normalise(_words(text, part)) if part else "" for part in pair.around)
    lead = f"{before} {between}"
    if denies(lead) or _DOUBT.search(lead) or _TELLS.search(lead) or _WRONG.match(f" {after}"):
        return False
    opening = text[max(start, pair.first.start - _LEAD) : pair.first.start]
    clauses = {_last_clause(opening), _last_clause(_words(text, pair.around[0]))}
    if not _is_aside(pair.around[1]) and any(_OPENS.search(clause) for clause in clauses):
        return False
    if any(_ONLY_OPENS.search(clause) for clause in clauses) or _BEHIND.match(after):
        return False
    if _OTHER_TIME.search(f"{normalise(opening) if opening else ''} § {between} § {after}"):
        return False
    return all(own.issuperset(match[0].split()) for match in _WITHIN.finditer(between))


def _last_clause(opening: str) -> str:
    """What stands before a name in its own clause; the name is a sign."""
    clause = _CLAUSE_ENDS.sub("", opening.lower())
    return f"{normalise(clause) if clause.strip() else ''} §"


def _is_aside(between: Sequence[Token]) -> bool:
    """Whether the words are said by the way, whatever the clause says: If you visit Paris, the capital of France."""
    marks = [number for number, word in enumerate(between) if not word.text[0].isalnum() and len(word.text) == 1]
    opens = marks == [0] and len(between) > 1
    verbs = vocabulary("auxiliary").isdisjoint(word.text for word in between)
    return opens and (verbs or between[1].text in vocabulary("relative", "asks_person"))


def _words(text: str, part: Sequence[Token]) -> str:
    return text[part[0].span[0] : part[-1].span[1]] if part else ""
