"""Comparison of the dates and numbers of a reply with the right ones, where there is no graph."""

from __future__ import annotations

from factprobe.evaluators.reference.features import question_kind
from factprobe.evaluators.reference.prepared_texts import Name, QuestionTokens
from factprobe.reading.language import table
from factprobe.reading.values.units import is_same_kind, measure_in
from factprobe.reading.values.value import CENTURY, Value

_PERCENT = "%"
_TIME = question_kind([*table("question_kind")["time"]][:1])
"""Number of the kind of question that asks for a time."""


def is_right_value(said: Value, name: Name, question: QuestionTokens) -> bool:
    """Return whether a value of a reply is a right name's, as exact or more, or slightly rounded, in the asked unit."""
    value, right = _in_asked_unit(said, name, question)
    if right is None:
        return False
    is_same = value.is_same(right) and may_be(said, name, question)
    return is_same or value.is_as_much(right) or value.rounds(right)


def may_be(said: Value, name: Name, question: QuestionTokens) -> bool:
    """Return whether the only value of a reply may be the right one, also less exact or without its unit."""
    said, right = _in_asked_unit(said, name, question)
    if right is None or not said.may_be(right):
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
