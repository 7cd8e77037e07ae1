"""Effect of a passage before the questions: the same questions with and without it."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import numpy as np
from msgspec import Struct
from msgspec.structs import asdict
from numpy.typing import NDArray

from factprobe.metrics.breakdowns.base import Breakdown
from factprobe.metrics.breakdowns.pairs import same_question
from factprobe.metrics.scores import ALL
from factprobe.metrics.statistics.intervals import Flags, Interval, Labels, codes_of, numbered, rate_interval
from factprobe.metrics.statistics.paired import paired_difference
from factprobe.question_types import question_types
from factprobe.records import Grade, Question


class ContextEffect(Struct, frozen=True):
    """Outcomes of questions answered both without and with a passage; shares in [0, 1].

    `robust`, `misled` and `changed` are over the questions that the model answers rightly without the passage, and add
    up to 1; `helped` is over the others. A share of nothing is None, and so are those of a planted answer where the
    passages plant none, and all but `accuracy_with` and `planted` where no question was answered without.
    """

    questions: int
    """Number of questions with a reply both ways."""
    known: int
    """Number answered correctly without the passage."""
    accuracy_without: Interval | None
    accuracy_with: Interval | None
    difference: Interval | None
    """Accuracy with the passage less that without, in [-1, 1]."""
    robust: Interval | None
    """Share still right with the passage; higher is better."""
    misled: Interval | None
    """Share that switch to the planted answer; lower is better."""
    changed: Interval | None
    """Share no longer right, without giving the planted answer: hurt by its own passage, or distracted by another's;
    lower is better."""
    helped: Interval | None
    """Share right with the passage only."""
    planted: Interval | None
    """Share of all questions with the planted answer, including those answered so without the passage; lower is better.
    """


def context_effect(
    without: Sequence[bool] | Flags | None,
    with_passage: Sequence[bool] | Flags,
    planted: Sequence[bool] | Flags | None = None,
    clusters: Labels | None = None,
    confidence: float = 0.95,
) -> ContextEffect:
    """Compute the effect of passages over the same questions.

    After Longpre et al. 2021, *Entity-Based Knowledge Conflicts in Question Answering* (EMNLP), section 3, who take the
    questions known without the passage and ask whether the model then keeps its answer or takes the passage's; their
    memorization ratio is `robust / (robust + misled)`.

    Args:
        without: whether each question is answered rightly without the passage; None where none was asked so.
        with_passage: the same with it; at least one.
        planted: whether the reply with the passage gives its planted answer; None where it plants none.
        clusters: the subject entity of each question, by default each its own.
        confidence: how often the intervals are to cover the truth.

    Raises:
        ValueError: no question, or lengths that differ.
    """
    after = np.asarray(with_passage, bool)
    nothing, everything = np.zeros_like(after), np.ones_like(after)
    before = nothing if without is None else np.asarray(without, bool)
    unknown = nothing if without is None else ~before
    taken = nothing if planted is None else np.asarray(planted, bool)
    if len(after) == 0 or not len(before) == len(after) == len(taken):
        raise ValueError(f"{len(before)} questions without a passage, {len(after)} with one, {len(taken)} planted")
    codes = numbered(codes_of(clusters, len(after)))

    def share(parts: Flags, wholes: Flags) -> Interval | None:
        return rate_interval(parts & wholes, wholes, codes, confidence=confidence)

    return ContextEffect(
        questions=len(after),
        known=int(before.sum()),
        accuracy_without=None if without is None else share(before, everything),
        accuracy_with=share(after, everything),
        difference=None if without is None else paired_difference(after, before, codes, confidence),
        robust=share(after, before),
        misled=None if planted is None else share(taken & ~after, before),
        changed=share(~after & ~taken, before),
        helped=share(after, unknown),
        planted=None if planted is None else share(taken & ~after, everything),
    )


class ContextRow(ContextEffect, frozen=True, kw_only=True):
    """Effect of one kind of passage on a model, over the questions of one type or all."""

    kg: str
    generator: str
    """Generator of the questions with passages."""
    model: str
    against: str
    """Generator of the same questions without passages; empty if there is none."""
    kind: str
    """Kind of the passages: `relevance`, `irrelevance`, `antifactual`."""
    question_type: str
    """Question type, or `all`."""


class ByContext(Breakdown):
    """Comparison of questions with passages and the same ones without."""

    title = "Passages before the questions"
    note = (
        "Beside the same questions without a passage. Of those that are answered rightly without it: robust, still "
        "right with it; misled, by the wrong answer that the passage states; otherwise wrong, hurt by their own "
        "passage or distracted by another's. Helped: of those that are not. Planted answer: of all, how often the "
        "reply gives the wrong answer that the passage states."
    )
    heads: ClassVar[Mapping[str, str]] = {
        "kind": "passage",
        "question_type": "question type",
        "questions": "questions",
        "accuracy_without": "accuracy without",
        "accuracy_with": "accuracy with",
        "difference": "difference",
        "robust": "robust",
        "misled": "misled",
        "changed": "otherwise wrong",
        "helped": "helped",
        "planted": "planted answer",
    }
    main = "robust"
    of_facts = True

    def __init__(self, kg: str) -> None:
        super().__init__(kg)
        self._plain: dict[str, dict[str, _Outcomes]] = {}
        self._told: dict[tuple[str, str, str], _Told] = {}
        self._subjects: dict[str, int] = {}
        self._types: dict[str, int] = {}

    def add(self, generator: str, model: str, grade: Grade, question: Question) -> None:
        """Add a grade; failed questions count nowhere."""
        if grade.verdict == "failed":
            return
        right = grade.verdict == "correct"
        if question.context is None:
            self._plain.setdefault(model, {}).setdefault(generator, _Outcomes()).add(question, right)
            return
        told = self._told.setdefault((model, generator, question.context.kind), _Told())
        told.add(question, right)
        told.subjects.append(self._subjects.setdefault(question.subject_uri, len(self._subjects)))
        told.types.append(self._types.setdefault(question.question_type, len(self._types)))
        told.planted.append(grade.planted and grade.verdict == "incorrect")
        told.plants = told.plants or question.context.planted is not None

    def rows(self) -> Sequence[ContextRow]:
        """Return the rows; each generator is compared with the one that shares most of its questions."""
        return [
            ContextRow(
                **asdict(effect),
                kg=self.kg,
                generator=generator,
                model=model,
                against=against,
                kind=kind,
                question_type=question_type,
            )
            for (model, generator, kind), told in sorted(self._told.items(), key=lambda item: item[0][0])
            for against, question_type, effect in self._effects(model, told)
        ]

    @classmethod
    def sentence(cls, row: ContextRow) -> str:
        """Return a sentence; see the base class."""
        if row.question_type != ALL:
            return ""
        if not row.against:
            return "{kind} passages: {accuracy_with} right; the same questions have no grades without them"
        told = "{kind} passages: {accuracy_with} right, {accuracy_without} without"
        if row.known:
            told += "; of these {robust} robust" + (", {misled} misled" if row.misled else "")
        return told + ("; of the rest {helped} helped" if row.helped and not row.planted else "")

    def _effects(self, model: str, told: _Told) -> Iterator[tuple[str, str, ContextEffect]]:
        """Yield the effect of the passages by question type and by generator compared with."""
        keys, types = np.asarray(told.keys), np.asarray(told.types)
        plain = {name: outcomes.of(keys) for name, outcomes in self._plain.get(model, {}).items()}
        against = max(plain, key=lambda name: int((plain[name] >= 0).sum()), default="")
        paired = plain[against] >= 0 if against else np.zeros_like(keys, bool)
        if not paired.any():
            against, paired = "", ~paired
        for name in (ALL, *question_types()):
            wanted = paired & (types == self._types.get(name, -1)) if name != ALL else paired
            if wanted.any():
                planted = np.asarray(told.planted, bool)[wanted] if told.plants else None
                before = plain[against][wanted] == 1 if against else None
                subjects = np.asarray(told.subjects)[wanted]
                yield against, name, context_effect(before, np.asarray(told.right, bool)[wanted], planted, subjects)


class _Outcomes:
    """Questions and whether each was answered correctly, in nine bytes each."""

    def __init__(self) -> None:
        self.keys = array("q")
        self.right = array("b")

    def add(self, question: Question, right: bool) -> None:
        """Add one question; two are the same if their words are, but for the passage and the words around it."""
        self.keys.append(hash((same_question(question), question.choices, question.statement, question.bare)))
        self.right.append(right)

    def of(self, keys: NDArray[np.int64]) -> NDArray[np.int8]:
        """Return for these questions whether each was answered correctly, 1 or 0; -1 if it is missing."""
        own, right = np.asarray(self.keys), np.asarray(self.right)
        order = np.argsort(own, kind="stable")
        at = order[np.minimum(np.searchsorted(own, keys, sorter=order), len(own) - 1)]
        return np.where(own[at] == keys, right[at], np.int8(-1))


class _Told(_Outcomes):
    """Questions with passages and the data for their effect, in some 30 bytes each."""

    def __init__(self) -> None:
        super().__init__()
        self.subjects = array("q")
        self.types = array("q")
        self.planted = array("b")
        self.plants = False
        """True if the passages plant answers."""
