"""Inference of the question type of a record (true/false, options, one answer or several)."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from typing import Literal

from factprobe.question_types import QuestionType
from factprobe.reading.language import phrases, vocabulary
from factprobe.records import SIDES, Side

Match = Literal["any", "all"]
_TRUE_FALSE = frozenset({"true", "false"})
_CLAUSE = re.compile(r"(?:^|[.!?:;,\n])\s*([\w'’]+)")
_WORD = re.compile(r"\w+")


def infer_kind(question: str, names: Collection[str], has_choices: bool, match: Match) -> QuestionType:
    """Infer the type of a question from its words, its right answers and its options."""
    if has_choices:
        return "multi_choices"
    if side_of(names) is not None and _asks_for_side(question.casefold(), {*map(_word, names)}):
        return "binary_answer"
    return "multiple_answer" if match == "all" else "single_answer"


def side_of(names: Collection[str]) -> Side | None:
    """Return the truth value that answers such as `yes` or `false` name; None if one names none or they differ."""
    known = _sides()
    sides = {known.get(_word(name)) for name in names}
    return sides.pop() if len(sides) == 1 else None


def _word(name: str) -> str:
    return name.casefold().rstrip(".!")


@cache
def _sides() -> dict[str, Side]:
    yes = vocabulary("judgment_true", "judgment_yes", "judgment_alone_true", "binary_answers_yes")
    no = vocabulary("judgment_false", "judgment_no", "judgment_alone_false", "binary_answers_no")
    sides: dict[str, Side] = {**dict.fromkeys(yes, "correct"), **dict.fromkeys(no, "incorrect")}
    return sides | SIDES


@cache
def _offer_pattern() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{phrases('binary_offer')})\b")


def _asks_for_side(question: str, names: set[str]) -> bool:
    """Return whether a question asks for yes or no, or true or false.

    It does if it or one of its clauses begins with an auxiliary verb, if it names both choices ("true or false"), or if
    it is a declarative sentence. The check is needed since answers such as "right" and "1" also answer other questions:
    "Is it left or right?", "Can you tell me how many there are?" Answers in other languages, such as "da" and "nu", are
    not accepted, since they are too short to tell.
    """
    if not names <= vocabulary("binary_answers_yes", "binary_answers_no") | SIDES.keys():
        return False
    words, verbs = {*_WORD.findall(question)}, vocabulary("auxiliary")
    begin_with_verb = [_without_negation(word) in verbs for word in _CLAUSE.findall(question)]
    has_first, seeks = begin_with_verb[:1] == [True], not words.isdisjoint(vocabulary("interrogative"))
    if not names <= vocabulary("binary_answers_yes", "binary_answers_no") | _TRUE_FALSE:
        return has_first and not seeks and words.isdisjoint(names)
    if has_first or _offer_pattern().search(question):
        return True
    return not seeks and (any(begin_with_verb) or (question.endswith(".") and names <= _TRUE_FALSE))


def _without_negation(word: str) -> str:
    """Return a verb without a contracted negation ("isn't", "can't")."""
    word = word.replace("’", "'")
    return word[: -2 if word == "can't" else -3] if word.endswith("n't") else word
