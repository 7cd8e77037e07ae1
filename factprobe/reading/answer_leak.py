"""Detection of questions that contain their own answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType

from factprobe.question_types import End
from factprobe.records import Answer, Giveaway, Question, Statement
from factprobe.text import normalise

_SHORT = 3
"""Maximum length of names that are matched with their case, so that "IN" (India) is not found in "born in"."""
_NO_KEYS: Mapping[str, str] = MappingProxyType({})
_WORD = re.compile(r"[\w.+#&]+")


def own_text(question: Question) -> str:
    """Return the text of a question without instructions, or the last message of a record that has no such text."""
    if question.bare:
        return question.bare
    return question.statement.text if question.statement else question.prompts[-1].content if question.prompts else ""


def giveaway(question: Question) -> Giveaway:
    """Return the place where a question's own text contains a right answer; empty if it does not, or is true/false."""
    if isinstance(question.answers, str):
        return ""
    if question.statement is None:
        return named_in(own_text(question), (), question.answers)
    return named_by(question.statement, question.sought, question.answers)


def named_by(
    statement: Statement, sought: End, answers: Iterable[Answer], keys: Mapping[str, str] = _NO_KEYS
) -> Giveaway:
    """Return the place where a statement with a blank for the sought end contains a right answer; empty if none.

    Args:
        statement: Statement with its blank.
        sought: End that the blank stands for.
        answers: Right answers.
        keys: Normalised forms of some names, which are then not normalised again.
    """
    text, one, other = statement.text, statement.subject, statement.object
    first, last = (one, other) if one < other else (other, one)
    around = text[: first[0]], text[first[1] : last[0]], text[last[1] :]
    given = text[one[0] : one[1]] if sought == "object" else text[other[0] : other[1]]
    return _find_answer(given, around, answers, keys)


def named_in(text: str, given: Iterable[str], answers: Iterable[Answer]) -> Giveaway:
    """Return the place where a text contains a right answer; empty if it does not.

    Args:
        text: Text of the question.
        given: Names of the entity in the question.
        answers: Right answers.
    """
    known = max((name for name in given if name in text), key=len, default="")
    return _find_answer(known, tuple(text.split(known, 1)) if known else (text,), answers)


@lru_cache(maxsize=1 << 10)
def _words(around: tuple[str, ...]) -> str:
    """Normalise the words around a name; cached, since they recur with every fact of a template."""
    return f" {'  '.join(map(normalise, around))} "


def _find_answer(
    given: str, around: tuple[str, ...], answers: Iterable[Answer], keys: Mapping[str, str] = _NO_KEYS
) -> Giveaway:
    """Return the place where a name, or the text around it, contains a right answer; empty if neither does."""
    name, rest = f" {keys.get(given) or normalise(given)} ", _words(around)
    found: Giveaway = ""
    for one in answers:
        for alias in one.names():
            words = f" {keys.get(alias) or normalise(alias)} "
            in_rest = words in rest
            if not (in_rest or words in name):
                continue
            if len(alias) <= _SHORT and alias not in _WORD.findall(" ".join(around if in_rest else (given,))):
                continue
            if in_rest:
                return "words"
            found = "subject"
    return found
