"""Where a reply makes up its mind: its conclusion, its last correction, or what it says first."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import takewhile

from factprobe.reading.language import phrases, vocabulary
from factprobe.reading.phrasing import Phrases
from factprobe.reading.stance.clauses import IN_CLAUSE, JOINS, Clause

_CONCLUDES = Phrases(phrases("stance_concludes"))
_RIGHT = re.compile(phrases("stance_right"))
_TOGETHER = re.compile(rf"§\d+ (?:{phrases('stance_together')})\b")
"""What is said of the names of a list together: B and C both fit."""
_IS_ANSWER = Phrases(phrases("stance_is_answer"))
_REASONS = vocabulary("gives_reason")
_SO = vocabulary("so")
_MAY_CONCLUDE = Phrases(f"{_CONCLUDES.pattern}|{_IS_ANSWER.pattern}|\\b(?:{'|'.join(sorted(_SO))})\\b")
_BUT = vocabulary("but")
_OR_SO = re.compile(phrases("or_so"))
_MENDS = Phrases(phrases("stance_mends"))
MAKES_UP = "|".join([one.pattern for one in (_CONCLUDES, _IS_ANSWER, _MENDS)]) + rf"|\b(?:{_RIGHT.pattern})\b"
"""All by which a clause may say which name is the answer, or take one back."""
_OTHER_GUESS = Phrases(phrases("stance_other_guess"))
_NEXT, _IN_SIGHT = 2, 4
"""Clauses behind "no, wait" in which the right name comes, and those that are looked at for them."""


def decided(
    sentences: Mapping[int, list[Clause]],
    said: Sequence[int],
    where: Mapping[int, Clause],
    concluded: Sequence[int],
    mended: Sequence[int],
    asks: Collection[int],
) -> Sequence[int]:
    """The mentions where the reply makes up its mind: its conclusion, its last correction, or its first statement."""
    if len(said) < 2:
        return said
    found = mended if mended and (not concluded or concluded[-1] < mended[0]) else concluded or said
    asking = [m for m in found if where[m].sentence in asks]
    if asking and any(m > asking[-1] and (where[m].predicate or where[m].own or not where[m].other) for m in found):
        found = [m for m in found if m > asking[-1]]  # Ulm? That is where his father came from. He was born in Munich.
    first = where[found[0]]
    if first.other and not first.predicate:  # Rastafari venerate him, but he belonged to the Ethiopian Church
        found = _after_but(found, where) or found
        first = where[found[0]]
    chosen = []
    names_only = all(c.bare for c in sentences[first.sentence] if c is not first)
    last, takes = first.sentence, True
    for mention in found:
        clause = where[mention]
        if clause.sentence == first.sentence:
            goes_on = clause.bare and clause.link in JOINS and clause is not first
            goes_on = goes_on or _TOGETHER.match(clause.text) is not None
            gives_reason = clause is not first and not _REASONS.isdisjoint(clause.lead.split())
            takes = takes if goes_on else clause is first or not clause.other or clause.predicate
            takes = takes and not gives_reason
        elif clause.sentence != last:
            between = range(last + 1, clause.sentence + 1)
            names_only = names_only and all(n in sentences and all(c.bare for c in sentences[n]) for n in between)
            here = sentences[clause.sentence]
            short = all(c.bare and len(c.words) < 4 for c in here)
            takes = (short and names_only) or (not short and _OTHER_GUESS.search(_joined_text(here)) is not None)
            last = clause.sentence
        if takes:
            chosen.append(mention)
    return chosen


def _after_but(found: Sequence[int], where: Mapping[int, Clause]) -> list[int]:
    """The mentions from the first one on that "but" sets against those before it, in one sentence."""
    first = where[found[0]]
    for number, mention in enumerate(found):
        clause = where[mention]
        if clause is not first and clause.sentence == first.sentence and not _BUT.isdisjoint(clause.lead.split()):
            return list(found[number:])
    return []


def _joined_text(clauses: list[Clause]) -> str:
    return " ".join(f"{clause.lead} {clause.text}".strip() for clause in clauses).lstrip(".!?\n-–, ")


def may_conclude(whole: str) -> bool:
    """Whether there may be a conclusion in a reply: in what all of its clauses say, with what leads to each."""
    return ":" in whole or _MAY_CONCLUDE.may_be_in(whole)


def conclusion(
    sentences: Mapping[int, list[Clause]], clauses: list[Clause], said: Collection[int], where: dict[int, Clause]
) -> tuple[list[int], bool]:
    """The mentions that the last conclusion of a reply names, and whether it says more than "so" of them."""
    best: list[int] = []
    weak: list[int] = []
    for number, clause in enumerate(clauses):
        marked = _CONCLUDES.search(clause.text)
        if not marked and clauses[number + 1 : number + 2] and clauses[number + 1].lead.startswith(":"):
            marked = _RIGHT.fullmatch(clause.text)
        if number and clause.lead.startswith(":") and _RIGHT.fullmatch(clause.text):  # Ulm: correct
            best = [m for m in clauses[number - 1].mentions if m in said][-1:] or best
        if _IS_ANSWER.search(clause.text):
            best = [m for m in range(clause.before) if m in said and where[m].sentence == clause.sentence][-1:] or best
        so = not _SO.isdisjoint(_OR_SO.sub("", clause.lead).split()) or not _SO.isdisjoint(clause.words[:1])
        if not (marked or so):
            continue
        here = sentences[clause.sentence]
        here = here[here.index(clause) :]
        here = here[:1] + list(takewhile(lambda c: _REASONS.isdisjoint(c.lead.split()), here[1:]))
        following = [m for c in here for m in c.mentions if m in said]
        # "The final answer is:", and the name on the next line
        if not following and (clause.text.endswith(marked[0]) if marked else len(clause.words) < 2):
            following = [m for c in sentences.get(clause.sentence + 1, ()) for m in c.mentions if m in said]
        if marked and following and where[following[0]] is clause:
            behind = clause.text[marked.start() :].split()
            following = [m for m in following if where[m] is not clause or f"§{m}" in behind] or following
        if marked and marked[0].startswith("§"):  # "Ulm is the right one": no other that its reason names
            following = [m for m in clause.mentions if m in said and marked[0].startswith(f"§{m} ")] or following
        if following and marked:
            best = following
        elif following and clause.before + len(here):
            weak = following
    return best or weak, bool(best)


def with_lead(clause: Clause) -> str:
    """What a clause says, behind what leads to it without commas and full stops."""
    return f"{clause.lead.replace(',', ' ').replace('.', ' ')} {clause.text}"


def _taken_back(clause: Clause, text: str) -> re.Match[str] | None:
    """The words of a clause, or of what leads to it, that take back what was said before."""
    return (_MENDS.search(text) or _MENDS.search(f"{clause.text} ,")) if _MENDS.may_be_in(text) else None


def correction(clauses: list[Clause], said: list[int], whole: str) -> list[int]:
    """The mentions after the last place where a reply takes back what it said; `whole` is all that the clauses say."""
    if not _MENDS.may_be_in(whole):
        return []
    taken = set(said)
    start = None
    for number, clause in enumerate(clauses):
        text = with_lead(clause)
        marked = _taken_back(clause, text)
        if not marked:
            continue
        behind = text[marked.start() :].split()
        here = [m for m in clause.mentions[:IN_CLAUSE] if m in taken and f"§{m}" in behind]
        if here and clause.other and not clause.predicate:
            continue
        later = here or [
            m
            for c in [c for c in clauses[number + 1 : number + 1 + _IN_SIGHT] if c.words][:_NEXT]
            for m in c.mentions[:IN_CLAUSE]
            if m in taken and not (c.other and not c.predicate)
        ]
        if later and said[0] < later[0]:
            start = later[0]
    return [m for m in said if m >= start] if start is not None else []
