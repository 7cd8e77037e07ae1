"""How well questions can be answered without knowing the facts: by guesses that go by what they show alone."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar

from msgspec import Struct

from factprobe.metrics.breakdowns import Shown
from factprobe.metrics.heuristics import CONSTANT, GUESSES, GuessRow, RelationGuesses, Rows
from factprobe.question_types import BINARY, CHOICES, QuestionType
from factprobe.records import Question, RelationSummary

if TYPE_CHECKING:
    from factprobe.metrics.intervals import Interval

MOST = 2_000
"""So many to twice as many facts are looked at where there are more, as many of each relation, evenly spread."""
GLANCE = 500
"""The same where they are looked at on their way to a file, and what is told is what is far from chance."""
_OF_ONE = 20
"""The share of these that is looked at in each relation, however many there are."""
FAR = 0.1
"""A guess that is better than chance by more, for certain, is told of."""


class Leak(Struct, frozen=True):
    """How often one guess is right on the questions of one type."""

    question_type: QuestionType
    guess: str
    """One of `GUESSES`."""
    questions: int
    """How many were looked at."""
    accuracy: Interval
    """In [0, 1]; at chance the questions do not give themselves away."""
    chance: float
    """Of blind guessing, in [0, 1]."""

    @property
    def is_far(self) -> bool:
        """Whether the guess is far better than chance."""
        return self.accuracy.low > self.chance + FAR


class QuestionLeak(Leak, frozen=True, kw_only=True):
    """How well the questions of a generator can be guessed."""

    kg: str
    generator: str
    model: str = ""

    @property
    def takes(self) -> str:
        """What the guess takes, for people."""
        return GUESSES[self.guess]

    @property
    def told(self) -> str:
        """The guess, marked where it is far better than chance."""
        return f"{self.guess} ▲" if self.is_far else self.guess


class LeakTable(Shown):
    """The rows of `QuestionLeak`."""

    title = "Guessed without the facts"
    note = (
        "How often guesses are right that go by what a question shows and by how many facts each answer has. Of "
        "statements it is which of a fact's true and its false one they take for the true one. What is marked ▲ is "
        "better than chance by more than ten points, for certain; see generator.negatives."
    )
    heads: ClassVar[Mapping[str, str]] = {
        "question_type": "questions",
        "told": "guess",
        "takes": "takes",
        "questions": "looked at",
        "accuracy": "right",
        "chance": "by chance",
    }
    main = "accuracy"
    of_models = False


def in_words(leaks: Iterable[Leak]) -> str:
    """The guesses that are far better than chance, in a line; empty where there is none."""
    found: dict[QuestionType, list[str]] = {}
    for leak in leaks:
        is_binary = leak.question_type == BINARY.question_type
        by_design = is_binary and leak.guess == CONSTANT  # one true statement, two false ones
        if leak.is_far and not by_design:
            rates = f"{100 * leak.accuracy.estimate:.1f}% (chance {100 * leak.chance:.1f}%)"
            found.setdefault(leak.question_type, []).append(f"by {leak.guess} {rates}")
    return "; ".join(f"{kind} {', '.join(guesses)}" for kind, guesses in found.items())


class Leaks:
    """Looks at questions, relation by relation, and tries each guess on them.

    On multiple choice a guess takes the option with the highest score, with an even chance among equals; of a fact's
    true statement and a false one it takes the one that shows the entity with the higher score, so that chance is a
    half. Such artifacts of how options are chosen are what Gururangan et al. 2018 (Annotation Artifacts in Natural
    Language Inference Data, NAACL) and Balepur, Ravichander and Rudinger 2024 (Artifacts or Abduction, ACL) looked for.

    Args:
        relations: how many there are.
        most: so many to twice as many facts are looked at, where these are not too few of a relation.
    """

    def __init__(self, relations: int = 1, most: int = MOST) -> None:
        self._most = max(most // max(relations, 1), most // _OF_ONE)
        self._relation: RelationGuesses | None = None
        self._seen: dict[tuple[QuestionType, str], _Guesses] = {}

    def begin(self, summary: RelationSummary) -> None:
        """Begins with the questions of another relation."""
        self.take(self.last())
        self._relation = RelationGuesses(summary, self._most)

    def add(self, question: Question) -> None:
        """Takes in one more question of the relation; those about one fact come one after the other."""
        if self._relation is not None:
            self._relation.add(question)

    def watch(self, questions: Iterable[Question], summary: RelationSummary) -> Iterator[Question]:
        """Looks at a relation's questions as they pass by."""
        self.begin(summary)
        for question in questions:
            self.add(question)
            yield question

    def rows(self) -> list[Leak]:
        """How often each guess is right, with 95 % intervals that take the questions about one subject together."""
        self.take(self.last())
        order = [(kind, guess) for kind in (CHOICES.question_type, BINARY.question_type) for guess in GUESSES]
        return [self._seen[key].leak(*key) for key in order if key in self._seen]

    def last(self) -> Rows:
        """What was seen of the last relation, which is let go of; it counts once somebody takes it in."""
        rows = self._relation.rows() if self._relation else {}
        self._relation = None
        return rows

    def take(self, rows: Rows) -> None:
        """Takes in what was seen of a relation."""
        for key, found in rows.items():
            self._seen.setdefault(key, _Guesses()).extend(found)


class _Guesses:
    """What came of one guess on one type of question, over all relations."""

    def __init__(self) -> None:
        self._subjects: list[str] = []
        self._values = array("d")
        self._options = array("i")

    def extend(self, rows: Iterable[GuessRow]) -> None:
        for row in rows:
            self._subjects.append(row.subject)
            self._values.append(row.value)
            self._options.append(row.options)

    def leak(self, question_type: QuestionType, guess: str) -> Leak:
        from factprobe.metrics.intervals import chance_of, rate_interval

        parts = list(self._values)
        if guess == CONSTANT:
            often = Counter(parts).most_common(1)[0][0]
            parts = [float(place == often) for place in parts]
        accuracy = rate_interval(parts, [1.0] * len(parts), self._subjects)
        assert accuracy is not None, "no guess is here without a question"
        return Leak(question_type, guess, len(parts), accuracy, chance_of(self._options))
