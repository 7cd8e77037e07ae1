"""Grading of replies one by one, for other tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec.structs import replace

from factprobe.api.grading import GradingArguments, evaluator_with
from factprobe.config import convert
from factprobe.errors import DataError
from factprobe.evaluators.answered_questions import answer_grade, grade_answered
from factprobe.inputs import Match, plain, read_answered
from factprobe.records import AnswerGrade
from factprobe.storage import Problems


class UngradableRecordError(DataError):
    """A record cannot be graded, though it has the columns; other records may be."""


class _OneRecord(Problems):
    """Collector that raises what is wrong with the only record."""

    def add(self, what: str, where: str) -> None:
        """Raise an `UngradableRecordError`."""
        raise UngradableRecordError(what, where=where, hint="correct the record")


class ReplyGrader:
    """Grader of replies one by one; it gives the same grades as `factprobe.grade_answers`.

    Args:
        columns: Other names of the columns of a record, e.g. `{"answers": "gold"}`.
        match: `any` if one right answer is enough, `all` if all are required.
        evaluator: Name of the config of the evaluators, e.g. `rules`, or of an evaluator by question type.
        threshold: Minimum probability at which the grading model calls a reply correct.
        settings: Changes to the evaluators' settings.

    Raises:
        ConfigError: A setting is wrong.
    """

    def __init__(
        self,
        columns: Mapping[str, str] | None = None,
        match: Match = "any",
        evaluator: str | Mapping[str, str] = "rules",
        threshold: float | Literal["strict"] | None = None,
        **settings: Any,
    ) -> None:
        names = {} if columns is None else dict(columns)
        chosen = {"columns": names, "match": match, "evaluator": evaluator, "threshold": plain(threshold)}
        arguments = convert(chosen, GradingArguments, "ReplyGrader")
        self._columns, self._match = arguments.columns, arguments.match
        rules = evaluator_with(arguments.evaluator, settings, "ReplyGrader", chosen)
        self._evaluator = replace(rules, threshold=arguments.threshold)
        self._problems = _OneRecord()

    def grade(self, record: Mapping[str, Any]) -> AnswerGrade:
        """Grade the reply of a record.

        Raises:
            DataError: The record is no mapping, lacks a column, or cannot be graded (`UngradableRecordError`).
        """
        given: Any = record
        if not isinstance(given, Mapping):  # a row of a data frame iterates over its cells
            hint = "give a mapping, such as row.to_dict()"
            raise DataError(f"is of the type {type(given).__name__}", where="the record", hint=hint)
        records = [("the record", record)]
        replies = read_answered(records, self._columns, self._match, self._problems, where="the record")
        [graded] = grade_answered(replies, self._evaluator)
        return answer_grade(*graded)
