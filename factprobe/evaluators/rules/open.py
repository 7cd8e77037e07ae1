"""The rules on one answer in words where only the right answers are known, and no other entity."""

from __future__ import annotations

from factprobe.evaluators.open.reading import OpenReading
from factprobe.evaluators.rules.base import Judgment, rule
from factprobe.records import Question


@rule("several_answers", "incorrect")
def names_several(reading: OpenReading, _: Question) -> Judgment | None:
    """Is nothing but several names or values, and not all of them are right."""
    if not reading.stands:
        return None
    if reading.stands[0].kind == "value" and reading.is_choice_of_values and not reading.settles:
        return Judgment("incorrect", wrong=1, answer=reading.excerpt, why="is several values")
    if not reading.is_choice or reading.settles:
        return None
    right = {i for one in reading.stands for i in range(*one.place)}
    if all(i in right or not capital for i, capital in enumerate(reading.text.capital)):
        return None
    return Judgment("incorrect", wrong=1, answer=reading.excerpt, why="is several names")


@rule("doubt", "abstained")
def doubts(reading: OpenReading, _: Question) -> Judgment | None:
    """Only wonders about a right answer."""
    return Judgment("abstained", why="only wonders about it") if reading.is_doubted else None


@rule("value", "correct")
def gives_value(reading: OpenReading, _: Question) -> Judgment | None:
    """Gives the right number or date, or the year of that day."""
    return _right(reading, "value", "gives its value")


@rule("mention", "correct")
def names_it(reading: OpenReading, _: Question) -> Judgment | None:
    """Says the name of a right answer, whatever else it tells."""
    return _right(reading, "mention", "names it")


@rule("gist", "correct")
def says_its_gist(reading: OpenReading, _: Question) -> Judgment | None:
    """Says the words that matter of a right answer, in any form and near each other."""
    return _right(reading, "gist", "says what matters of it")


@rule("fuzzy", "correct")
def misspells(reading: OpenReading, _: Question) -> Judgment | None:
    """Misspells or transliterates the name of a right answer."""
    named = reading.slips
    if not named:
        return None
    uris = tuple(sorted({uri for mention in named for uri in mention.uris}))
    return Judgment("correct", matched=uris, answer=reading.words(named), why="nearly names it")


@rule("negated", "incorrect")
def rules_it_out(reading: OpenReading, _: Question) -> Judgment | None:
    """Says a right answer only to rule it out, to take it back, or to give another one in the end."""
    if not reading.said:
        return None
    return Judgment("incorrect", wrong=1, why=f"rules out or takes back {reading.said[0].name}")


@rule("abstention", "abstained")
def declines(reading: OpenReading, _: Question) -> Judgment | None:
    """Declines, and says no right answer."""
    return Judgment("abstained", answer=reading.excerpt, why="declines") if reading.declines else None


@rule("no_answer", "unparsed")
def gives_no_answer(reading: OpenReading, _: Question) -> Judgment | None:
    """Gives no answer: repeats the question, asks back, or only talks."""
    if reading.says_nothing:
        return Judgment("unparsed", wrong=1, why="repeats the question, asks back or only talks")
    return None


@rule("no_match", "incorrect")
def names_nothing_right(reading: OpenReading, _: Question) -> Judgment | None:
    """Says none of the right answers."""
    return Judgment("incorrect", wrong=1, answer=reading.excerpt, why="says none of the right answers")


def _right(reading: OpenReading, kind: str, seen: str) -> Judgment | None:
    found = [one for one in reading.stands if one.kind == kind]
    if not found:
        return None
    answer = ", ".join(dict.fromkeys(reading.span(*one.place) for one in found))
    return Judgment("correct", matched=tuple(dict.fromkeys(one.uri for one in found)), answer=answer, why=seen)
