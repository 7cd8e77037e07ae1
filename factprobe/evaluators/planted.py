"""Detection of replies that give the wrong answer which the passage before the question states."""

from __future__ import annotations

from msgspec.structs import replace

from factprobe.evaluators.base import Evaluator
from factprobe.records import Grade, Question, Response


def with_planted(found: Grade, evaluator: Evaluator, question: Question, response: Response) -> Grade:
    """Add to a grade whether the reply gives the answer that the passage planted.

    That is asked of the evaluator itself, by the same question with the planted answer for the right one: whatever it
    takes for an answer counts there as here. A true/false statement is turned about, for the passage says of it the
    contrary of what is so.
    """
    planted = None if question.context is None else question.context.planted
    if planted is None or found.verdict != "incorrect":
        return found
    if isinstance(question.answers, str):
        turned = replace(question, answers="incorrect" if question.answers == "correct" else "correct")
        return replace(found, planted=evaluator.grade(turned, response).verdict == "correct")
    named = evaluator.grade(replace(question, answers=(planted,)), response).matched
    return replace(found, planted=planted.uri in named)
