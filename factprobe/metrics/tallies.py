"""Collection of grades for the score table, by cell and by stratum."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from math import nan
from typing import Literal, NamedTuple

import numpy as np

from factprobe.inputs.labels import HumanJudgment
from factprobe.metrics.base import MetricInput, group_rows
from factprobe.metrics.statistics.intervals import Codes, codes_of
from factprobe.metrics.strata import answer_set_size
from factprobe.question_types import QuestionType, get_kind_or_default
from factprobe.records import Grade, Popularity, Question, subject_of


class Cell(NamedTuple):
    """Cell of the score table: one generator, model, relation and question type."""

    generator: str
    model: str
    relation: str
    question_type: QuestionType


class Stratum(NamedTuple):
    """Group of one generator's and model's questions, by popularity of the subject or number of right answers."""

    generator: str
    model: str
    level: Literal["popularity", "answer_set_size"]
    name: str


class Tally:
    """Compact collection of grades: 32 bytes for each, and one full grade of each kind (see `MetricInput.kinds`)."""

    def __init__(self) -> None:
        self._codes: dict[tuple[object, ...], int] = {}
        self._kinds: list[Grade] = []
        self._kind = array("i")
        self._options = array("i")
        self._probabilities = array("d")
        self._confidences = array("d")
        self._judgments: dict[int, HumanJudgment] = {}
        self.subjects: list[str] = []
        """Subject of each question, which is its cluster."""

    def __len__(self) -> int:
        return len(self._kind)

    def add(
        self, grade: Grade, subject: str | None = None, options: int = 0, judgment: HumanJudgment | None = None
    ) -> None:
        """Add one grade; `subject` is by default that in the question's id, `options` the number to guess from."""
        if judgment is not None:
            self._judgments[len(self)] = judgment
        self._probabilities.append(nan if grade.probability is None else grade.probability)
        self._confidences.append(nan if grade.confidence is None else grade.confidence)
        self._kind.append(self._encode_grade(grade))
        self._options.append(options)
        self.subjects.append(subject_of(grade.question_id) if subject is None else subject)

    def _encode_grade(self, grade: Grade) -> int:
        counts = (grade.true_positives, grade.false_positives, grade.false_negatives)
        code = self._codes.setdefault((grade.verdict, grade.question_type, *counts, grade.rank), len(self._kinds))
        if code == len(self._kinds):
            self._kinds.append(grade)
        return code

    @classmethod
    def joined(cls, tallies: Iterable[Tally]) -> Tally:
        """Return a tally with the grades of several tallies."""
        whole = cls()
        for tally in tallies:
            before = len(whole)
            whole._judgments.update((before + at, judgment) for at, judgment in tally._judgments.items())
            whole._probabilities.extend(tally._probabilities)
            whole._confidences.extend(tally._confidences)
            codes = np.array([whole._encode_grade(grade) for grade in tally._kinds], "i")
            whole._kind.frombytes(codes[np.asarray(tally._kind)].tobytes())
            whole._options.extend(tally._options)
            whole.subjects.extend(tally.subjects)
        return whole

    @classmethod
    def by_owner(cls, cells: Mapping[Cell, Tally]) -> dict[tuple[str, str], Tally]:
        """Return the joined tally of each generator and model."""
        owners = group_rows(cells, lambda cell: (cell.generator, cell.model))
        return {owner: cls.joined(cells[cell] for cell in members) for owner, members in owners.items()}

    @property
    def verdicts(self) -> Counter[str]:
        """Number of grades with each verdict."""
        counts: Counter[str] = Counter()
        for grade, count in zip(self._kinds, np.bincount(self._kind, minlength=len(self._kinds)), strict=True):
            counts[grade.verdict] += int(count)
        return counts

    def forget_judgments(self) -> None:
        """Remove all human judgments."""
        self._judgments.clear()

    def forget_confidences(self) -> None:
        """Remove all confidences of models in their replies."""
        self._confidences = array("d", [nan]) * len(self)

    @property
    def labelled(self) -> int:
        """Number of replies with a human judgment."""
        return len(self._judgments)

    def counted(self, relations: Codes | None = None) -> MetricInput:
        """Return the questions as input for metrics; `relations`, shape (questions,), has codes for a macro average."""
        labels, chances = np.full(len(self), nan), np.ones(len(self))
        for at, judgment in self._judgments.items():
            labels[at], chances[at] = judgment
        return MetricInput(
            kinds=self._kinds,
            kind=np.array(self._kind, np.intp),
            options=np.array(self._options, np.intp),
            clusters=codes_of(self.subjects, len(self)),
            relations=relations,
            intervals={},
            probabilities=np.array(self._probabilities),
            confidences=np.array(self._confidences),
            labels=labels,
            chances=chances,
        )


class Tallies:
    """Tallies of one graph's grades; `popular` has the popularity of subjects, unless a question has its own."""

    def __init__(self, popular: Mapping[str, Popularity]) -> None:
        self._popular = popular
        self._shared: dict[str, str] = {}
        self.cells: dict[Cell, Tally] = defaultdict(Tally)
        self.strata: dict[Stratum, Tally] = defaultdict(Tally)
        self.rules: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        """Number of grades by rule, for each generator and model."""
        self.endings: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        """Number of replies by finish reason, for each generator and model."""
        self.made_up: dict[Cell, Tally] = defaultdict(Tally)
        """Grades of questions about made-up subjects, which are excluded from all scores."""

    @property
    def questions(self) -> int:
        """Number of grades."""
        return sum(len(tally) for _, tally in self.all_cells)

    @property
    def all_cells(self) -> list[tuple[Cell, Tally]]:
        """Cells with their tallies; a cell with questions about real and made-up subjects has a tally of each."""
        return [*self.cells.items(), *self.made_up.items()]

    def add(
        self,
        generator: str,
        model: str,
        relation: str,
        grade: Grade,
        question: Question | None,
        judgment: HumanJudgment | None = None,
    ) -> None:
        """Add one grade; `judgment` is ignored if the question failed. Without `question`, the id gives the subject."""
        judgment = None if grade.verdict == "failed" else judgment
        subject = question.subject_uri if question else subject_of(grade.question_id)
        subject = self._shared.setdefault(subject, subject)
        kind = get_kind_or_default(grade.question_type)
        options = kind.count_options(len(question.choices) if question else 0)
        cell = Cell(generator, model, relation, grade.question_type)
        self.rules[generator, model][grade.rule] += 1
        if grade.verdict != "failed":
            self.endings[generator, model][grade.ending] += 1
        if question and question.given == "made_up":
            self.made_up[cell].add(grade, subject, options, judgment)
            return
        self.cells[cell].add(grade, subject, options, judgment)
        popular = (question and question.popularity) or self._popular.get(subject)
        if popular:
            self.strata[Stratum(generator, model, "popularity", popular)].add(grade, subject, options, judgment)
        if question is not None and kind.has_named_answer and question.answers:
            size = answer_set_size(len(question.answers))
            self.strata[Stratum(generator, model, "answer_set_size", size)].add(grade, subject, options, judgment)

    @property
    def scored(self) -> list[Tally]:
        """Tallies of all cells and strata, without questions about made-up subjects."""
        return [*self.cells.values(), *self.strata.values()]
