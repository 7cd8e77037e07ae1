"""Rules that several evaluators share. The docstring of a rule completes "The reply …"."""

from __future__ import annotations

from math import isnan

from factprobe.endings import Ending, ending_of
from factprobe.evaluators.rules.base import Judgment, rule
from factprobe.question_types import other_end
from factprobe.reading.abstention import denies_existence
from factprobe.reading.reading_base import Reading
from factprobe.records import Question, Response
from factprobe.text import normalise

CUT_OFF = "response.cut_off"
"""Id of the rule on a reply that is cut off before any answer."""

EMPTY = "response.empty"
"""Id of the rule on a reply that has nothing but reasoning and markup."""

OUTDATED = ("single.outdated", "set.outdated")
"""Ids of the rules for answers that are right at another time than that of the question."""


def has_ending(reading: Reading, ending: Ending) -> bool:
    """Return whether the finish reason of the endpoint means a given ending, such as `cut`."""
    return reading.response is not None and ending_of(reading.response.finish_reason) == ending


def is_empty(reading: Reading) -> bool:
    """Return whether nothing is left of the reply without reasoning and markup."""
    return not reading.reply


@rule("response.failed", "failed")
def no_response(reading: Reading, _: Question) -> Judgment | None:
    """Is missing: the endpoint failed, or ended the reply with an error."""
    response = reading.response
    return None if response is None or not response.failed else Judgment("failed", why="no reply came")


@rule("response.refused", "abstained", when=lambda reading: has_ending(reading, "refused"))
def refused(reading: Reading, _: Question) -> Judgment:
    """Is a refusal, as the endpoint says."""
    return Judgment("abstained", answer=reading.excerpt, why="the endpoint says that it is a refusal")


@rule("response.filtered", "abstained", when=is_empty)
def filtered(reading: Reading, _: Question) -> Judgment | None:
    """Is empty because a content filter stopped it."""
    why = "a content filter let nothing through"
    return Judgment("abstained", why=why) if has_ending(reading, "filtered") else None


@rule(CUT_OFF, "unparsed", when=is_empty)
def cut_off(reading: Reading, _: Question) -> Judgment | None:
    """Is cut off by the limit of tokens before any answer."""
    why = "the limit of tokens cut the reply off before any answer"
    return Judgment("unparsed", why=why) if has_ending(reading, "cut") else None


@rule(EMPTY, "unparsed", when=is_empty)
def empty(_: Reading, __: Question) -> Judgment:
    """Is empty, or has nothing but reasoning and markup."""
    return Judgment("unparsed", why="nothing is left of the reply once it is cleaned")


@rule("response.no_such_entity", "abstained")
def denies_subject(reading: Reading, question: Question) -> Judgment | None:
    """Says that nobody or nothing has the made-up name in the question."""
    if question.given != "made_up":
        return None
    statement = question.statement
    name = normalise(statement.at(other_end(question.sought))) if statement else ""
    if not denies_existence(reading.text, name):
        return None
    return Judgment("abstained", answer=reading.excerpt, why="says that there is nobody or nothing of that name")


SILENT = (refused, filtered, cut_off, empty)
"""Rules on a response that has no answer to judge."""


@rule("response.declines_only", "abstained")
def only_declines(reading: Reading, _: Question) -> Judgment | None:
    """Declines, and says nothing else."""
    return Judgment("abstained", answer=reading.excerpt, why="only declines") if reading.only_declines else None


def is_ranking(question: Question, response: Response) -> bool:
    """Return whether a response has a score for each choice, none of them NaN, and the right answer is a choice."""
    answers, choices = question.answers, question.choices
    is_scored = bool(response.scores) and not response.failed and len(response.scores) == len(choices)
    is_scored = is_scored and not any(map(isnan, response.scores))
    return is_scored and not isinstance(answers, str) and bool(answers) and answers[0].label in choices
