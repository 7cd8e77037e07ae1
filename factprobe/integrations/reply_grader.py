"""Grading of replies one by one, for other tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

from msgspec.structs import replace

from factprobe.api.grading import evaluator_with
from factprobe.config import Columns
from factprobe.errors import UnknownNameError
from factprobe.evaluators.answered_questions import answer_grade, grade_answered
from factprobe.inputs import Match, read_answered
from factprobe.records import AnswerGrade
from factprobe.storage import Problems


class ReplyGrader:
    """Grader of replies one by one; it gives the same grades as `factprobe.grade_answers`.

    Args:
        columns: Names of the columns of a record.
        match: `any` if one right answer is enough, `all` if all are required.
        evaluator: Name of the config of the evaluators, e.g. `rules`.
        threshold: Minimum probability at which the grading model calls a reply correct.
        settings: Changes to the evaluators' settings.

    Raises:
        ConfigError: A setting is wrong.
    """

    def __init__(
        self,
        columns: Columns | None = None,
        match: Match = "any",
        evaluator: str = "rules",
        threshold: float | Literal["strict"] | None = None,
        **settings: Any,
    ) -> None:
        self._columns, self._match = columns or Columns(), match
        if match not in get_args(Match):
            raise UnknownNameError("match", match, get_args(Match), where="ReplyGrader")
        names = ["columns", "match", "evaluator", "threshold"]
        self._evaluator = replace(evaluator_with(evaluator, settings, "ReplyGrader", names), threshold=threshold)
        self._problems = Problems(True)

    def grade(self, record: Mapping[str, Any]) -> AnswerGrade:
        """Grade the reply of a record.

        Raises:
            DataError: The record lacks a column, or cannot be graded.
        """
        records = [("the record", record)]
        replies = read_answered(records, self._columns, self._match, self._problems, where="the record")
        [graded] = grade_answered(replies, self._evaluator)
        return answer_grade(*graded)
