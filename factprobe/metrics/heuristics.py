"""Heuristics that guess the answers of one relation's questions, from wordings and numbers of facts only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from factprobe.question_types import BINARY, CHOICES, End, QuestionType
from factprobe.records import Question, RelationSummary
from factprobe.text import normalise

_RUN = 20
"""Number of consecutive facts in a sampled run; runs keep the balance of option positions."""
GUESSES = {
    "popularity": "the answer with the most facts in the relation",
    "overlap": "the answer with the name most similar to the given entity's name",
    "length": "the longest name",
    "likeness": "the option most similar to the other options",
    "constant": "always the same letter or the same verdict",
}
"""Heuristics with their descriptions."""
CONSTANT = "constant"
_CHOICES, _BINARY = CHOICES.question_type, BINARY.question_type
_LETTERS = 26


class GuessRow(NamedTuple):
    """Guess of one heuristic at one question."""

    subject: str
    options: int
    """Number of answers to choose from."""
    value: float
    """Probability that the guess is right; for the heuristic `constant` the position of the right answer."""


Rows = dict[tuple[QuestionType, str], list[GuessRow]]
"""Guesses at the questions of one relation, by question type and heuristic."""


class RelationGuesses:
    """Collector of guesses at a sample of one relation's questions.

    Args:
        summary: The relation's answer sets.
        most: The number of facts to sample; up to twice as many are used.
    """

    def __init__(self, summary: RelationSummary, most: int) -> None:
        self._summary = summary
        self._most = most
        self._popular: dict[End, dict[str, int]] = {}
        self._trigrams: dict[str, frozenset[str]] = {}
        self._fact, self._every, self._samples_fact = -1, 1, False
        self._subject, self._object = "", ""
        self._sample: list[tuple[int, Question]] = []
        self._rows: Rows = {}

    def add(self, question: Question) -> None:
        """Add a question if its fact is in the sample; questions without a real subject are ignored."""
        if question.given:
            return
        if question.object_uri != self._object or question.subject_uri != self._subject:
            self._subject, self._object = question.subject_uri, question.object_uri
            self._next_fact()
        if self._samples_fact:
            self._sample.append((self._fact, question))

    def _next_fact(self) -> None:
        self._fact += 1
        if self._fact >= 2 * self._most * self._every:
            self._every *= 2
            self._sample = [(fact, question) for fact, question in self._sample if self._is_sampled(fact)]
        self._samples_fact = self._is_sampled(self._fact)

    def _is_sampled(self, fact: int) -> bool:
        return fact // _RUN % self._every == 0

    def rows(self) -> Rows:
        """Return the guesses, leaving out questions of other types or with more options than letters."""
        for _, question in self._sample:
            kind = question.question_type
            if kind == _BINARY and isinstance(question.answers, str):
                self._note(question, CONSTANT, 2, float(question.answers == "correct"))
                if question.answers == "incorrect":
                    self._statement(question)
            elif kind == _CHOICES and 1 < len(question.choices) <= _LETTERS:
                self._choice(question)
        return self._rows

    def _note(self, question: Question, guess: str, options: int, value: float) -> None:
        row = GuessRow(question.subject_uri, options, value)
        self._rows.setdefault((question.question_type, guess), []).append(row)

    def _statement(self, question: Question) -> None:
        """Guess which of a fact's true and false statement is true."""
        right = question.subject_uri if question.sought == "subject" else question.object_uri
        names = [self._label(uri, question.sought) for uri in (right, question.shown)]
        for guess, scores in self._scores(names, question).items():
            self._note(question, guess, 2, _share(scores, 0))

    def _choice(self, question: Question) -> None:
        """Guess at a question with options."""
        names = question.choices
        label = question.answers[0].label if not isinstance(question.answers, str) else ""
        if names.count(label) != 1:
            return
        right = names.index(label)
        scores = self._scores(names, question)
        scores["likeness"] = _likeness([self._trigrams_of(name) for name in names])
        for guess, found in scores.items():
            self._note(question, guess, len(names), _share(found, right))
        self._note(question, CONSTANT, len(names), right)

    def _scores(self, names: Sequence[str], question: Question) -> dict[str, list[float]]:
        """Return the score that each heuristic gives each name, at the end that the question asks for."""
        end = question.sought
        given: tuple[str, End] = (question.subject_uri, "subject")
        if end == "subject":
            given = (question.object_uri, "object")
        if end not in self._popular:
            popular = self._popular[end] = {}
            for entity in self._summary.entities(end):
                for name in entity.names()[:1]:
                    popular[name] = max(popular.get(name, 0), len(self._summary.partners(entity.uri, end)))
        popularities, trigrams = self._popular[end], self._trigrams_of(self._label(*given))
        return {
            "popularity": [popularities.get(name, 0) for name in names],
            "overlap": [_similarity(self._trigrams_of(name), trigrams) for name in names],
            "length": [len(name) for name in names],
        }

    def _label(self, uri: str, end: End) -> str:
        """Return the name of an entity that questions show."""
        entity = self._summary.entity(uri, end)
        return next(iter(entity.names()), "") if entity else ""

    def _trigrams_of(self, name: str) -> frozenset[str]:
        """Return the letter trigrams of a name, including those at its ends."""
        found = self._trigrams.get(name)
        if found is None:
            text = f" {normalise(name)} "
            found = self._trigrams[name] = frozenset(text[i : i + 3] for i in range(len(text) - 2))
        return found


def _similarity(one: frozenset[str], another: frozenset[str]) -> float:
    """Return the Jaccard similarity of two names, in [0, 1]."""
    same = len(one & another)
    return same / (len(one) + len(another) - same) if same else 0.0


def _likeness(names: Sequence[frozenset[str]]) -> list[float]:
    """Return the summed similarity of each name to the others."""
    found = [0.0] * len(names)
    for i, one in enumerate(names):
        for j in range(i):
            similarity = _similarity(one, names[j])
            found[i] += similarity
            found[j] += similarity
    return found


def _share(scores: Sequence[float], right: int) -> float:
    """Return the probability that the right answer is picked by the highest score, with ties broken at random."""
    most = max(scores)
    return 1 / scores.count(most) if scores[right] == most else 0.0
