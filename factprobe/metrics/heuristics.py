"""Heuristics that guess the answers to a relation's questions from names and numbers of facts alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from factprobe.question_types import End, QuestionType, other_end
from factprobe.records import Question, RelationSummary
from factprobe.text import normalise

_RUN_LENGTH = 20
"""Number of consecutive facts that are sampled together; over these, generators balance positions of right options."""
GUESSES = {
    "popularity": "the answer with the most facts in the relation",
    "overlap": "the answer with the name most similar to the given entity's name",
    "length": "the longest name",
    "likeness": "the option most similar to the other options",
    "constant": "always the same letter or the same verdict",
}
CONSTANT = "constant"
_MAX_OPTIONS = 26


class Guess(NamedTuple):
    """One heuristic's guess at one question."""

    subject: str
    options: int
    """Number of answers to choose from."""
    probability_or_position: float
    """Probability that the guess is right; of `constant`, the index of the right option, or whether a statement is
    correct."""


Rows = dict[tuple[QuestionType, str], list[Guess]]
"""Guesses at the questions of one relation, by question type and heuristic."""


class RelationGuesses:
    """Collector of guesses at questions on one relation: on all facts, or a sample of `min_facts` to twice as many."""

    def __init__(self, summary: RelationSummary, min_facts: int) -> None:
        self._summary = summary
        self._min_facts = min_facts
        self._popular: dict[End, dict[str, int]] = {}
        self._fact, self._stride, self._samples_fact = -1, 1, False
        self._ends = ("", "")
        self._sample: list[tuple[int, Question]] = []
        self._rows: Rows = {}

    def add(self, question: Question) -> Question:
        """Add a question if its fact is sampled, and return it; questions with a made-up or no subject are ignored."""
        if question.given:
            return question
        if (ends := (question.subject_uri, question.object_uri)) != self._ends:
            self._ends = ends
            self._fact += 1
            if self._fact >= 2 * self._min_facts * self._stride:
                self._stride *= 2
                self._sample = [(fact, question) for fact, question in self._sample if self._is_sampled(fact)]
            self._samples_fact = self._is_sampled(self._fact)
        if self._samples_fact:
            self._sample.append((self._fact, question))
        return question

    def _is_sampled(self, fact: int) -> bool:
        return fact // _RUN_LENGTH % self._stride == 0

    def rows(self) -> Rows:
        """Return the guesses at the sampled questions; to be called once.

        Left out are questions without options or statement, with over 26 options, or without one option of the right
        name.
        """
        for _, question in self._sample:
            kind = question.question_type
            if kind == "binary_answer" and isinstance(question.answers, str):
                self._record_guess(question, CONSTANT, 2, float(question.answers == "correct"))
                if question.answers == "incorrect":  # guess which of a fact's true and false statement is true
                    right = question.subject_uri if question.sought == "subject" else question.object_uri
                    names = [self._entity_label(uri, question.sought) for uri in (right, question.shown)]
                    for guess, scores in self._score_names(names, question).items():
                        self._record_guess(question, guess, 2, _probability_of_right_pick(scores, 0))
            elif kind == "multi_choices" and 1 < len(question.choices) <= _MAX_OPTIONS:
                self._guess_option(question)
        return self._rows

    def _record_guess(self, question: Question, guess: str, options: int, probability_or_position: float) -> None:
        row = Guess(question.subject_uri, options, probability_or_position)
        self._rows.setdefault((question.question_type, guess), []).append(row)

    def _guess_option(self, question: Question) -> None:
        names = question.choices
        label = question.answers[0].label if not isinstance(question.answers, str) else ""
        if names.count(label) != 1:
            return
        right = names.index(label)
        scores = self._score_names(names, question)
        scores["likeness"] = [
            sum(_name_similarity(name, other) for at, other in enumerate(names) if at != place)
            for place, name in enumerate(names)
        ]
        for guess, option_scores in scores.items():
            self._record_guess(question, guess, len(names), _probability_of_right_pick(option_scores, right))
        self._record_guess(question, CONSTANT, len(names), right)

    def _score_names(self, names: Sequence[str], question: Question) -> dict[str, list[float]]:
        """Return the scores of the candidate answers `names` by the heuristics `popularity`, `overlap` and `length`."""
        end = question.sought
        uri = question.object_uri if end == "subject" else question.subject_uri
        if end not in self._popular:
            popular = self._popular[end] = {}
            for entity in self._summary.entities(end):
                for name in entity.names()[:1]:
                    popular[name] = max(popular.get(name, 0), len(self._summary.partners(entity.uri, end)))
        popularities, label = self._popular[end], self._entity_label(uri, other_end(end))
        return {
            "popularity": [popularities.get(name, 0) for name in names],
            "overlap": [_name_similarity(name, label) for name in names],
            "length": [len(name) for name in names],
        }

    def _entity_label(self, uri: str, end: End) -> str:
        """Return the name by which questions show an entity; empty if it has none."""
        entity = self._summary.entity(uri, end)
        return next(iter(entity.names()), "") if entity else ""


def _name_similarity(name: str, other: str) -> float:
    """Return the Jaccard similarity of the letter trigrams of two names, in [0, 1]."""
    trigrams, other_trigrams = _trigrams(name), _trigrams(other)
    common = len(trigrams & other_trigrams)
    return common / (len(trigrams) + len(other_trigrams) - common) if common else 0.0


@lru_cache(maxsize=1 << 16)
def _trigrams(name: str) -> frozenset[str]:
    text = f" {normalise(name)} "
    return frozenset(text[i : i + 3] for i in range(len(text) - 2))


def _probability_of_right_pick(scores: Sequence[float], right: int) -> float:
    """Return the probability that the answer with the highest score is right, if ties are broken at random."""
    highest = max(scores)
    return 1 / scores.count(highest) if scores[right] == highest else 0.0
