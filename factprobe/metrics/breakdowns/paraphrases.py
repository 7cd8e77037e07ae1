"""Breakdown of questions asked in several wordings: does a model give the same answer to all?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from string import ascii_lowercase

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import ArrayLike

from factprobe.metrics.breakdowns.base import Breakdown, headers
from factprobe.metrics.breakdowns.question_pairs import IntegerColumns, number_labels, question_hash
from factprobe.metrics.statistics.intervals import Codes, Interval, renumber, share
from factprobe.metrics.strata import ALL
from factprobe.question_types import QuestionType
from factprobe.records import Grade, Question
from factprobe.text import normalise

_OPTION_LETTER = re.compile(r"\W*([A-Za-z])(?:\W|$)")
"""Letter of an option; both cases are listed, since IGNORECASE would also match `İ`, `ı`, `ſ` and Kelvin's K."""


class WordingConsistency(Struct, frozen=True):
    """Consistency of a model's answers to questions in several wordings; shares in [0, 1], higher is better.

    `mean` is the mean share of a question's wordings that are answered correctly; `some` and `every` are the shares of
    questions answered correctly in at least one wording, and in all. All are None without questions.
    """

    questions: int
    """Number of questions in two wordings or more, over which the shares are computed."""
    mean: Interval | None
    some: Interval | None
    every: Interval | None
    same: Interval | None
    """Share of the pairs of a question's wordings that get the same answer, right or wrong; mean over questions."""
    kg: str = ""
    generator: str = ""
    """First of the generators whose wordings are compared."""
    model: str = ""
    question_type: QuestionType = ALL
    wordings: str = ""
    """Names of all these generators, separated by commas."""


def consistency(questions: Codes, answers: Codes, right: ArrayLike, clusters: Codes) -> WordingConsistency:
    """Compute the consistency of answers over wordings; all arguments have the shape (replies,).

    `questions` has the number of each reply's question, equal for all of its wordings. `answers` has the number of the
    answer, below 0 if there is none. `right` is whether the answer is correct, and `clusters` the number of the
    question's subject.

    `same` is the consistency of Elazar et al. (2021, Transactions of the ACL 9, section 3), the share of pairs of
    paraphrases with the same prediction; `every` is their consistent accuracy. Their models always answer; here two
    abstentions are the same answer, and two replies without an answer are not.
    """
    wordings = np.bincount(questions)
    hits = np.bincount(questions, right)
    owner = np.zeros(len(wordings), np.intp)
    owner[questions] = clusters
    has_answer = answers >= 0
    pairs = np.column_stack([questions[has_answer], answers[has_answer]])
    distinct, counts = np.unique(pairs, axis=0, return_counts=True) if len(pairs) else (pairs, np.zeros(0, np.intp))
    same = np.bincount(distinct[:, 0], counts * (counts - 1) / 2, len(wordings))
    several = wordings > 1
    wordings, hits, same, owner = wordings[several], hits[several], same[several], owner[several]
    outcomes = hits / wordings, hits > 0, hits == wordings, same / (wordings * (wordings - 1) / 2)
    mean, some, every, agreeing = (share(values, owner) for values in outcomes)
    return WordingConsistency(len(wordings), mean, some, every, agreeing)


class ByWording(Breakdown):
    """Breakdown of questions that several generators ask in different wordings.

    Equal questions have the same `question_hash`; a repeated wording counts once. Questions with a passage, with a
    made-up or no subject, and ranked questions are ignored.
    """

    title = "Questions in several wordings"
    note = (
        "The same questions in the wordings of several generators, without those with a passage, without a subject or "
        "with a ranking. The last column is the share of pairs of wordings with the same answer, right or wrong; two "
        "abstentions are the same answer."
    )
    heads = headers(
        "question_type wordings questions mean some every same",
        questions="in several wordings",
        mean="right on average",
        some="in some wording",
        every="in every wording",
        same="same answer in a pair",
    )
    main = "every"
    total_sentence = (
        "{questions} questions in several wordings ({wordings}): {mean} right, {every} in every wording, the same "
        "answer in {same} of the pairs"
    )

    def __init__(self, kg: str) -> None:
        super().__init__(kg)
        self._answers: dict[str, IntegerColumns] = {}
        self._numbers = {name: number_labels() for name in ("generator", "type", "subject")}

    def add(self, generator: str, model: str, grade: Grade, question: Question) -> None:
        """Add a grade of a question in one of its wordings."""
        if grade.verdict == "failed" or question.context or question.given or question.cloze:
            return
        answer = answer_of(grade, question)
        names = generator, question.question_type, question.subject_uri
        self._answers.setdefault(model, IntegerColumns("question", "prompts", "answer", "right", *self._numbers)).add(
            question_hash(question),
            hash(grade.prompts_hash or question.prompts),
            -1 if answer is None else abs(hash(answer)),
            grade.verdict == "correct",
            *(numbers[name] for numbers, name in zip(self._numbers.values(), names, strict=True)),
        )

    def rows(self) -> Sequence[WordingConsistency]:
        """Return the rows of each model: for all question types, and for each with questions in several wordings."""
        return [replace(row, kg=self.kg, model=model) for model in self._answers for row in self._of_model(model)]

    def _of_model(self, model: str) -> Iterator[WordingConsistency]:
        answers = self._answers[model]
        columns = {name: answers[name] for name in ("question", "answer", "right", *self._numbers)}
        wordings = np.column_stack([columns["question"], answers["prompts"]])
        first = np.unique(wordings, axis=0, return_index=True)[1]
        code, count = np.unique(columns["question"][first], return_inverse=True, return_counts=True)[1:]
        rephrased = np.sort(first[count[code] > 1])
        names = list(self._numbers["generator"])
        for name, number in {ALL: None, **self._numbers["type"]}.items():
            chosen = rephrased if number is None else rephrased[columns["type"][rephrased] == number]
            if not len(chosen):
                continue
            question, answer, right, generator, _, subject = (column[chosen] for column in columns.values())
            result = consistency(renumber(question), np.where(answer < 0, -1, renumber(answer)), right, subject)
            generators = [names[index] for index in np.unique(generator)]
            yield replace(result, generator=generators[0], question_type=name, wordings=", ".join(generators))


def answer_of(grade: Grade, question: Question) -> str | None:
    """Return a text that identifies the answer in a reply, equal for equal answers; None without an answer."""
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
    letter = _OPTION_LETTER.match(grade.answer)
    if letter and words not in options:
        rest, of_letter = grade.answer[letter.end() :], dict(zip(ascii_lowercase, options, strict=False))
        option = of_letter.get(letter[1].lower(), words)
        if not re.search(r"\w", rest) or f"{normalise(rest)} ".startswith(f"{option} "):
            words = option
    return f"{' '.join(sorted(grade.matched))} {words}"
