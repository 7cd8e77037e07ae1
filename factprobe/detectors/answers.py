"""Whether replies to one question give the same answer, by its own evaluator, which is not told the right one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from factprobe.detectors.clusters import clustered
from factprobe.detectors.denials import deny_each_other, deny_the_same, say_the_same_in_short
from factprobe.evaluators.faults import RULE
from factprobe.evaluators.grading import Grader
from factprobe.question_types import kind_or_plain
from factprobe.records import Answer, Grade, Question, Response
from factprobe.text import normalise

_NOBODY = "\ue000"
"""A right answer that no reply gives: a letter of nobody's alphabet."""


class UncomparableError(ValueError):
    """A reply that an evaluator fails on, or that is none."""


class _Said(NamedTuple):
    """A reply with what it says, whatever is right."""

    response: Response
    grade: Grade

    @property
    def text(self) -> str:
        """All of it."""
        return self.response.response or ""

    @property
    def words(self) -> str:
        """Those that are taken for the answer, or else all."""
        return self.grade.answer or self.text


class Answers:
    """Finds the replies that give the same answer.

    Two written answers are the same where the evaluator takes either for the other and neither denies what the other
    says. Of a true/false statement and of options there is nothing to compare but what was chosen. All that decline are
    alike.

    Args:
        grader: grades replies to questions of their types.
    """

    def __init__(self, grader: Grader) -> None:
        self._grader = grader

    def clusters(self, question: Question, responses: Sequence[Response]) -> list[int]:
        """The cluster of each reply, numbered in their order.

        Raises:
            UncomparableError: one is no reply, or the evaluator fails on it.
        """
        every = [self._said(question, response) for response in responses]
        return clustered(every, lambda one, other: self._same(question, one, other))

    def _said(self, question: Question, response: Response) -> _Said:
        if response.failed:
            raise UncomparableError(f"there is no reply: {response.fault}")
        written = not (isinstance(question.answers, str) or question.choices)
        unknown = replace(question, answers=(Answer("", _NOBODY),), outdated=()) if written else question
        return _Said(response, self._graded(unknown, response))

    def _same(self, question: Question, one: _Said, other: _Said) -> bool:
        verdicts = one.grade.verdict, other.grade.verdict
        if "abstained" in verdicts:
            return verdicts[0] == verdicts[1]
        if not (isinstance(question.answers, str) or question.choices):
            return self._are_written_alike(question, one, other)
        if "unparsed" in verdicts:
            return verdicts[0] == verdicts[1] and normalise(one.words) == normalise(other.words)
        if isinstance(question.answers, str):
            return verdicts[0] == verdicts[1]
        if one.grade.option or other.grade.option:
            return one.grade.option == other.grade.option
        return normalise(one.words) == normalise(other.words)  # several at once, or none

    def _are_written_alike(self, question: Question, one: _Said, other: _Said) -> bool:
        texts = one.text, other.text
        if deny_each_other(*texts, question.bare):
            return False
        if deny_the_same(*texts) or say_the_same_in_short(*texts) or normalise(one.words) == normalise(other.words):
            return True
        return self._gives(question, one, other) or self._gives(question, other, one)

    def _gives(self, question: Question, right: _Said, said: _Said) -> bool:
        """Whether a reply counts as correct where another one is right; one that gives no answer is never right."""
        if right.grade.verdict == "unparsed":
            return False
        parts = right.words.split(", ") if kind_or_plain(question.question_type).is_set else [right.words]
        answers = tuple(Answer(f"said:{number}", part) for number, part in enumerate(parts) if part.strip())
        if not answers:
            return False
        return self._graded(replace(question, answers=answers, outdated=()), said.response).verdict == "correct"

    def _graded(self, question: Question, response: Response) -> Grade:
        grade = self._grader.grade(question, response)
        if grade.rule == RULE:
            raise UncomparableError(f"the evaluator fails on a reply: {grade.why}")
        return grade
