"""Grades of questions that have not changed since they were graded, and which questions models answered."""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from factprobe.models.base import request_hash
from factprobe.records import Grade, Question
from factprobe.reports.vocabulary import ReportVocabulary
from factprobe.storage import GradedFolder, Lines, Problems

log = logging.getLogger(__name__)
T = TypeVar("T")
GradedQuestion = tuple[Grade, Question | None]
"""Grade with its question; None if the question is missing."""


def current(
    folder: GradedFolder, relation: str, outdated: Counter[Path] | None = None, ungraded: Counter[str] | None = None
) -> Iterator[GradedQuestion]:
    """Yield each grade of a relation with its question, or with None if its file of questions is missing.

    `outdated` counts by folder the grades left out because their question has gone or has changed, and `ungraded` by
    model the questions without a current grade.
    """
    questions = folder.questions(relation)
    known = questions.exists()
    asked = iter(read(questions, Question) if known else ())
    if ungraded is not None:
        asked = _count_questions(asked, ungraded, folder.model)
    for grade, question in _pair_with_questions(read(folder.grades(relation), Grade), asked):
        gone = known if question is None else grade.prompts_hash not in ("", request_hash(question))
        if not gone:
            yield grade, question
            if ungraded is not None and question is not None:
                ungraded[folder.model] -= 1
        elif outdated is not None:
            outdated[folder.folder] += 1
    if ungraded is not None:
        deque(asked, maxlen=0)


def _count_questions(questions: Iterator[Question], counts: Counter[str], name: str) -> Iterator[Question]:
    for question in questions:
        counts[name] += 1
        yield question


def warn_of(outdated: Counter[Path]) -> None:
    """Log a warning about grades that were left out."""
    for folder, count in (+outdated).items():
        what = "grades are of questions that were made anew since or are gone, and are left out"
        log.warning("%s: %s %s; run step=answer and step=evaluate again", folder, f"{count:,}", what)


def read(path: Path, record: type[T]) -> Iterable[T]:
    """Yield the records of a file; broken lines are reported and left out."""
    return Lines(path, record, Problems())


def _pair_with_questions(grades: Iterable[Grade], questions: Iterator[Question]) -> Iterator[GradedQuestion]:
    """Pair grades with questions, holding few questions in memory, since both come in the same order."""
    passed: dict[str, Question] = {}
    for grade in grades:
        while grade.question_id not in passed and (question := next(questions, None)):
            passed[question.question_id] = question
        yield grade, passed.pop(grade.question_id, None)


Owner = tuple[str, str]

_MOST_NAMED_MODELS = 4


class QuestionSets:
    """Number and checksum of the questions that each generator's model answered."""

    def __init__(self) -> None:
        self.counts: Counter[Owner] = Counter()
        self._checksums: Counter[Owner] = Counter()

    def add(self, owner: Owner, question: str) -> None:
        """Add a question by its identity; each only once for an owner."""
        self.counts[owner] += 1
        self._checksums[owner] += hash(question)

    @classmethod
    def joined(cls, sets: Iterable[QuestionSets]) -> QuestionSets:
        """Join the sets of several graphs."""
        whole = cls()
        for one in sets:
            whole.counts.update(one.counts)
            whole._checksums.update(one._checksums)
        return whole

    def differ(self) -> bool:
        """Return whether two models answered different questions."""
        return len({(count, self._checksums[owner]) for owner, count in self.counts.items()}) > 1


def unequal_questions(sets: QuestionSets, names: Mapping[Owner, str], words: ReportVocabulary) -> str:
    """Return the sentence that accuracies are of different questions; empty if all models answered the same."""
    if not sets.differ():
        return ""
    counts = [f"{names[owner]} {count:,}" for owner, count in sets.counts.items()]
    of = f" ({', '.join(counts)})" if len(counts) <= _MOST_NAMED_MODELS else ""
    hint = "step=compare compares two at a time, on the questions that both answered"
    return words.put(f"The models answered different questions{of}, so their accuracies cannot be ranked; {hint}.")
