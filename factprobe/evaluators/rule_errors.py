"""No reply ends a run: what an evaluator fails on is unparsed, counted, named and told once."""

from __future__ import annotations

import logging
import sys
from collections import Counter
from collections.abc import Container
from traceback import walk_tb
from typing import Self

from factprobe.errors import FactprobeError, format_list
from factprobe.evaluators.base import Evaluator, graded
from factprobe.evaluators.planted import with_planted
from factprobe.evaluators.rules.base import Judgment
from factprobe.records import Grade, Question, Response

log = logging.getLogger(__name__)
RULE = "rule_error"
"""The rule of a reply that an evaluator failed on."""
_NAMED = 100


class RuleErrors:
    """The replies that evaluators failed on; at the end of its block they are told.

    Args:
        debug: whether the traceback of each kind of error is shown when it first comes.
        told: kinds that came before.
    """

    def __init__(self, *, debug: bool = False, told: Container[str] = ()) -> None:
        self._told = told
        self.kinds: Counter[str] = Counter()
        """By the type and place of the error, on how many replies."""
        self.named: list[str] = []
        """The first of them, by the question's id."""
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
        """Return the evaluator's grade of a response; if a rule fails, one that says on which reply.

        Raises:
            FactprobeError: a setting is wrong, which no reply is to blame for.
            MemoryError: nor for this.
        """
        try:
            found = evaluator.grade(question, response)
            return found if question.context is None else with_planted(found, evaluator, question, response)
        except (FactprobeError, MemoryError):
            raise
        except Exception as error:
            return graded(question, response, Judgment("unparsed", RULE, why=self._add(question, error)))

    def _add(self, question: Question, error: Exception) -> str:
        kind = f"{type(error).__name__} in {_place(error)}"
        if kind not in self.kinds and kind not in self._told:
            log.log(self._level, "%s: %s", question.question_id, kind, exc_info=error)
        self.kinds[kind] += 1
        if len(self.named) < _NAMED:
            self.named.append(f"{question.question_id}: {kind}")
        return kind


def _place(error: Exception) -> str:
    """Return the place of an error, leaving out the standard library."""
    frames = [(frame.f_globals.get("__name__", ""), line) for frame, line in walk_tb(error.__traceback__)]
    own = [found for found in frames if found[0].partition(".")[0] not in sys.stdlib_module_names]
    module, line = own[-1]
    return f"{module}, line {line}"
