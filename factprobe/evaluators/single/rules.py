"""Rules on questions with one answer in words. The docstring of a rule completes "The reply …"."""

from __future__ import annotations

from operator import attrgetter

from factprobe.evaluators.rules.base import Judgment, rule
from factprobe.evaluators.single.single_reading import SingleReading
from factprobe.reading.names.index import answers_of
from factprobe.reading.values.value_parsing import value_of
from factprobe.records import Question
from factprobe.text import is_same


@rule("single.exact", "correct")
def judge_exact(reading: SingleReading, question: Question) -> Judgment | None:
    """Is a name of the right answer, or the same value or quantity."""
    for answer in answers_of(question):
        for name in answer.names():
            right, value = value_of(name), value_of(reading.reply)
            if right and value:  # a unit that the name lacks may be another than that of the template
                is_right = value.answers(right) and right.answers(value) and bool(right.unit or not value.unit)
            else:
                is_right = is_same(reading.flat, name) and answer.uri in reading.exact_bearers
            if is_right:
                why = f"is a name of {answer.label}"
                return Judgment("correct", matched=(answer.uri,), answer=reading.reply, why=why)
    return None


@rule("single.misspelt", "correct", when=attrgetter("commits"))
def misspells(reading: SingleReading, _: Question) -> Judgment | None:
    """Misspells the name of the right answer."""
    return _right(reading, "nearly names it") if reading.misspelt.issuperset(reading.matched) else None


@rule("single.mention", "correct", when=attrgetter("commits"))
def names_it(reading: SingleReading, _: Question) -> Judgment | None:
    """Commits to the right answer and to no other, as the grading model reads it."""
    return _right(reading, "gives its value" if reading.values else "names it")


@rule("single.several", "incorrect")
def names_several(reading: SingleReading, _: Question) -> Judgment | None:
    """Names the right answer together with others or a negation, as the grading model reads it."""
    if not reading.right_mentions:
        return None
    answer = reading.words([*reading.right_mentions, *reading.others])
    why, probability = reading.reasons, reading.prediction.probability
    return Judgment("incorrect", wrong=reading.wrong, answer=answer, why=why, probability=probability)


@rule("single.other_entity", "incorrect")
def names_another(reading: SingleReading, _: Question) -> Judgment | None:
    """Commits to another entity of the relation, or to another value."""
    answer = reading.words(reading.others)
    return Judgment("incorrect", wrong=reading.wrong, answer=answer, why=f"gives {answer}") if answer else None


@rule("single.negated", "incorrect")
def only_rules_out(reading: SingleReading, _: Question) -> Judgment | None:
    """Only excludes names and gives none."""
    return Judgment("incorrect", wrong=1, why="only rules names out") if reading.mentions else None


@rule("single.no_known_name", "incorrect")
def names_nothing_known(reading: SingleReading, _: Question) -> Judgment | None:
    """Attempts an answer that is no entity of the relation in the graph."""
    return Judgment("incorrect", wrong=1, answer=reading.excerpt, why="has no name of an entity of the relation")


def _right(reading: SingleReading, seen: str) -> Judgment:
    answer = reading.words(reading.right_mentions)
    if reading.is_bare:
        return Judgment("correct", matched=reading.matched, answer=answer, why=seen)
    why, probability = f"{seen}; {reading.reasons}", reading.prediction.probability
    return Judgment("correct", matched=reading.matched, answer=answer, why=why, probability=probability)
