"""Reversal gap: facts known from one end and not from the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import asdict

from factprobe.metrics.breakdowns.base import Breakdown
from factprobe.metrics.breakdowns.pairs import ModelTask, Pairs
from factprobe.metrics.scores import ALL
from factprobe.metrics.statistics.intervals import Interval, share
from factprobe.metrics.statistics.paired import paired_difference
from factprobe.question_types import kind_or_plain
from factprobe.records import Grade, Question


class Reversal(Struct, frozen=True):
    """Facts asked for from both ends in the same task."""

    facts: int
    """Number of facts."""
    object: Interval
    """Share known when the object is asked for, in [0, 1]; higher is better."""
    subject: Interval
    """Share known when the subject is asked for, in [0, 1]; higher is better."""
    gap: Interval
    """The first less the second, in [-1, 1]: 0 is best; above 0, subjects are known less often."""


def reversal(
    objects: Sequence[bool], subjects: Sequence[bool], clusters: Sequence[str] | None = None, confidence: float = 0.95
) -> Reversal | None:
    """Compute the reversal gap (Berglund et al.

    2023, *The Reversal Curse*, section 2.2: celebrities there, any facts here).

    Args:
        objects: of each fact whether its object is known where its subject is given.
        subjects: of the same facts, in the same order, whether the subject is known where the object is given.
        clusters: the subject entity of each fact, by default its own.
        confidence: how often the intervals are to cover the truth.

    Returns:
        None where there is no fact.

    Raises:
        ValueError: lengths that differ.
    """
    if len(objects) != len(subjects):
        raise ValueError(f"{len(objects)} outcomes of objects for {len(subjects)} of subjects")
    object_, subject = share(objects, clusters, confidence), share(subjects, clusters, confidence)
    if object_ is None or subject is None:
        return None
    return Reversal(len(objects), object_, subject, paired_difference(objects, subjects, clusters, confidence))


class RelationReversal(Reversal, frozen=True, kw_only=True):
    """Knowledge of a relation's facts from either end, for one model in one task."""

    kg: str
    generator: str
    model: str
    relation: str
    """Relation, or `all`."""
    task: str
    """Question type."""


class BothEnds(Breakdown):
    """Comparison of facts that a generator asks for from both ends.

    The task must be the same, one answer in words or as many options: to name all who were born in a city is not what
    it is to name the city of one. A true/false statement shows both ends, and asks for neither.
    """

    title = "Facts from both ends"
    note = (
        "Over the facts that were asked for from both ends in the same task: one answer in words, or as many options. "
        "The gap is what is known when the object is asked for, less what is known when the subject is."
    )
    heads: ClassVar[Mapping[str, str]] = {
        "relation": "relation",
        "task": "task",
        "facts": "facts",
        "object": "object known",
        "subject": "subject known",
        "gap": "gap",
    }
    main = "gap"
    of_facts = True

    def __init__(self, kg: str) -> None:
        super().__init__(kg)
        self._pairs = Pairs[bool]()

    def add(self, generator: str, model: str, grade: Grade, question: Question) -> None:
        """Add a grade; see the base class."""
        kind = kind_or_plain(question.question_type)
        if grade.verdict == "failed" or isinstance(question.answers, str) or kind.is_set or not question.object_uri:
            return
        asked = ModelTask(generator, model, question.question_type)
        item = len(question.choices), question.subject_uri, question.object_uri
        known, second = grade.verdict == "correct", question.sought == "subject"
        self._pairs.add(asked, question.relation, item, question.subject_uri, known, second=second)

    def rows(self) -> Sequence[RelationReversal]:
        """Return the rows, with that of all relations first."""
        return [
            RelationReversal(
                **asdict(found),
                kg=self.kg,
                generator=asked.generator,
                model=asked.model,
                relation=relation,
                task=asked.task,
            )
            for asked, relation, pairs in self._pairs.groups()
            if (found := reversal(*pairs))
        ]

    @classmethod
    def sentence(cls, row: RelationReversal) -> str:
        """Return a sentence; see the base class."""
        if row.relation != ALL:
            return ""
        return "{task}: of {facts} facts asked from both ends {object} of the objects known, {subject} of the subjects"
