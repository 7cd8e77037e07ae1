"""Comparison of the dates and numbers of a reply with the right ones, where there is no graph."""

from __future__ import annotations

from factprobe.evaluators.reference.features import question_kind
from factprobe.evaluators.reference.prepared_texts import Name, QuestionTokens
from factprobe.reading.language import table
from factprobe.reading.values.units import is_same_kind, measure_in
from factprobe.reading.values.value import CENTURY, Value
from factprobe.reading.values.value_parsing import is_ordinal

_PERCENT = "%"
_TIME = question_kind([*table("question_kind")["time"]][:1])
"""Number of the kind of question that asks for a time."""


def is_right_value(said: Value, name: Name, answer: str, question: QuestionTokens, *, is_nth: bool) -> bool:
    """Return whether a value is the right one, as exact or more, or slightly rounded.

    Args:
        said: Value of the reply.
        name: Right name.
        answer: Text of the value in the reply.
        question: Words of the question, which may name a unit.
        is_nth: True if the value may stand for an ordinal (third).
    """
    value, right = _in_asked_unit(said, name, question)
    if right is None:
        return False
    is_same = value.is_same(right) and (right.is_period or is_nth == is_ordinal(name.text))
    is_same = is_same and may_be(said, name, name.text if is_nth else answer, question)
    return is_same or value.is_as_much(right) or value.rounds(right)


def may_be(said: Value, name: Name, answer: str, question: QuestionTokens) -> bool:
    """Return whether the only value of a reply may be the right one, also less exact or without its unit.

    Args:
        said: Value of the reply.
        name: Right name.
        answer: Text of the value in the reply.
        question: Words of the question, which may name a unit.
    """
    said, right = _in_asked_unit(said, name, question)
    if right is None or not said.may_be(right):
        return False
    has_unit = said.unit or right.unit  # the second in metres per second
    if is_ordinal(answer) != is_ordinal(name.text) and right.year is None and not has_unit:
        return False
    if not said.unit or (right.unit and said.answers(right)):
        return True
    # 8 % is not 8, 1879 km is not a year, and 8 miles are not 8 of the kilometres asked for
    return not (right.unit or said.unit == _PERCENT or question_kind(question.raw) == _TIME)


def _in_asked_unit(said: Value, name: Name, question: QuestionTokens) -> tuple[Value, Value | None]:
    """Return a value and that of a right name, numbers without a unit with the one asked for.

    The first number gets it only if the second has a unit of its kind.
    """
    asked, right = measure_in(question.words.source), name.value
    if right is None:
        return said, None
    units = (unit for unit, words in table("unit_asked").items() if not question.keys.isdisjoint(words))
    right = right.with_unit(asked or next(units, ""))
    unit = CENTURY if right.is_period else right.unit
    return said.with_unit(asked) if unit and asked and is_same_kind(asked, unit) else said, right
