"""Whether a sentence asserts, of today, what its words tell of two names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from factprobe.claims.governing import governed
from factprobe.claims.pairs import Pair
from factprobe.claims.stance import ClaimStance
from factprobe.claims.tokens import Token
from factprobe.claims.told import Told
from factprobe.reading.language import phrases, vocabulary
from factprobe.reading.phrasing import Phrases
from factprobe.reading.stance.denial import denies
from factprobe.text import normalise

_LEAD = 300
"""Letters before a name that may say of what is told behind it that it is not so."""
_NEAR = 60
"""Those that may say that another of the same name is meant."""
_ANDS = "|".join(sorted(vocabulary("link_and", "link_or")))
_CLAUSE_ENDS = re.compile(rf".*(?:[;:]|,(?!\s+(?:{_ANDS})\b)|\b(?:{'|'.join(vocabulary('but'))})\b)", re.DOTALL)
_WRONG = Phrases(phrases("stance_wrong"))
_TELLS, _DOUBT = Phrases(phrases("stance_tells")), Phrases(phrases("stance_doubt"))
_OPENS, _ONLY_OPENS = Phrases(phrases("unasserted_before")), Phrases(phrases("unasserted_aside"))
_WITHIN, _BEHIND = Phrases(phrases("unasserted_within")), Phrases(phrases("unasserted_behind"))
_CLAUSE, _REMARK = Phrases(phrases("unasserted_clause")), Phrases(phrases("unasserted_remark"))
_ENDING, _OTHER = Phrases(phrases("unasserted_ending")), Phrases(phrases("unasserted_other"))
_NAMESAKE = Phrases(phrases("unasserted_namesake"))
_FICTION, _UNVOUCHED = re.compile(phrases("unasserted_fiction")), re.compile(phrases("unvouched"))
_TAKEN_BACK = re.compile(rf"\s*(?:[(\[]|[-–—→]+)\s*(?:{phrases('taken_back')})\b", re.IGNORECASE)
_STRUCK, _CROSS = "~~", re.compile("[✗✘❌✖👎❎🚫]")
_QUOTES = (('"', '"'), ("“", "”"), ("«", "»"), ("„", "“"))
_OTHER_TIME = Phrases(phrases("other_time"))


def asserted(text: str, start: int, end: int, pair: Pair, told: Told, own: frozenset[str]) -> ClaimStance:
    """Whether the words around two names hold what they tell, deny it, or leave it open or tell it of another time.

    Args:
        text: all of it.
        start: where the sentence begins.
        end: where it ends.
        pair: the names and the words.
        told: the relation as its wording is met by them.
        own: the words of the relation's wordings: a drug that may treat something is said to do so with a "may".
    """
    before, between, after = (_words(text, part) for part in pair.around)
    begin = min(pair.first.start, pair.second.start)
    opening = text[max(start, begin - _LEAD) : begin]
    is_aside = _is_aside(pair.around[1])
    if _is_open(opening, (before, between, after), own, is_aside=is_aside) or _is_quoted(text, start, end, pair):
        return "open"
    if _is_taken_back(text, start, end, pair):
        return "open"
    plain = normalise(between) if between else ""
    if not denies(plain):
        return "holds"
    is_left_out = pair.around[1][0].span[0] < pair.first.start  # was not born in Ulm and Marie Curie in Warsaw
    return "open" if is_left_out else governed(text, pair.around[1], told, own)


@lru_cache(maxsize=1 << 12)
def _is_open(opening: str, around: tuple[str, str, str], own: frozenset[str], *, is_aside: bool) -> bool:
    """Whether words leave open what they tell; the same words come again around other names."""
    before, between, after = (normalise(part) if part else "" for part in around)
    lead = f"{before} {between}"
    return bool(
        denies(before)
        or _DOUBT.search(lead)
        or _TELLS.search(lead)
        or _WRONG.match(f" {after}")
        or _is_unsure(opening, lead, after, own)
        or _is_left_open((opening, around[0]), after, is_aside=is_aside)
        or _OTHER.search(between)
        or _NAMESAKE.search(opening[-_NEAR:].lower())
        or _OTHER_TIME.search(f"{normalise(opening) if opening else ''} § {between} § {after}")
        or not all(own.issuperset(match[0].split()) for match in _WITHIN.finditer(between))
    )


def _is_unsure(opening: str, lead: str, after: str, own: frozenset[str]) -> bool:
    """Whether a clause is said to be only likely, or of a fiction."""
    told = _CLAUSE.search(lead)
    if told and not own.issuperset(told[0].split()):
        return True
    if any(one.match(after) for one in (_REMARK, _CLAUSE, _ENDING)):
        return True
    return _FICTION.match(opening.lower()) is not None


def _is_left_open(leads: tuple[str, str], after: str, *, is_aside: bool) -> bool:
    """Whether a clause is a condition, a wish, a report or of a former day."""
    clauses = {*map(_last_clause, leads)}
    if not is_aside and any(_OPENS.search(clause) for clause in clauses):
        return True
    if any(_UNVOUCHED.search(clause) for clause in clauses):
        return True
    return any(_ONLY_OPENS.search(clause) for clause in clauses) or _BEHIND.match(after) is not None


def _is_taken_back(text: str, start: int, end: int, pair: Pair) -> bool:
    """Whether the text marks what it says as wrong, strikes it out, or tells of a fiction behind more names."""
    line = text.rfind("\n", 0, start) + 1
    behind = text[pair.second.end : min(end, pair.second.end + _LEAD)]
    return bool(
        _CROSS.search(text, start, end)
        or text.count(_STRUCK, line, pair.first.start) % 2
        or _TAKEN_BACK.match(text, end)
        or (behind.strip(" .") and _REMARK.match(normalise(behind)))
    )


def _is_quoted(text: str, start: int, end: int, pair: Pair) -> bool:
    """Whether both names stand in a quotation that is a part of its sentence."""
    for opens, closes in _QUOTES:
        at = text.rfind(opens, start, pair.first.start)
        close = text.find(closes, pair.first.end, end)
        if at < 0 or close < pair.second.end or (opens == closes and text.count(opens, start, at) % 2):
            continue
        if text[start:at].strip() or any(map(str.isalnum, text[close + 1 : end])):
            return True
    return False


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
