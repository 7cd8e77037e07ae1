"""Rules on questions with a set of answers in words. The docstring of a rule completes "The reply …"."""

from __future__ import annotations

from factprobe.evaluators.answer_set.set_reading import SetReading
from factprobe.evaluators.rules.base import Judgment, rule
from factprobe.records import Question


@rule("set.misspelt", "correct")
def judge_misspelt_set(reading: SetReading, _: Question) -> Judgment | None:
    """Names all the right answers and nothing else, some of them misspelt."""
    return _whole_set(reading, "names all of them, some nearly") if reading.spelt or reading.misspelt else None


@rule("set.exact", "correct")
def judge_whole_set(reading: SetReading, _: Question) -> Judgment | None:
    """Names all the right answers and nothing else."""
    return _whole_set(reading, "names all of them and nothing else")


@rule("set.partial", "incorrect")
def judge_partial_set(reading: SetReading, _: Question) -> Judgment | None:
    """Names some of the right answers, or all of them with others."""
    if not reading.matched:
        return None
    why = f"names {len(reading.matched)} of {len(reading.right)}{_wrong_ones(reading)}"
    return Judgment("incorrect", "", reading.matched, reading.wrong, reading.answer, why)


@rule("set.no_match", "incorrect")
def names_none(reading: SetReading, _: Question) -> Judgment | None:
    """Names none of the right answers.

    Without an item or known name, the whole reply counts as one wrong answer; one that only denies counts as none.
    """
    why = f"names none of {len(reading.right)}{_wrong_ones(reading)}"
    wrong = reading.wrong or int(not reading.mentions or bool(reading.affirmed))
    return Judgment("incorrect", "", (), wrong, reading.answer or reading.excerpt, why)


def _whole_set(reading: SetReading, seen: str) -> Judgment | None:
    if len(reading.matched) != len(reading.right) or reading.wrong:
        return None
    return Judgment("correct", matched=reading.matched, answer=reading.answer, why=seen)


def _wrong_ones(reading: SetReading) -> str:
    note = f"; {reading.others} wrong" if reading.others else ""
    unknown = len(reading.items) - len(reading.spelt)
    return f"{note}; {unknown} not known" if unknown else note
