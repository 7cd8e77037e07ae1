"""Handling of exceptions in evaluators: the reply gets the verdict `unparsed`, and one warning counts the errors."""

from __future__ import annotations

import logging
import sys
from collections import Counter
from collections.abc import Container
from traceback import walk_tb
from typing import Self

from msgspec.structs import replace

from factprobe.errors import FactprobeError, format_list
from factprobe.evaluators.base import Evaluator, graded
from factprobe.evaluators.rules.base import Judgment
from factprobe.records import Grade, Question, Response

log = logging.getLogger(__name__)
RULE = "rule_error"
"""Rule in the grade of a reply on which an evaluator failed."""
_MAX_NAMED = 100


class RuleErrors:
    """Counter of the replies on which evaluators failed; as a context manager, it logs a warning at the end.

    Args:
        debug: True to show the traceback of each kind of error when it first occurs.
        reported: Kinds of errors (keys of `kinds`) whose traceback was shown before.
    """

    def __init__(self, *, debug: bool = False, reported: Container[str] = ()) -> None:
        self._reported = reported
        self.kinds: Counter[str] = Counter()
        """Number of replies by the type and place of the error."""
        self.named: list[str] = []
        """Question ids of the first replies with errors, each with its kind of error."""
        self._level = logging.WARNING if debug else logging.DEBUG

    @property
    def count(self) -> int:
        """Number of replies on which an evaluator failed."""
        return self.kinds.total()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.kinds:
            are = "reply is" if self.count == 1 else "replies are"
            kinds = format_list([f"{kind} ({count:,})" for kind, count in self.kinds.items()])
            log.warning(
                f"{self.count:,} {are} unparsed by {RULE}, since a rule failed: %s; debug=true shows the traceback, "
                "and so does the level DEBUG of logging",
                kinds,
            )

    def join(self, others: RuleErrors) -> None:
        """Add the counts of another counter, for later replies."""
        self.kinds.update(others.kinds)
        self.named += others.named[: _MAX_NAMED - len(self.named)]

    def graded(self, evaluator: Evaluator, question: Question, response: Response) -> Grade:
        """Return the grade of a response by an evaluator, or `unparsed` with the rule `rule_error` if it fails.

        Raises:
            FactprobeError: A setting is wrong.
            MemoryError: The memory is exhausted.
        """
        try:
            return _with_planted(evaluator.grade(question, response), evaluator, question, response)
        except (FactprobeError, MemoryError):
            raise
        except Exception as error:
            return graded(question, response, Judgment("unparsed", RULE, why=self._add(question, error)))

    def _add(self, question: Question, error: Exception) -> str:
        kind = f"{type(error).__name__} in {_place(error)}"
        if kind not in self.kinds and kind not in self._reported:
            log.log(self._level, "%s: %s", question.question_id, kind, exc_info=error)
        self.kinds[kind] += 1
        if len(self.named) < _MAX_NAMED:
            self.named.append(f"{question.question_id}: {kind}")
        return kind


def _with_planted(grade: Grade, evaluator: Evaluator, question: Question, response: Response) -> Grade:
    """Return a grade; if it is incorrect and the question has a planted answer, with whether the reply gives that.

    For this, the evaluator grades the question with the planted answer as the right one. A true/false answer is
    reversed instead, since the passage contradicts the statement's truth value.
    """
    planted = None if question.context is None else question.context.planted
    if planted is None or grade.verdict != "incorrect":
        return grade
    if isinstance(question.answers, str):
        reversed_ = replace(question, answers="incorrect" if question.answers == "correct" else "correct")
        return replace(grade, planted=evaluator.grade(reversed_, response).verdict == "correct")
    named = evaluator.grade(replace(question, answers=(planted,)), response).matched
    return replace(grade, planted=planted.uri in named)


def _place(error: Exception) -> str:
    """Return the innermost module and line of an error that are not in the standard library."""
    frames = [(frame.f_globals.get("__name__", ""), line) for frame, line in walk_tb(error.__traceback__)]
    own = [frame for frame in frames if frame[0].partition(".")[0] not in sys.stdlib_module_names]
    module, line = own[-1]
    return f"{module}, line {line}"
