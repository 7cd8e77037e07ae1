"""Leaks: accuracy of guessing heuristics, compared with the chance level."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from statistics import fmean
from typing import TYPE_CHECKING

from factprobe.metrics.breakdowns.base import ModelRow, TableSpec, headers
from factprobe.metrics.heuristics import CONSTANT, GUESSES, Guess, RelationGuesses, Rows
from factprobe.question_types import QuestionType, type_label
from factprobe.records import Question, RelationSummary

if TYPE_CHECKING:
    from factprobe.metrics.statistics.intervals import Interval

MAX_SAMPLED_FACTS = 2_000
"""Number of facts to sample, spread evenly over relations; up to twice as many are used, or more for over 20 relations.
"""
QUICK_SAMPLED_FACTS = 500
"""Number of facts to sample while questions are generated, which is enough to find large effects."""
_MIN_SHARE_DIVISOR = 20
"""Divisor: at least the total sample size divided by this is sampled of each relation."""
_NOTABLE_GAIN = 0.1
"""Gain over chance, at the lower end of the interval, above which a heuristic is reported."""
_BY_DESIGN = "binary_answer", CONSTANT
"""Question type and heuristic that beats chance even without leaks, since two of three statements are false."""


class Leak(ModelRow, frozen=True):
    """Accuracy of one heuristic on a generator's questions of one type."""

    question_type: QuestionType
    guess: str
    """Name of the heuristic, a key of `GUESSES`."""
    questions: int
    accuracy: Interval
    """Accuracy of the heuristic, in [0, 1]; above `chance`, the questions leak."""
    chance: float

    @property
    def is_far(self) -> bool:
        """True if the heuristic is far better than chance."""
        return self.accuracy.low > self.chance + _NOTABLE_GAIN

    @property
    def takes(self) -> str:
        """Description of the heuristic."""
        return GUESSES[self.guess]

    @property
    def marked_guess(self) -> str:
        """Name of the heuristic, marked if it is far better than chance."""
        return f"{self.guess} ▲" if self.is_far else self.guess


class LeakTable(TableSpec):
    """Table of the accuracies of guessing heuristics."""

    title = "Guessed without the facts"
    note = (
        "Accuracy of heuristics that use the wording of a question and the number of facts of each answer. For "
        "statements, a heuristic picks the true one of a fact's true and false statement. Heuristics marked ▲ are "
        "better than chance by more than ten points at the lower end of the interval; see generator.negatives."
    )
    heads = headers(
        "question_type marked_guess takes questions accuracy chance",
        question_type="questions",
        marked_guess="heuristic",
        takes="picks",
        questions="sampled",
    )
    main = "accuracy"
    of_models = False


def leak_summary(leaks: Iterable[Leak]) -> str:
    """Return a line with the heuristics that are far better than chance; empty if there are none."""
    by_type: dict[QuestionType, list[str]] = {}
    for leak in leaks:
        if leak.is_far and (leak.question_type, leak.guess) != _BY_DESIGN:
            rates = f"{100 * leak.accuracy.estimate:.1f}% (chance {100 * leak.chance:.1f}%)"
            by_type.setdefault(leak.question_type, []).append(f"by {leak.guess} {rates}")
    return "; ".join(f"{type_label(kind)} {', '.join(guesses)}" for kind, guesses in by_type.items())


class Leaks:
    """Collector of guesses at a generator's questions, relation by relation.

    A heuristic picks the option with the highest score, at random among equal ones. Of a fact's true and false
    statement, it picks the one whose entity has the higher score, so that the chance level is one half. For such
    artifacts, see Gururangan et al. 2018 (Annotation Artifacts in Natural Language Inference Data, NAACL) and Balepur,
    Ravichander and Rudinger 2024 (Artifacts or Abduction, ACL).

    `most` is the number of facts to sample over all `relations`; up to twice as many are used, with a minimum for each
    relation.
    """

    def __init__(self, relations: int = 1, most: int = MAX_SAMPLED_FACTS) -> None:
        self._facts_per_relation = max(most // max(relations, 1), most // _MIN_SHARE_DIVISOR)
        self._relation: RelationGuesses | None = None
        self._rows: Rows = {}

    def begin(self, summary: RelationSummary) -> RelationGuesses:
        """Finish the last relation and return the collector for another; add questions about one fact consecutively."""
        self.add_rows(self.last())
        self._relation = RelationGuesses(summary, self._facts_per_relation)
        return self._relation

    def watch(self, questions: Iterable[Question], summary: RelationSummary) -> Iterator[Question]:
        """Yield a relation's questions unchanged, and add them on the way."""
        return map(self.begin(summary).add, questions)

    def rows(self) -> list[Leak]:
        """Return the accuracy of each heuristic by question type, with 95 % intervals clustered by subject."""
        from factprobe.metrics.statistics.intervals import known_share

        self.add_rows(self.last())
        leaks = []
        for kind, guess in product(("multi_choices", "binary_answer"), GUESSES):
            if rows := self._rows.get((kind, guess)):
                values = _guess_probabilities(guess, rows)
                accuracy = known_share(values, [row.subject for row in rows])
                leaks.append(Leak(kind, guess, len(values), accuracy, _mean_chance(rows)))
        return leaks

    def summary(self) -> str:
        """Return a line with the heuristics far better than chance; empty, and without numpy, if there are none."""
        self.add_rows(self.last())
        is_suspect = (
            fmean(_guess_probabilities(key[1], rows)) > _mean_chance(rows) + _NOTABLE_GAIN
            for key, rows in self._rows.items()
            if key != _BY_DESIGN
        )
        return leak_summary(self.rows()) if any(is_suspect) else ""

    def last(self) -> Rows:
        """Return the guesses at the last relation and forget them; pass them to `add_rows` to count them."""
        rows = self._relation.rows() if self._relation else {}
        self._relation = None
        return rows

    def add_rows(self, rows: Rows) -> None:
        """Add the guesses at a relation's questions."""
        for key, guesses in rows.items():
            self._rows.setdefault(key, []).extend(guesses)


def _guess_probabilities(guess: str, rows: Sequence[Guess]) -> list[float]:
    """Return the probability that each guess is right; `constant` always guesses the most frequent position."""
    values = [row.probability_or_position for row in rows]
    if guess == CONSTANT:
        most_frequent = Counter(values).most_common(1)[0][0]
        values = [float(place == most_frequent) for place in values]
    return values


def _mean_chance(rows: Sequence[Guess]) -> float:
    return fmean(1 / row.options for row in rows)
