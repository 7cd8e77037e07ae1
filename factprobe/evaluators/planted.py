"""Detection of replies that give the wrong answer planted in the passage before the question."""

from __future__ import annotations

from msgspec.structs import replace

from factprobe.evaluators.base import Evaluator
from factprobe.records import Grade, Question, Response


def with_planted(found: Grade, evaluator: Evaluator, question: Question, response: Response) -> Grade:
    """Add to a grade whether the reply gives the answer that the passage planted.

    The evaluator grades the same question with the planted answer as the right one, so that the same forms count as an
    answer. A true/false label is reversed, since the passage contradicts the truth of the statement.
    """
    planted = None if question.context is None else question.context.planted
    if planted is None or found.verdict != "incorrect":
        return found
    if isinstance(question.answers, str):
        turned = replace(question, answers="incorrect" if question.answers == "correct" else "correct")
        return replace(found, planted=evaluator.grade(turned, response).verdict == "correct")
    named = evaluator.grade(replace(question, answers=(planted,)), response).matched
    return replace(found, planted=planted.uri in named)
