"""Breakdowns of guessing: answers about made-up subjects, and right answers to questions without a subject."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from factprobe.metrics.base import REPLIED
from factprobe.metrics.breakdowns.base import Breakdown, ModelRow, headers
from factprobe.metrics.breakdowns.question_pairs import IntegerColumns, number_labels, question_hash
from factprobe.metrics.statistics.intervals import Interval, share_among
from factprobe.metrics.statistics.paired import paired_shares
from factprobe.metrics.strata import ALL
from factprobe.metrics.tallies import Tally
from factprobe.question_types import QuestionType
from factprobe.records import Grade, Question


class GuessRate(ModelRow, frozen=True):
    """Replies of a model to questions about made-up subjects; shares of replies, in [0, 1]."""

    relation: str
    question_type: QuestionType
    questions: int
    """Number of replies; replies about one made-up subject form a cluster."""
    guessed: Interval
    """Share of replies with an answer, which must be a guess; lower is better."""
    declined: Interval
    """Share of abstentions, the right reaction; higher is better."""
    affirmed: Interval | None
    """Share of true/false questions answered with true; lower is better. False is a guess too, but defensible."""


class AnswerPrior(Struct, frozen=True):
    """Accuracies of a model on the same questions with and without their subject, in [0, 1]."""

    question_type: QuestionType
    questions: int
    """Number of questions with a reply both with and without their subject."""
    accuracy: Interval
    prior: Interval
    """Accuracy without the subject; it results from the frequency, fit or position of answers."""
    difference: Interval
    kg: str = ""
    generator: str = ""
    model: str = ""
    without: str = ""
    """Generator of the questions without their subject."""


class MadeUpBreakdown(Breakdown):
    """Breakdown of questions about made-up subjects; all statements about them are false (Yin et al. 2023, ACL)."""

    title = "Made-up subjects"
    note = (
        "The subjects do not exist: abstention is the right reply, and every answer is a guess. Calling a statement "
        "false is defensible, calling it true is not. The scores do not include these questions."
    )
    heads = headers(
        "relation question_type questions guessed affirmed declined",
        questions="replies",
        guessed="answered",
        affirmed="called true",
    )
    main = "guessed"
    of_made_up = True
    of_facts = True

    def __init__(self, kg: str) -> None:
        super().__init__(kg)
        self._cells: dict[tuple[str, str, str, QuestionType], Tally] = {}

    def add(self, generator: str, model: str, grade: Grade, question: Question) -> None:
        """Add a grade of a question about a made-up subject."""
        cell = generator, model, question.relation, grade.question_type
        self._cells.setdefault(cell, Tally()).add(grade, question.subject_uri)

    def rows(self) -> Sequence[GuessRate]:
        """Return the rows of each generator and model: total, by question type, by relation."""
        groups: dict[tuple[str, str], dict[tuple[str, QuestionType], list[Tally]]] = {}
        for (generator, model, relation, kind), tally in self._cells.items():
            sums = groups.setdefault((generator, model), {})
            for key in ((ALL, ALL), (ALL, kind), (relation, ALL)):
                sums.setdefault(key, []).append(tally)
        return [
            row
            for owner, sums in groups.items()
            for key in sorted(sums, key=lambda key: (key[0] != ALL, key[1] != ALL))
            if (row := self._make_row(owner, key, Tally.joined(sums[key])))
        ]

    def _make_row(self, owner: tuple[str, str], key: tuple[str, QuestionType], grades: Tally) -> GuessRate | None:
        counted = grades.counted()
        replied, clusters = counted.flags(REPLIED), counted.clusters
        is_binary = np.array([grade.question_type == "binary_answer" for grade in counted.kinds])[counted.kind]
        guessed = share_among(counted.flags(("correct", "incorrect")), replied, clusters)
        declined = share_among(counted.flags(("abstained",)), replied, clusters)
        if guessed is None or declined is None:
            return None
        affirmed = share_among(counted.flags(("incorrect",)), replied & is_binary, clusters)
        replies, (generator, model) = len(grades) - grades.verdicts["failed"], owner
        names = {"kg": self.kg, "generator": generator, "model": model}
        return GuessRate(*key, replies, guessed, declined, affirmed, **names)

    @classmethod
    def sentence(cls, row: GuessRate) -> str:
        """Return a sentence on the total or a question type; empty for a single relation."""
        if row.relation != ALL:
            return ""
        kind = "" if row.question_type == ALL else ", {question_type}"
        true = "" if row.question_type == ALL or row.affirmed is None else ", {affirmed} called true"
        return f"made-up subjects{kind}: {{guessed}} of {{questions}} answered{true}, {{declined}} declined"


class WithoutSubject(Breakdown):
    """Breakdown of questions with a subject, paired with the same ones without it; passages are excluded.

    The source is Cao et al. 2021, ACL (Knowledgeable or Educated Guess? Revisiting Language Models as Knowledge Bases).
    """

    title = "With and without the subject"
    note = (
        "The same questions with a placeholder instead of the subject: right answers to them result from the "
        "frequency, the fit or the position of an answer."
    )
    heads = headers(
        "without question_type questions accuracy prior difference",
        without="generator without subject",
        prior="without the subject",
    )
    main = "difference"
    of_facts = True

    def __init__(self, kg: str) -> None:
        super().__init__(kg)
        self._outcomes: dict[tuple[str, str, QuestionType], IntegerColumns] = {}
        self._without: set[str] = set()
        self._subjects = number_labels()

    def add(self, generator: str, model: str, grade: Grade, question: Question) -> None:
        """Add a grade of a question with or without its subject."""
        if question.context:
            return
        if question.given == "none":
            self._without.add(generator)
        if grade.verdict in REPLIED:
            group, columns = (generator, model, grade.question_type), IntegerColumns("key", "right", "subject")
            outcomes = self._outcomes.setdefault(group, columns)
            subject = self._subjects[question.subject_uri]
            outcomes.add(question_hash(question), grade.verdict == "correct", subject)

    def rows(self) -> Sequence[AnswerPrior]:
        """Return a row for each model, question type, generator with subjects, and generator without them."""
        rows = []
        for (generator, model, kind), outcomes in self._outcomes.items():
            for bare in sorted(self._without - {generator}) if generator not in self._without else ():
                if other := self._outcomes.get((bare, model, kind)):
                    guessed = other.right_by_key(outcomes["key"])
                    both = guessed >= 0
                    if both.any():
                        right, subjects = outcomes["right"][both] == 1, outcomes["subject"][both]
                        shares = paired_shares(right, guessed[both] == 1, subjects)
                        rows.append(AnswerPrior(kind, int(both.sum()), *shares, self.kg, generator, model, bare))
        return rows

    @classmethod
    def sentence(cls, row: AnswerPrior) -> str:  # noqa: ARG003  # the same for each row
        """Return a sentence on the accuracies without and with the subject."""
        return "{question_type}: {prior} right without the subject, {accuracy} with it ({questions} questions)"
