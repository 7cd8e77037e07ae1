"""Selection of the grades whose questions have not changed since, and comparison of the questions of models."""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, TypeVar

from factprobe.asking.log import ResponseLog
from factprobe.collection.vocabulary import ReportVocabulary
from factprobe.models.base import request_hash
from factprobe.records import Grade, Question, Response
from factprobe.storage import GradedFolder, Lines, Problems

log = logging.getLogger(__name__)
T = TypeVar("T")
GradedQuestion = tuple[Grade, Question | None]
"""Grade with its question; None if the question is missing."""


class GradedResponse(NamedTuple):
    """Question with its response and grade."""

    question: Question
    response: Response
    grade: Grade


def current(
    folder: GradedFolder, relation: str, outdated: Counter[Path] | None = None, ungraded: Counter[str] | None = None
) -> Iterator[GradedQuestion]:
    """Yield each grade of a relation with its question, or with None if its file of questions is missing.

    Grades of questions that have changed or are gone are omitted, and counted in `outdated` by folder. Questions
    without such a grade are counted in `ungraded` by model.
    """
    questions = folder.questions(relation)
    has_questions = questions.exists()
    asked = iter(read(questions, Question) if has_questions else ())
    if ungraded is not None:
        asked = _count_questions(asked, ungraded, folder.model)
    for grade, question in _pair_with_questions(read(folder.grades(relation), Grade), asked):
        is_outdated = has_questions if question is None else grade.prompts_hash not in ("", request_hash(question))
        if not is_outdated:
            yield grade, question
            if ungraded is not None and question is not None:
                ungraded[folder.model] -= 1
        elif outdated is not None:
            outdated[folder.folder] += 1
    if ungraded is not None:
        deque(asked, maxlen=0)


def graded_responses(folder: GradedFolder, relation: str) -> Iterator[GradedResponse]:
    """Yield the grades of a relation that are not stale, with their questions and responses; omit those without."""
    graded = [(grade, question) for grade, question in current(folder, relation) if question is not None]
    answers = ResponseLog(folder.responses(relation)).answers(question for _, question in graded)
    for (question, response), (grade, _) in zip(answers, graded, strict=True):
        if response is not None:
            yield GradedResponse(question, response, grade)


def count_questions(folder: GradedFolder, relation: str) -> int:
    """Return the number of a generator's questions about a relation."""
    path = folder.questions(relation)
    return sum(1 for _ in read(path, Question)) if path.exists() else 0


def _count_questions(questions: Iterator[Question], counts: Counter[str], name: str) -> Iterator[Question]:
    for question in questions:
        counts[name] += 1
        yield question


def warn_of(outdated: Counter[Path]) -> None:
    """Log a warning about omitted grades, counted by folder."""
    for folder, count in (+outdated).items():
        what = "grades are of questions that were made anew since or are gone, and are left out"
        log.warning("%s: %s %s; run step=answer and step=evaluate again", folder, f"{count:,}", what)


def read(path: Path, record: type[T]) -> Iterable[T]:
    """Return an iterable over the records of a file; broken lines are skipped with a warning."""
    return Lines(path, record, Problems())


def _pair_with_questions(grades: Iterable[Grade], questions: Iterator[Question]) -> Iterator[GradedQuestion]:
    """Pair grades with their questions; both are in the same order, so that few questions are kept in memory."""
    passed: dict[str, Question] = {}
    for grade in grades:
        while grade.question_id not in passed and (question := next(questions, None)):
            passed[question.question_id] = question
        yield grade, passed.pop(grade.question_id, None)


Owner = tuple[str, str]
"""Names of a generator and a model."""

_MAX_NAMED_MODELS = 4


class QuestionSets:
    """Number and checksum of the questions that each model answered, by owner."""

    def __init__(self) -> None:
        self.counts: Counter[Owner] = Counter()
        self._checksums: Counter[Owner] = Counter()

    def add(self, owner: Owner, question: str) -> None:
        """Add a question by its id; a question must be added once for each owner."""
        self.counts[owner] += 1
        self._checksums[owner] += hash(question)

    @classmethod
    def joined(cls, sets: Iterable[QuestionSets]) -> QuestionSets:
        """Join the sets of several graphs."""
        joint = cls()
        for question_set in sets:
            joint.counts.update(question_set.counts)
            joint._checksums.update(question_set._checksums)
        return joint

    def differ(self) -> bool:
        """Return whether two models answered different questions."""
        return len({(count, self._checksums[owner]) for owner, count in self.counts.items()}) > 1


def unequal_questions(sets: QuestionSets, names: Mapping[Owner, str], words: ReportVocabulary) -> str:
    """Return a sentence that models answered different questions; empty if all answered the same."""
    if not sets.differ():
        return ""
    counts = [f"{names[owner]} {count:,}" for owner, count in sets.counts.items()]
    listed = f" ({', '.join(counts)})" if len(counts) <= _MAX_NAMED_MODELS else ""
    return f"The {words.model}s answered different questions{listed}, so their accuracies cannot be ranked."
