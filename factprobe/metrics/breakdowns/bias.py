"""Answer bias: a preference for `correct` or `incorrect`, or for one position among options."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_uppercase
from typing import get_args

import numpy as np
from msgspec.structs import replace
from numpy.typing import ArrayLike

from factprobe.metrics.breakdowns.base import Breakdown, ModelRow, headers
from factprobe.metrics.breakdowns.question_pairs import IntegerColumns, number_labels
from factprobe.metrics.statistics.intervals import Clusters, Interval, known_share
from factprobe.metrics.statistics.paired import paired_difference
from factprobe.question_types import QuestionType, get_kind_or_default
from factprobe.records import Grade, Question, Side

_SIDES: tuple[str, ...] = get_args(Side)


class AnswerBias(ModelRow, frozen=True):
    """Frequency with which a model gives one of the offered answers, and how often this is right; shares in [0, 1]."""

    question_type: QuestionType
    answer: str
    """`correct` or `incorrect` for statements, or the letter of an option."""
    questions: int
    """Number of replies that give any of the offered answers; other replies are ignored."""
    given: Interval
    right: float
    """Share of these replies to whose question this answer is right."""
    excess: Interval
    """Difference of the two shares, in [-1, 1]; the intervals of a type's answers hold simultaneously."""


def answer_bias(
    question_type: QuestionType, answers: Sequence[str], given: ArrayLike, right: ArrayLike, clusters: Clusters = None
) -> list[AnswerBias]:
    """Compare how often each answer is given and is right, over the same questions.

    `given` and `right` have, for each reply, the index in `answers` of the given and of the right answer. Answers that
    are given or right at least once get a row. The comparison is paired by question, since a sample need not have as
    many true statements as false ones. Intervals of the excess have Bonferroni's correction for the number of answers;
    two answers need none, since their excesses are opposite. For position bias see Zheng et al. 2024, ICLR (Large
    Language Models Are Not Robust Multiple Choice Selectors).
    """
    given_answers, right_answers = np.asarray(given, int), np.asarray(right, int)
    present = [number for number in range(len(answers)) if number in given_answers or number in right_answers]
    corrected = 1 - (1 - 0.95) / (len(present) if len(present) > 2 else 1)
    rows = []
    for number in present:
        is_given, is_right = given_answers == number, right_answers == number
        excess = paired_difference(is_given, is_right, clusters, corrected)
        shares = known_share(is_given, clusters), float(is_right.mean()), excess
        rows.append(AnswerBias(question_type, answers[number], len(given_answers), *shares))
    return rows


class ByAnswer(Breakdown):
    """Breakdown by answer given: the answer bias of each model, over all replies, right or wrong."""

    title = "Answers given"
    note = (
        "Over the replies that judge a statement or pick an option: the share that gives each answer, the share for "
        "which it is right, and the difference. A bias is beyond chance if the interval excludes 0."
    )
    heads = headers("question_type answer questions given right excess", questions="replies")
    main = "excess"
    in_summary = False

    def __init__(self, kg: str) -> None:
        super().__init__(kg)
        self._given: dict[tuple[str, str, QuestionType, Sequence[str]], IntegerColumns] = {}
        self._subjects = number_labels()

    def add(self, generator: str, model: str, grade: Grade, question: Question) -> None:
        """Add a grade; grades of ranked questions are ignored, since their options have no positions."""
        if grade.rank or not get_kind_or_default(grade.question_type).count_options(len(question.choices)):
            return
        answers: Sequence[str] = _SIDES if isinstance(question.answers, str) else ascii_uppercase
        group = generator, model, grade.question_type, answers
        columns = self._given.setdefault(group, IntegerColumns("given", "right", "subject"))
        if isinstance(question.answers, str):
            right = _SIDES.index(question.answers)
            index = {"correct": right, "incorrect": 1 - right}.get(grade.verdict, -1)
        else:
            labels = {answer.label for answer in question.answers}
            right = next((number for number, choice in enumerate(question.choices) if choice in labels), -1)
            index = grade.option - 1
        if index >= 0 and right >= 0:
            columns.add(index, right, self._subjects[question.subject_uri])

    def rows(self) -> Sequence[AnswerBias]:
        """Return a row for each offered answer of each generator, model and question type."""
        return [
            replace(row, kg=self.kg, generator=generator, model=model)
            for (generator, model, question_type, answers), given in self._given.items()
            for row in answer_bias(question_type, answers, given["given"], given["right"], given["subject"])
        ]

    @classmethod
    def sentence(cls, row: AnswerBias) -> str:
        """Return a sentence if an answer is given significantly too often; empty otherwise."""
        if row.excess.low <= 0:
            return ""
        if row.question_type == "binary_answer":
            return "says {answer} in {given} of the statements that it judges; {right} are"
        return "{question_type}: picks option {answer} in {given}; it is right in {right}"
