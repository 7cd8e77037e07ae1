"""How well questions can be answered without knowing the facts: by guesses that go by what they show alone."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from msgspec import Struct

from factprobe.metrics.breakdowns import Shown
from factprobe.question_types import BINARY, CHOICES, End, QuestionType
from factprobe.records import Question, RelationSummary
from factprobe.text import normalise

if TYPE_CHECKING:
    from factprobe.metrics.intervals import Interval

MOST = 2_000
"""So many to twice as many facts are looked at where there are more, as many of each relation, evenly spread."""
GLANCE = 500
"""The same where they are looked at on their way to a file, and what is told is what is far from chance."""
_OF_ONE = 20
"""The share of these that is looked at in each relation, however many there are."""
_RUN = 20
"""That many facts one after the other, so that options which are evenly placed are seen to be."""
FAR = 0.1
"""A guess that is better than chance by more, for certain, is told of."""

GUESSES = {
    "popularity": "the answer with the most facts in the relation",
    "overlap": "the answer whose name is most like the name that is given",
    "length": "the longest name",
    "likeness": "the option that is most like the others",
    "constant": "always the same letter, or the same of correct and incorrect",
}
"""What each guess takes, for people to read."""
_CONSTANT = "constant"
_CHOICES, _BINARY = CHOICES.question_type, BINARY.question_type
_LETTERS = 26


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
        by_design = leak.guess == _CONSTANT and leak.question_type == _BINARY  # one true statement, two false ones
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
        self._relation: _Relation | None = None
        self._seen: dict[tuple[QuestionType, str], _Guesses] = {}

    def about(self, summary: RelationSummary) -> None:
        """Begins with the questions of another relation."""
        self.take(self.last())
        self._relation = _Relation(summary, self._most)

    def add(self, question: Question) -> None:
        """Takes in one more question of the relation; those about one fact come one after the other. One that does not
        name what it is about is passed over: it is there to be guessed."""
        if self._relation is not None and not question.given:
            self._relation.add(question)

    def watch(self, questions: Iterable[Question], summary: RelationSummary) -> Iterator[Question]:
        """Looks at a relation's questions as they pass by."""
        self.about(summary)
        add = self.add
        for question in questions:
            add(question)
            yield question

    def rows(self) -> list[Leak]:
        """How often each guess is right, with 95 % intervals that take the questions about one subject together."""
        self.take(self.last())
        order = [(kind, guess) for kind in (_CHOICES, _BINARY) for guess in GUESSES]
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


class _Row(NamedTuple):
    """One guess at one question."""

    subject: str
    options: int
    """Among how many answers it was made."""
    value: float
    """How likely it is right; for the constant guess the place of the right answer."""


Rows = dict[tuple[QuestionType, str], list[_Row]]
"""What the guesses at the questions of one relation came to, by type and guess."""


class _Guesses:
    """What came of one guess on one type of question, over all relations."""

    def __init__(self) -> None:
        self._subjects: list[str] = []
        self._values = array("d")
        self._options = array("i")

    def extend(self, rows: Iterable[_Row]) -> None:
        for row in rows:
            self._subjects.append(row.subject)
            self._values.append(row.value)
            self._options.append(row.options)

    def leak(self, question_type: QuestionType, guess: str) -> Leak:
        from factprobe.metrics.intervals import chance_of, rate_interval

        parts = list(self._values)
        if guess == _CONSTANT:
            often = Counter(parts).most_common(1)[0][0]
            parts = [float(place == often) for place in parts]
        accuracy = rate_interval(parts, [1.0] * len(parts), self._subjects)
        assert accuracy is not None, "no guess is here without a question"
        return Leak(question_type, guess, len(parts), accuracy, chance_of(self._options))


class _Relation:
    """The questions of one relation."""

    def __init__(self, summary: RelationSummary, most: int) -> None:
        self._summary = summary
        self._most = most
        self._popular: dict[End, dict[str, int]] = {}
        self._triples: dict[str, frozenset[str]] = {}
        self._fact, self._ends, self._every, self._looks = -1, ("", ""), 1, False
        self._taken: list[tuple[int, Question]] = []
        self._rows: Rows = {}

    def add(self, question: Question) -> None:
        """Takes in a question, with the number of its fact, if the fact is one of those that are looked at."""
        ends = question.subject_uri, question.object_uri
        if ends != self._ends:
            self._fact, self._ends = self._fact + 1, ends
            if self._fact >= 2 * self._most * self._every:
                self._every *= 2
                self._taken = [(fact, one) for fact, one in self._taken if self._is_looked_at(fact)]
            self._looks = self._is_looked_at(self._fact)
        if self._looks:
            self._taken.append((self._fact, question))

    def _is_looked_at(self, fact: int) -> bool:
        return fact // _RUN % self._every == 0

    def rows(self) -> Rows:
        """The guesses at each question that was taken in; one of another type, or one that offers more options than
        there are letters, is passed over."""
        for _, question in self._taken:
            kind = question.question_type
            if kind == _BINARY and isinstance(question.answers, str):
                self._note(question, _CONSTANT, 2, float(question.answers == "correct"))
                if question.answers == "incorrect":
                    self._statement(question)
            elif kind == _CHOICES and 1 < len(question.choices) <= _LETTERS:
                self._choice(question)
        return self._rows

    def _note(self, question: Question, guess: str, options: int, value: float) -> None:
        row = _Row(question.subject_uri, options, value)
        self._rows.setdefault((question.question_type, guess), []).append(row)

    def _statement(self, question: Question) -> None:
        """Tries the guesses on a false statement and the true one of the same fact."""
        end = question.sought
        other: End = "subject" if end == "object" else "object"
        right = question.subject_uri if end == "subject" else question.object_uri
        given = question.object_uri if end == "subject" else question.subject_uri
        names = [self._label(uri, end) for uri in (right, question.shown)]
        for guess, scores in self._scores(names, self._label(given, other), end).items():
            self._note(question, guess, 2, _share(scores, 0))

    def _choice(self, question: Question) -> None:
        """Tries the guesses on a question with options."""
        end = question.sought
        names = question.choices
        label = question.answers[0].label if not isinstance(question.answers, str) else ""
        if names.count(label) != 1:
            return
        right = names.index(label)
        other: End = "subject" if end == "object" else "object"
        given = question.object_uri if end == "subject" else question.subject_uri
        scores = self._scores(names, self._label(given, other), end)
        scores["likeness"] = _likeness([self._of_letters(name) for name in names])
        for guess, found in scores.items():
            self._note(question, guess, len(names), _share(found, right))
        self._note(question, _CONSTANT, len(names), right)

    def _scores(self, names: Sequence[str], given: str, end: End) -> dict[str, list[float]]:
        """What each guess goes by, name by name."""
        if end not in self._popular:
            popular = self._popular[end] = {}
            for entity in self._summary.entities(end):
                for name in entity.names()[:1]:
                    popular[name] = max(popular.get(name, 0), len(self._summary.partners(entity.uri, end)))
        known, said = self._popular[end], self._of_letters(given)
        return {
            "popularity": [known.get(name, 0) for name in names],
            "overlap": [_alike(self._of_letters(name), said) for name in names],
            "length": [len(name) for name in names],
        }

    def _label(self, uri: str, end: End) -> str:
        """An entity's name as questions have it."""
        entity = self._summary.entity(uri, end)
        return next(iter(entity.names()), "") if entity else ""

    def _of_letters(self, name: str) -> frozenset[str]:
        """The runs of three letters of a name, with its ends."""
        found = self._triples.get(name)
        if found is None:
            text = f" {normalise(name)} "
            found = self._triples[name] = frozenset(text[i : i + 3] for i in range(len(text) - 2))
        return found


def _alike(one: frozenset[str], another: frozenset[str]) -> float:
    """How much of two names is the same, in [0, 1] (Jaccard)."""
    same = len(one & another)
    return same / (len(one) + len(another) - same) if same else 0.0


def _likeness(names: Sequence[frozenset[str]]) -> list[float]:
    """How much each name is like the others, in sum."""
    found = [0.0] * len(names)
    for i, one in enumerate(names):
        for j in range(i):
            alike = _alike(one, names[j])
            found[i] += alike
            found[j] += alike
    return found


def _share(scores: Sequence[float], right: int) -> float:
    """How likely the highest of some scores is the right one's, with an even chance among equals."""
    most = max(scores)
    return 1 / scores.count(most) if scores[right] == most else 0.0
