"""Grades for replies to anybody's questions, which no graph knows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import tee

from factprobe.config import EvaluatorConfig
from factprobe.evaluators.grading import grade
from factprobe.inputs import Answered
from factprobe.question_types import SINGLE, QuestionType
from factprobe.records import AnswerGrade, Grade

OPEN_ANSWER = "open_answer"
"""The registered evaluator of short answers where no graph tells what else could be meant."""


def grade_answered(replies: Iterable[Answered], evaluator: EvaluatorConfig) -> Iterator[tuple[Answered, Grade]]:
    """Each reply with its grade; none is held."""
    ours, theirs = tee(replies)
    pairs = ((reply.question, reply.response) for reply in theirs)
    return zip(ours, grade(pairs, None, _names(evaluator), evaluator.settings), strict=True)


def _names(evaluator: EvaluatorConfig) -> dict[QuestionType, str]:
    """The evaluators by question type; of short answers another than where there is a graph, unless one is named."""
    names = evaluator.by_type()
    own = names[SINGLE.question_type]
    return {**names, SINGLE.question_type: OPEN_ANSWER if own == SINGLE.evaluator else own}


def answer_grade(reply: Answered, found: Grade) -> AnswerGrade:
    """A grade as the file of grades has it."""
    return AnswerGrade(
        reply.id, found.verdict, found.rule, found.matched, found.answer, found.why, reply.system, reply.human
    )
