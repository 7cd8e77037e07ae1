"""Whether a question names its own answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType

from factprobe.question_types import End
from factprobe.records import Answer, Giveaway, Question, Statement
from factprobe.text import normalise

_SHORT = 3
"""Names of so few characters are looked for as they are written: "IN", for India, is not in "born in"."""
_NO_KEYS: Mapping[str, str] = MappingProxyType({})
_WORD = re.compile(r"[\w.+#&]+")


def own_text(question: Question) -> str:
    """What a question asks in its own words; of one that does not say it as data, the last message."""
    if question.bare:
        return question.bare
    return question.statement.text if question.statement else question.prompts[-1].content if question.prompts else ""


def giveaway(question: Question) -> Giveaway:
    """Where a right answer stands in a question's own words; nowhere for statements, which show what they ask about."""
    if isinstance(question.answers, str):
        return ""
    if question.statement is None:
        return named_in(own_text(question), (), question.answers)
    return named_by(question.statement, question.sought, question.answers)


def named_by(
    statement: Statement, sought: End, answers: Iterable[Answer], keys: Mapping[str, str] = _NO_KEYS
) -> Giveaway:
    """Where a right answer stands in a statement with a blank for the end that is sought.

    Args:
        statement: with its blank.
        sought: the end that the blank stands for.
        answers: the right ones.
        keys: names that are normalised already, with what came of it.
    """
    text, one, other = statement.text, statement.subject, statement.object
    first, last = (one, other) if one < other else (other, one)
    around = text[: first[0]], text[first[1] : last[0]], text[last[1] :]
    given = text[one[0] : one[1]] if sought == "object" else text[other[0] : other[1]]
    return _named(given, around, answers, keys)


def named_in(text: str, given: Iterable[str], answers: Iterable[Answer]) -> Giveaway:
    """Where a right answer stands in a text.

    Args:
        text: a question's own words.
        given: the names of the entity that it is about.
        answers: the right ones.
    """
    known = max((name for name in given if name in text), key=len, default="")
    return _named(known, tuple(text.split(known, 1)) if known else (text,), answers)


@lru_cache(maxsize=1 << 10)
def _words(around: tuple[str, ...]) -> str:
    """The words of a text beside a name, which come again with every fact of a template."""
    return f" {'  '.join(map(normalise, around))} "


def _named(
    given: str, around: tuple[str, ...], answers: Iterable[Answer], keys: Mapping[str, str] = _NO_KEYS
) -> Giveaway:
    """Where a right answer stands in a text that has a name between other words."""
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
