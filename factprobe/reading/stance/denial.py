"""The names that a reply rules out or only wonders about."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from factprobe.reading.language import phrases, vocabulary
from factprobe.reading.phrasing import Phrases
from factprobe.reading.stance.clauses import IN_CLAUSE, JOINS, Clause, goes_on_list

_NEUTRAL = Phrases(phrases("stance_neutral"))
_NOT = Phrases(rf"\b(?:{phrases('stance_not')})\b")
_DOUBT = Phrases(phrases("stance_doubt"))
_LINKS = vocabulary("link_and", "link_or") | {","}
_WRONG = Phrases(phrases("stance_wrong"))
_WRONG_TOO = Phrases(phrases("stance_wrong_too"))
_LABEL = Phrases(rf"\b(?:{phrases('stance_wrong_label')})")
_BESIDE = (":", "–", "—", "(")
"""What parts a name from a label that says that it is wrong."""
_SAYS_NO = vocabulary("says_no")
DENIES = Phrases(
    "|".join([one.pattern for one in (_NEUTRAL, _NOT, _DOUBT, _WRONG, _WRONG_TOO, _LABEL)])
    + rf"|\b(?:{'|'.join(sorted(_SAYS_NO))})\b"
)
"""All by which a name is ruled out or wondered about, with what is neutral, for it may part the words of a denial."""
_RHETORICAL = re.compile(rf"^\s*(?:{phrases('stance_rhetorical')})\b")


def denied_in(clauses: Sequence[Clause], asks: Collection[int]) -> tuple[set[int], set[int]]:
    """The mentions that are ruled out, and those that are only wondered about.

    Args:
        clauses: of the reply.
        asks: the sentences that end in a question mark.
    """
    ruled_out: set[int] = set()
    doubted: set[int] = set()
    state: set[int] | None = None
    for number, clause in enumerate(clauses):
        if not clause.mentions:
            ruled_out.update(_denied_beside(clauses, number))
            if not (clause.text == "" or (state is not None and clause.bare and clause.lead in _LINKS)):
                state = None
            continue
        joined = goes_on_list(clauses, number)
        before = clause.text[: clause.text.index("§")]
        if _DOUBT.search(before):
            state = doubted
        elif denies(before, asks=clause.sentence in asks) or _NOT.match(f"{clause.link} {before}"):  # instead of Ulm
            state = ruled_out
        elif not (state is not None and joined):
            state = None
        for position, mention in enumerate(clause.mentions):
            if state is not None:
                state.add(mention)
            if position + 1 >= min(len(clause.mentions), IN_CLAUSE):
                continue
            rest = clause.text.partition(f"§{mention} ")[2]
            if _NOT.search(rest.partition("§")[0]) and not _NEUTRAL.search(rest):
                state = ruled_out
        if _WRONG.match(clause.text.rpartition("§")[2].lstrip("0123456789")):
            ruled_out.update(clause.mentions[-1:])
            _carry_back(clauses, number, ruled_out)
    return ruled_out, doubted


def denies(before: str, *, asks: bool = False) -> bool:
    """Whether the words before a name rule it out; "Isn't it Ulm?" does not."""
    plain = _NEUTRAL.sub(" ", before)
    return _NOT.search(_RHETORICAL.sub("", plain) if asks else plain) is not None


def _denied_beside(clauses: Sequence[Clause], number: int) -> Sequence[int]:
    """What a clause without a name rules out beside it: Ulm, but that is wrong. Myth: Ulm. Ulm: incorrect."""
    clause = clauses[number]
    before = clauses[number - 1].mentions if number else []
    if before and clause.sentence == clauses[number - 1].sentence and _WRONG_TOO.match(clause.text):
        return before[-1:]
    if _LABEL.fullmatch(clause.text) is None:
        return ()
    if before and clause.lead.startswith(_BESIDE):
        return before[-1:]
    behind = clauses[number + 1] if number + 1 < len(clauses) else None
    return behind.mentions if behind is not None and behind.lead.startswith(":") else ()


def _carry_back(clauses: Sequence[Clause], number: int, ruled_out: set[int]) -> None:
    """A, C and D are wrong: what is said of the last of a list holds for all of it."""
    link = clauses[number].link
    if link not in JOINS or not clauses[number].text.startswith("§"):
        return
    while number > 0 and (link in JOINS or link == ",") and clauses[number - 1].sentence == clauses[number].sentence:
        number -= 1
        clause = clauses[number]
        if not clause.bare or not clause.mentions:
            break
        ruled_out.update(clause.mentions)
        link = clause.link
