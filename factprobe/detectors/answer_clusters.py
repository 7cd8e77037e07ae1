"""Clusters of replies that give the same answer by their evaluator, without the right one, and their agreement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from math import log
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from factprobe.detectors.contradictions import agree_in_short, contradict_each_other, negate_the_same
from factprobe.evaluators.grading import Grader
from factprobe.evaluators.rule_errors import RULE
from factprobe.question_types import get_kind_or_default
from factprobe.records import Answer, Grade, Question, Response
from factprobe.text import normalise

_UNMATCHED = "\ue000"
"""Placeholder for the right answer that no reply can match: a private-use character."""

T = TypeVar("T")
_DECIMAL_PLACES = 6


def cluster_answers(answers: Sequence[T], same: Callable[[T, T], bool]) -> list[int]:
    """Return the cluster number of each answer; clusters are numbered from 0 in the order of their first answers.

    An answer joins the first cluster whose first member is the `same` (Kuhn, Gal and Farquhar 2023, ICLR, algorithm 1).
    """
    firsts: list[T] = []
    numbers = []
    for answer in answers:
        number = next((number for number, first in enumerate(firsts) if same(first, answer)), len(firsts))
        if number == len(firsts):
            firsts.append(answer)
        numbers.append(number)
    return numbers


def semantic_entropy(clusters: Sequence[int]) -> float:
    """Return the entropy of the cluster shares, scaled to [0, 1]: 0 if all answers agree, 1 if no two do.

    This is the discrete semantic entropy (Farquhar, Kossen, Kuhn and Gal 2024, Nature 630), divided by its maximum, the
    logarithm of the count. A single answer has the entropy 0.
    """
    count = len(clusters)
    if count < 2:
        return 0.0
    shares = [size / count for size in sorted(Counter(clusters).values())]  # sorted, so that the sum is always the same
    entropy = -sum(share * log(share) for share in shares) / log(count)
    return round(min(max(entropy, 0.0), 1.0), _DECIMAL_PLACES) + 0.0  # avoids -0.0


def disagreement(clusters: Sequence[int]) -> float:
    """Return the share of answers, in [0, 1], that differ from the first one; needs two answers or more."""
    return sum(number != clusters[0] for number in clusters[1:]) / (len(clusters) - 1)


class UncomparableError(ValueError):
    """Error raised if a reply is missing or its evaluator fails."""


class _GradedReply(NamedTuple):
    """Reply with its grade against a placeholder instead of the right answer."""

    response: Response
    grade: Grade

    @property
    def text(self) -> str:
        """Text of the reply."""
        return self.response.response or ""

    @property
    def words(self) -> str:
        """Answer that the evaluator found in the reply, or the whole reply if it found none."""
        return self.grade.answer or self.text


class AnswerClusters:
    """Grouping of replies by the answer that they give; all abstentions are the same answer.

    Two answers in free text are the same if the evaluator grades one as correct with the other as the right answer, and
    neither negates what the other states. For true/false statements and options, the choices are compared.
    """

    def __init__(self, grader: Grader) -> None:
        self._grader = grader

    def clusters(self, question: Question, responses: Sequence[Response]) -> list[int]:
        """Return the cluster number of each reply, from 0 in the order of their first replies."""
        graded_replies = [self._grade_reply(question, response) for response in responses]
        return cluster_answers(graded_replies, lambda one, other: self._is_same_answer(question, one, other))

    def _grade_reply(self, question: Question, response: Response) -> _GradedReply:
        if response.failed:
            raise UncomparableError(f"there is no reply: {response.fault}")
        is_free = not (isinstance(question.answers, str) or question.choices)
        unknown = replace(question, answers=(Answer("", _UNMATCHED),), outdated=()) if is_free else question
        return _GradedReply(response, self._grade_response(unknown, response))

    def _is_same_answer(self, question: Question, one: _GradedReply, other: _GradedReply) -> bool:
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
        return normalise(one.words) == normalise(other.words)  # several options or none

    def _are_written_alike(self, question: Question, one: _GradedReply, other: _GradedReply) -> bool:
        texts = one.text, other.text
        if contradict_each_other(*texts, question.bare):
            return False
        if negate_the_same(*texts) or agree_in_short(*texts) or normalise(one.words) == normalise(other.words):
            return True
        return self._is_correct_given(question, one, other) or self._is_correct_given(question, other, one)

    def _is_correct_given(self, question: Question, right: _GradedReply, reply: _GradedReply) -> bool:
        """Return whether `reply` is correct if the answer in `right` is the right one; False if it has no answer."""
        if right.grade.verdict == "unparsed":
            return False
        parts = right.words.split(", ") if get_kind_or_default(question.question_type).is_set else [right.words]
        answers = tuple(Answer(f"said:{number}", part) for number, part in enumerate(parts) if part.strip())
        if not answers:
            return False
        with_answers = replace(question, answers=answers, outdated=())
        return self._grade_response(with_answers, reply.response).verdict == "correct"

    def _grade_response(self, question: Question, response: Response) -> Grade:
        grade = self._grader.grade(question, response)
        if grade.rule == RULE:
            raise UncomparableError(f"the evaluator fails on a reply: {grade.why}")
        return grade
