"""Consistency of answers over the wordings of a question."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import ArrayLike

from factprobe.metrics.breakdowns.base import Breakdown
from factprobe.metrics.breakdowns.question_pairs import same_question
from factprobe.metrics.scores import ALL
from factprobe.metrics.statistics.intervals import Codes, Interval, numbered, share
from factprobe.question_types import QuestionType
from factprobe.records import Grade, Question
from factprobe.text import normalise

_LETTER = re.compile(r"\W*([A-Za-z])(?:\W|$)")
"""Letter of an option. Both cases are listed, since IGNORECASE also matches `İ`, `ı`, `ſ` and the Kelvin sign."""


class WordingConsistency(Struct, frozen=True):
    """Answers of a model to a graph's questions in several wordings; shares in [0, 1], higher is better.

    The shares are None without questions.
    """

    questions: int
    """Number of questions asked in two wordings or more, over which the shares are."""
    mean: Interval | None
    """Mean share of a question's wordings that are answered correctly."""
    some: Interval | None
    """Share of questions answered correctly in at least one wording."""
    every: Interval | None
    """Share of questions answered correctly in every wording."""
    same: Interval | None
    """Mean share of pairs of a question's wordings with the same answer, right or wrong."""
    kg: str = ""
    generator: str = ""
    """First generator of the wordings."""
    model: str = ""
    question_type: QuestionType = ALL
    """Question type, or `all`."""
    wordings: str = ""
    """Generators of the wordings, separated by commas."""


def consistency(questions: Codes, answers: Codes, right: ArrayLike, clusters: Codes) -> WordingConsistency:
    """Compute the consistency of answers over paraphrases.

    `same` is the consistency of Elazar et al. (2021, Transactions of the ACL 9, section 3), the share of pairs of
    paraphrases with the same prediction; `every` is their consistent accuracy. Their models always answer; here two
    abstentions are the same answer, and two replies without an answer are not.

    Args:
        questions: the number of each reply's question, equal for all its wordings, shape (replies,).
        answers: the number of each reply's answer, below 0 for no answer, shape (replies,).
        right: whether each reply is right, shape (replies,).
        clusters: the number of each reply's subject entity, equal for all replies to a question, shape (replies,).

    Raises:
        ValueError: the lengths differ.
    """
    rights = np.asarray(right, bool)
    if not len(questions) == len(answers) == len(rights) == len(clusters):
        raise ValueError(f"{len(questions)} questions, {len(answers)} answers, {len(rights)} and {len(clusters)}")
    wordings = np.bincount(questions)
    known = np.bincount(questions, rights)
    owner = np.zeros(len(wordings), np.intp)
    owner[questions] = clusters
    given = answers >= 0
    pairs = np.column_stack([questions[given], answers[given]])
    alike, counts = np.unique(pairs, axis=0, return_counts=True) if len(pairs) else (pairs, np.zeros(0, np.intp))
    same = np.bincount(alike[:, 0], counts * (counts - 1) / 2, len(wordings))
    several = wordings > 1
    wordings, known, same, owner = wordings[several], known[several], same[several], owner[several]
    return WordingConsistency(
        questions=len(wordings),
        mean=share(known / wordings, owner),
        some=share(known > 0, owner),
        every=share(known == wordings, owner),
        same=share(same / (wordings * (wordings - 1) / 2), owner),
    )


class ByWording(Breakdown):
    """Breakdown of questions that several generators word differently.

    Questions are identified by `same_question`; repetitions of a wording count once. Questions with a passage,
    questions without their subject and ranked questions are left out.
    """

    title = "Questions in several wordings"
    note = (
        "The same questions in the wordings of several generators, without those with a passage, without a subject or "
        "with a ranking. The last column is the share of pairs of wordings with the same answer, right or wrong; two "
        "abstentions are the same answer."
    )
    heads: ClassVar[Mapping[str, str]] = {
        "question_type": "question type",
        "wordings": "wordings",
        "questions": "in several wordings",
        "mean": "right on average",
        "some": "in some wording",
        "every": "in every wording",
        "same": "same answer in a pair",
    }
    main = "every"

    def __init__(self, kg: str) -> None:
        super().__init__(kg)
        self._answers: dict[str, _Answers] = {}

    def add(self, generator: str, model: str, grade: Grade, question: Question) -> None:
        """Add a grade; see the base class."""
        if grade.verdict != "failed" and not (question.context or question.given or question.cloze):
            self._answers.setdefault(model, _Answers()).add(generator, grade, question)

    def rows(self) -> Sequence[WordingConsistency]:
        """Return the rows; see the base class."""
        return [
            replace(found, kg=self.kg, model=model)
            for model, answers in self._answers.items()
            for found in answers.consistencies()
        ]

    @classmethod
    def sentence(cls, row: WordingConsistency) -> str:
        """Return a sentence; see the base class."""
        if row.question_type != ALL:
            return ""
        known = "{questions} questions in several wordings ({wordings}): {mean} right, {every} in every wording"
        return f"{known}, the same answer in {{same}} of the pairs"


class _Answers:
    """Answers of one model: 49 bytes each, and a name for each subject."""

    def __init__(self) -> None:
        self._generators: dict[str, int] = {}
        self._types: dict[QuestionType, int] = {}
        self._subjects: dict[str, int] = {}
        self._columns = {name: array("q") for name in ("question", "prompts", "answer", "generator", "type", "subject")}
        self._right = array("b")

    def add(self, generator: str, grade: Grade, question: Question) -> None:
        """Add one answer."""
        answer = answer_of(grade, question)
        row = {
            "question": same_question(question),
            "prompts": hash(grade.prompts_hash or question.prompts),
            "answer": -1 if answer is None else abs(hash(answer)),
            "generator": self._generators.setdefault(generator, len(self._generators)),
            "type": self._types.setdefault(question.question_type, len(self._types)),
            "subject": self._subjects.setdefault(question.subject_uri, len(self._subjects)),
        }
        for name, value in row.items():
            self._columns[name].append(value)
        self._right.append(grade.verdict == "correct")

    def consistencies(self) -> Iterator[WordingConsistency]:
        """Yield the consistency of all question types, then of each.

        Types without a question in two wordings are left out.
        """
        columns = {name: np.array(column, np.int64) for name, column in self._columns.items()}
        worded = np.column_stack([columns["question"], columns["prompts"]])
        first = np.unique(worded, axis=0, return_index=True)[1]
        code, count = np.unique(columns["question"][first], return_inverse=True, return_counts=True)[1:]
        kept = np.sort(first[count[code] > 1])
        names = list(self._generators)
        for name, number in {ALL: None, **self._types}.items():
            chosen = kept if number is None else kept[columns["type"][kept] == number]
            if len(chosen):
                answers = columns["answer"][chosen]
                found = consistency(
                    numbered(columns["question"][chosen]),
                    np.where(answers < 0, -1, numbered(answers)),
                    np.array(self._right, bool)[chosen],
                    columns["subject"][chosen],
                )
                generators = [names[one] for one in np.unique(columns["generator"][chosen])]
                yield replace(found, generator=generators[0], question_type=name, wordings=", ".join(generators))


def answer_of(grade: Grade, question: Question) -> str | None:
    """Return a key of the answer in a reply, equal for the same answer in other words; None without an answer."""
    if grade.verdict in ("unparsed", "failed"):
        return None
    if grade.verdict == "abstained" or isinstance(question.answers, str):
        return grade.verdict
    if grade.verdict == "correct":
        return f"= {' '.join(sorted(grade.matched))}"
    words = normalise(grade.answer)
    if not words:
        return None
    options = [normalise(choice) for choice in question.choices]
    letter = _LETTER.match(grade.answer)
    place = ord(letter[1].lower()) - ord("a") if letter else len(options)
    if words not in options and place < len(options):
        words = options[place]
    return f"{' '.join(sorted(grade.matched))} {words}"
