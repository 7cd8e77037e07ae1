"""Rules on the side that a reply takes on a true/false statement. The docstring of a rule completes "The reply …"."""

from __future__ import annotations

from factprobe.evaluators.conditional_logit import NOTHING
from factprobe.evaluators.rules.base import Judgment, rule
from factprobe.evaluators.true_false.features import sides_of
from factprobe.evaluators.true_false.statement_reading import StatementReading
from factprobe.records import Question

_SIDES = ("correct", "incorrect")


@rule("true_false.model", "correct", "incorrect")
def takes_side(reading: StatementReading, question: Question) -> Judgment | None:
    """Takes a side, as the grading model reads it."""
    if reading.choice.options == NOTHING:
        return None
    side = _SIDES[min(reading.choice.options)]
    is_right = side == question.answers
    return Judgment(
        "correct" if is_right else "incorrect",
        wrong=int(not is_right),
        answer=reading.excerpt,
        why=f"says {side}; {reading.choice.why}",
        probability=reading.choice.probabilities.get(reading.right_options, 0.0),
    )


@rule("true_false.declines", "abstained")
def declines(reading: StatementReading, _: Question) -> Judgment | None:
    """Declines to judge, and takes no side."""
    if not (reading.declines or reading.only_declines):
        return None
    return Judgment("abstained", answer=reading.excerpt, why="declines, and takes no side")


@rule("true_false.both_labels", "unparsed")
def takes_both_sides(reading: StatementReading, _: Question) -> Judgment | None:
    """Takes both sides, grants the statement in part only, or leaves it open."""
    places, is_open = sides_of(reading.masked)
    if not is_open and len({place.mention.options for place in places}) < 2:
        return None
    return Judgment("unparsed", wrong=1, answer=reading.excerpt, why="takes both sides, or leaves it open")


@rule("true_false.no_label", "unparsed")
def takes_no_side(reading: StatementReading, _: Question) -> Judgment | None:
    """Takes no side: repeats the statement, asks back, or talks of something else."""
    return Judgment("unparsed", wrong=1, answer=reading.excerpt, why="takes no side")
