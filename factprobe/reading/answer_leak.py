"""Detection of questions that contain their own answer."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from factprobe.question_types import End
from factprobe.records import Answer, Giveaway, Question, Statement
from factprobe.text import normalise

_MAX_CASED = 3
"""Maximum length of a name whose case must match, so that "IN" (India) is not found in "born in"."""
_normalised = lru_cache(maxsize=1 << 12)(normalise)
_WORD = re.compile(r"[\w.+#&]+")


def own_text(question: Question) -> str:
    """Return a question without its instructions; if this text is unknown, its last message."""
    if question.bare:
        return question.bare
    return question.statement.text if question.statement else question.prompts[-1].content if question.prompts else ""


def giveaway(question: Question) -> Giveaway:
    """Return the part of a question that contains a right answer; empty if none does, and for true/false questions."""
    if isinstance(question.answers, str):
        return ""
    if question.statement is None:
        return named_in(own_text(question), (), question.answers)
    return named_by(question.statement, question.sought, question.answers)


def named_by(statement: Statement, sought: End, answers: Iterable[Answer]) -> Giveaway:
    """Return the part of a statement, with a blank at the sought end, that contains a right answer; else empty."""
    text, one, other = statement.text, statement.subject, statement.object
    first, last = (one, other) if one < other else (other, one)
    around = text[: first[0]], text[first[1] : last[0]], text[last[1] :]
    given = text[one[0] : one[1]] if sought == "object" else text[other[0] : other[1]]
    return _find_answer(given, around, answers)


def named_in(text: str, given: Iterable[str], answers: Iterable[Answer]) -> Giveaway:
    """Return the part of a question that contains a right answer, given the names of its entity; empty if none does."""
    known = max((name for name in given if name in text), key=len, default="")
    return _find_answer(known, tuple(text.split(known, 1)) if known else (text,), answers)


@lru_cache(maxsize=1 << 10)
def _words(around: tuple[str, ...]) -> str:
    """Return the texts around a name, normalised and joined; cached, since each fact of a template has the same."""
    return f" {'  '.join(map(normalise, around))} "


def _find_answer(given: str, around: tuple[str, ...], answers: Iterable[Answer]) -> Giveaway:
    """Return whether the text around a name (`words`) or the name (`subject`) contains a right answer, or empty."""
    name, rest = f" {_normalised(given)} ", _words(around)
    giveaway: Giveaway = ""
    for answer in answers:
        for alias in answer.names():
            words = f" {_normalised(alias)} "
            in_rest = words in rest
            if not (in_rest or words in name):
                continue
            if len(alias) <= _MAX_CASED and alias not in _WORD.findall(" ".join(around if in_rest else (given,))):
                continue
            if in_rest:
                return "words"
            giveaway = "subject"
    return giveaway
