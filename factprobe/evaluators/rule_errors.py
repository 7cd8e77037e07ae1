"""Errors in rules: the reply gets the verdict `unparsed`, and the errors are counted, named and reported once."""

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
_NAMED = 100


class RuleErrors:
    """Counter of the replies on which evaluators failed, which warns at the end of its block.

    Args:
        debug: True to show the traceback of each kind of error when it first occurs.
        reported: Kinds of errors that have been reported before.
    """

    def __init__(self, *, debug: bool = False, reported: Container[str] = ()) -> None:
        self._reported = reported
        self.kinds: Counter[str] = Counter()
        """Number of replies by the type and place of the error."""
        self.named: list[str] = []
        """First replies with errors, by the question's id."""
        self._level = logging.WARNING if debug else logging.DEBUG

    @property
    def count(self) -> int:
        """Number of replies on which a rule failed."""
        return self.kinds.total()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.kinds:
            said = "reply is" if self.count == 1 else "replies are"
            kinds = format_list([f"{kind} ({count:,})" for kind, count in self.kinds.items()])
            log.warning(
                f"{self.count:,} {said} unparsed by {RULE}, since a rule failed: %s; debug=true shows the traceback, "
                "and so does the level DEBUG of logging",
                kinds,
            )

    def join(self, others: RuleErrors) -> None:
        """Add the counts of later replies."""
        self.kinds.update(others.kinds)
        self.named += others.named[: _NAMED - len(self.named)]

    def graded(self, evaluator: Evaluator, question: Question, response: Response) -> Grade:
        """Return the evaluator's grade of a response, or a grade that names the reply on which a rule failed.

        Raises:
            FactprobeError: A setting is wrong, whatever the reply.
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
        if len(self.named) < _NAMED:
            self.named.append(f"{question.question_id}: {kind}")
        return kind


def _with_planted(found: Grade, evaluator: Evaluator, question: Question, response: Response) -> Grade:
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


def _place(error: Exception) -> str:
    """Return the module and line of an error, leaving out the standard library."""
    frames = [(frame.f_globals.get("__name__", ""), line) for frame, line in walk_tb(error.__traceback__)]
    own = [found for found in frames if found[0].partition(".")[0] not in sys.stdlib_module_names]
    module, line = own[-1]
    return f"{module}, line {line}"
